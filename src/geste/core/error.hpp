#pragma once

#include <string>
#include <utility>
#include <vector>

namespace geste {

/// One thing worth telling a person: what, where, and what to do about it.
/// Fields that do not apply stay empty (line and column: 0).
struct Diagnostic {
  std::string code{};     ///< stable, for programs: "scene.mesh_missing"
  std::string message{};  ///< the cause, in one sentence without a full stop
  std::string file{};     ///< as the user named it
  int line = 0;           ///< from 1
  int column = 0;         ///< from 1
  std::string element{};  ///< "joint 'elbow'", "part 'bay'", "triangle 17"
  std::string remedy{};   ///< what the user can do, an imperative sentence

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// A degradation or oddity that did not stop the work. Never dropped silently.
using Note = Diagnostic;
using Notes = std::vector<Note>;

/// Bad input. A reader that finds several faults reports the first here and the rest in `also`.
struct Error : Diagnostic {
  std::vector<Diagnostic> also{};

  Error() = default;
  Error(Diagnostic first) : Diagnostic(std::move(first)) {}  // NOLINT(google-explicit-constructor)

  friend bool operator==(const Error&, const Error&) = default;
};

/// All of `faults` as one error, in their order. Throws std::logic_error when there are none.
Error make_error(std::vector<Diagnostic> faults);

/// "arm.urdf:12:3: joint 'elbow': lower limit 2 is above upper limit 1 [urdf.limits]", and below it
/// "  remedy: ..." when there is one.
std::string to_text(const Diagnostic& diagnostic);

/// Every fault of the error, one after the other.
std::string to_text(const Error& error);

}  // namespace geste

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geste/core/error.hpp"
#include "geste/formats/internal/xml_document.hpp"
#include "geste/math/types.hpp"

namespace geste {

/// The words that may stand in one element. What is neither known nor ignored draws a note, since
/// a misspelt element would vanish without a trace.
struct XmlVocabulary {
  std::vector<std::string> attributes;
  std::vector<std::string> children;
  std::vector<std::string> ignored = {};  ///< children left out without a word
};

/// Walks an XML file and collects every fault and note with its line. `who` names the thing a
/// message is about ("joint 'elbow'"). After a fault the reading functions return nothing, and
/// reading goes on to find the next.
class XmlReader {
 public:
  /// `room` begins every code: "urdf" gives "urdf.number".
  XmlReader(std::string room, std::string file) : room_(std::move(room)), file_(std::move(file)) {}

  void fault(int line, std::string_view code, std::string who, std::string message,
             std::string remedy);
  void fault(Diagnostic diagnostic);
  void note(int line, std::string_view code, std::string who, std::string message,
            std::string remedy = {});

  /// "did you mean ...?"; bounded work, however many names are wrong.
  std::string suggest(std::string_view name, std::span<const std::string> candidates);

  /// Whether `root` is a <robot> without xacro macros, whose elements would be skipped as those of
  /// another tool; a fault otherwise.
  bool check_robot(const XmlElement& root);
  void check_words(const XmlElement& element, const std::string& who,
                   const XmlVocabulary& vocabulary);

  /// A child element that may stand once; a second one is a fault.
  const XmlElement* find_child(const XmlElement& parent, const char* name, const std::string& who);

  /// An attribute as text; the empty string counts as absent. Required ones fault when absent.
  std::optional<std::string> find_text(const XmlElement& element, const char* attribute,
                                       const std::string& who);
  std::optional<std::string> read_text(const XmlElement& element, const char* attribute,
                                       const std::string& who);

  /// A number; `fallback` where the attribute is absent or empty (with a note), a fault where there
  /// is no fallback.
  std::optional<double> read_number(const XmlElement& element, const char* attribute,
                                    const std::string& who, std::optional<double> fallback = {},
                                    bool may_be_infinite = false);
  /// As read_number; nothing and a note where it is not above zero.
  std::optional<double> read_positive(const XmlElement& element, const char* attribute,
                                      const std::string& who);
  /// Exactly `count` finite numbers; nothing after a fault or where the attribute is absent.
  std::optional<std::vector<double>> find_numbers(const XmlElement& element, const char* attribute,
                                                  std::size_t count, const std::string& who);
  std::optional<Vec3> read_vec3(const XmlElement& element, const char* attribute,
                                const std::string& who, std::optional<Vec3> fallback = {});

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] bool failed() const { return !faults_.empty(); }
  /// All faults in the order of their lines. Call when failed().
  Error take_error();
  Notes take_notes();

 private:
  Diagnostic make(int line, std::string_view code, std::string who, std::string message,
                  std::string remedy) const;
  void fault_number(const XmlElement& element, const char* attribute, const std::string& who,
                    const std::string& text, std::string message);

  std::string room_;
  std::string file_;
  std::vector<Diagnostic> faults_;
  Notes notes_;
  std::size_t faults_left_out_ = 0;
  std::size_t notes_left_out_ = 0;
  std::size_t letters_compared_ = 0;
};

}  // namespace geste

#pragma once

#include <map>
#include <string>
#include <vector>

namespace geste::bench {

/// A task file in pieces, so that parts can be taken away.
struct TaskText {
  struct Part {
    std::string name;
    std::string yaml;  ///< one entry of `parts`
  };
  std::vector<Part> parts;
  std::string rest;                            ///< actors, configurations, collision
  std::string task;                            ///< without `samples`
  long long samples = 3000;                    ///< to search with
  std::map<std::string, std::string> files{};  ///< that lie beside it, by name

  /// Without these parts.
  [[nodiscard]] std::string make(const std::vector<std::string>& without,
                                 long long search_with) const;
};

/// What a case is about.
enum class CaseKind {
  start,   ///< collides
  goal,    ///< collides
  limits,  ///< the goal is beyond them
  reach,   ///< the goal is out of reach
  keep,    ///< contradicts the goal
  one,     ///< blocked by one part
  two,     ///< by two, one behind the other
  gap,     ///< too small
  enclosed,
  time,      ///< feasible, but there is none
  feasible,  ///< with little play
};
const char* to_text(CaseKind kind);

/// A question with its answer, known from how it was made.
struct Case {
  std::string name;
  CaseKind kind = CaseKind::feasible;
  TaskText task;
  bool is_feasible = false;
  /// One of these sets must go for there to be a motion; each is as small as can be.
  std::vector<std::vector<std::string>> culprits{};
  std::string conflict{};  ///< joint, or entry of `keep`, that is named
  double by = 0;           ///< m or rad; how far beyond, or how deep; 0: not looked at
  double missing = 0;      ///< m; of a gap
  double seconds = 0;      ///< budget; 0: none
};

/// Cases of free bodies, and of arms and gantries; the same seed gives the same cases.
std::vector<Case> make_body_cases(std::uint64_t seed);
std::vector<Case> make_arm_cases(std::uint64_t seed);

}  // namespace geste::bench

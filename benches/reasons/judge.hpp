#pragma once

#include <filesystem>

#include "geste/tasks/task.hpp"

#include "cases.hpp"

namespace geste::bench {

/// What an answer is worth.
struct Judgement {
  bool is_right = false;
  std::string untrue;   ///< what it says that does not hold; empty: all holds
  std::string missing;  ///< what it lacks to be right
  std::string verdict;
  double seconds = 0;  ///< wall clock
};

/// Runs cases in a folder of its own and judges the answers by what is known of them: motions by
/// the second prover, named parts by taking them away.
class Judge {
 public:
  /// Empties the folder.
  explicit Judge(std::filesystem::path folder);

  Judgement run(const Case& c);

 private:
  TaskOutcome solve(const Case& c, const std::vector<std::string>& without, long long samples,
                    double seconds);
  void find_untrue(const Case& c, const TaskOutcome& outcome, Judgement& j);
  void check_named(const Case& c, const Reasons& r, Judgement& j);

  std::filesystem::path folder_;
};

}  // namespace geste::bench

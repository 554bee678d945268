#pragma once

#include <chrono>

#include "geste/planning/confinement.hpp"
#include "geste/tasks/internal/goals.hpp"

namespace geste::internal {

/// Proof that there is no motion: a ball inside something that moves cannot get to its goal.
struct EnclosureProof {
  InnerBall ball;
  Confinement confinement;
};

/// Looks for a proof with balls of a few bodies: the last of a chain first, then the largest.
/// Nothing where there is none, or the budget is used up.
std::optional<EnclosureProof> prove_enclosed(const PlanningRig& rig, const PlanningProblem& problem,
                                             const GoalRegion* region, const Budget& budget);

/// The budget of the search itself: where time is limited and long enough, a part of it is left for
/// looking into reasons.
Budget make_search_budget(const TaskRun& run, long long samples);

/// A search, and what it was given. Begun before it runs.
struct SearchRecord {
  const TaskScene& world;
  const TaskRun& run;
  const PlanningRig& rig;
  const PlanningProblem& problem;
  const GoalRegion* region = nullptr;  ///< that the goals were drawn from, where they were
  Budget budget{};                     ///< of the search
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::optional<EnclosureProof> proof{};

  /// Looks for a proof that there is no motion, for planners to ask in between.
  bool prove() {
    proof = prove_enclosed(rig, problem, region, budget);
    return proof.has_value();
  }
};

/// Looks into why a search found nothing (GX-3) and puts reasons and a verdict into `result`: out
/// of time or samples first; then what is proven, what was found by searching in changed worlds,
/// and what is only suspected. Looking for how much is missing may show that nothing is: then the
/// way is returned, proven, and `result` stays as it is.
std::optional<MatX> explain_failure(const SearchRecord& search, const PlanReport& report,
                                    const Rng& rng, TaskResult& result);

/// "a", "a and b", "a, b and 3 more".
std::string list_names(const std::vector<std::string>& names);

}  // namespace geste::internal

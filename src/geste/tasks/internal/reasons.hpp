#pragma once

#include "geste/tasks/internal/goals.hpp"

namespace geste::internal {

/// A search that found nothing, and all that it was given.
struct FailedSearch {
  const TaskScene& world;
  const TaskRun& run;
  const PlanningRig& rig;
  const PlanningProblem& problem;
  const PlanReport& report;
  const GoalRegion* region = nullptr;  ///< that the goals were drawn from, where they were
  double thinner = 0;                  ///< m; that what moves was taken as, on every side
};

/// Looks for what stopped it (GX-3) and puts reasons and a verdict into `result`: how far it came,
/// which parts block, how much is missing, and whether there is no way at all. Looking for how much
/// is missing may show that nothing is: then the way is returned, proven, and `result` stays as it
/// is.
std::optional<MatX> explain_failure(const FailedSearch& failed, const Rng& rng, TaskResult& result);

/// "a", "a and b", "a, b and 3 more".
std::string list_names(const std::vector<std::string>& names);

}  // namespace geste::internal

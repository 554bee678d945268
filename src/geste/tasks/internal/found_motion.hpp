#pragma once

#include "geste/tasks/internal/planning_rig.hpp"

namespace geste::internal {

// What tasks share that search for a motion.

void add_search_figures(const PlanReport& report, TaskResult& result);

Diagnostic explain_cancel(const std::string& file);

/// How a path is gone.
struct Pace {
  double speed = 1;   ///< share of the joints' velocity limits
  bool round = true;  ///< corners, where that can be proven
};

/// The path on a clock, with its proof and a verdict. False when cancelled.
Result<bool> take_motion(const TaskScene& world, const TaskRun& run, const PlanningRig& rig,
                         const PlanReport& report, const Pace& pace, TaskResult& result);

/// Where the result comes from, and where it begins if there is no motion.
void complete(const TaskScene& world, const TaskRun& run, TaskResult& result);

}  // namespace geste::internal

#pragma once

#include "geste/tasks/internal/planning_rig.hpp"

namespace geste::internal {

// What tasks share that search for a motion.

void add_search_figures(const PlanReport& report, TaskResult& result);

/// How a path is gone.
struct Pace {
  double speed = 1;   ///< share of the joints' velocity limits
  bool round = true;  ///< corners, where that can be proven
  bool shorten = true;
};

/// The path on a clock, with its proof and a verdict. False when cancelled.
Result<bool> take_motion(const TaskScene& world, const TaskRun& run, const PlanningRig& rig,
                         const PlanReport& report, const Pace& pace, TaskResult& result);

}  // namespace geste::internal

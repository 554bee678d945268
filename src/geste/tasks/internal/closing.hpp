#pragma once

#include "geste/tasks/internal/planning_rig.hpp"

namespace geste::internal {

/// What is wrong with a configuration to close to: it is not there, or moves nothing but what is
/// planned.
Result<void> check_closing(const TaskScene& world, const PlanningRig& rig, const std::string& actor,
                           const std::string& configuration);

/// Lets joints that were not planned go on from the end of the motion in `result` towards a named
/// configuration: a hand that closes. All go together; where two things touch, the joints that move
/// either of them stay there, a hair apart, and the others go on, until all have stopped. The
/// motion is proven anew, with a verdict that names who touches. `speed`: share of the joints'
/// velocity limits. False when cancelled.
Result<bool> close_joints(const TaskScene& world, const TaskRun& run, const PlanningRig& rig,
                          const std::string& actor, const std::string& configuration, double speed,
                          TaskResult& result);

}  // namespace geste::internal

#pragma once

#include "geste/core/rng.hpp"
#include "geste/tasks/internal/planning_rig.hpp"
#include "geste/tasks/move.hpp"

namespace geste::internal {

/// Points that a goal may be reached at, or why there are none.
struct Goals {
  std::vector<VecX> points;
  std::string reason;  ///< in words; empty where there are points
};

/// A configuration by name or by value is one point. A pose of a body is searched for from many
/// configurations (ik/drag.hpp), of which those that collide do not count. Errors are names that do
/// not fit the scene. Collisions of a goal go into `result`.
Result<Goals> find_goals(const TaskScene& world, const MoveOptions& options, const PlanningRig& rig,
                         const Rng& rng, TaskResult& result);

}  // namespace geste::internal

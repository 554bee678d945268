#pragma once

#include "geste/model/assemble.hpp"
#include "geste/tasks/internal/goals.hpp"

namespace geste::internal {

// What a task asks of a motion beside being free of collisions, held against a motion by looking at
// the motion alone: nothing of how it was found takes part.

/// The joints begin where the scene does.
Demand check_start(const TaskScene& world, const JointMotion& motion,
                   std::span<const JointId> joints);

/// The joints stay within their limits. Between frames they go straight, so frames tell.
Demand check_limits(const Scene& scene, const JointMotion& motion, std::span<const JointId> joints);

/// Hinges and slides go no faster than this share of their limits.
Demand check_speed(const Scene& scene, const JointMotion& motion, std::span<const JointId> joints,
                   double share);

/// A free body ends outside of a box, or beyond it in a direction.
Demand check_outside(const Scene& scene, const JointMotion& motion, JointId joint,
                     const GoalRegion& region);

/// Everything that a move asks for. In `world` what is kept are closed chains.
Result<std::vector<Demand>> check_move(const MoveOptions& options, const TaskScene& world,
                                       const JointMotion& motion);

}  // namespace geste::internal

#pragma once

#include "geste/tasks/internal/planning_rig.hpp"

namespace geste::internal {

/// Points of the space where a free body is apart from all fits that have this axis, when it goes
/// straight along it, either way; the nearest first. Whether something else is in the way is
/// another question.
std::vector<VecX> find_withdrawals(const TaskScene& world, const PlanningSpace& space,
                                   const CollisionModel& model, const Vec3& axis);

}  // namespace geste::internal

#pragma once

#include "geste/tasks/internal/planning_rig.hpp"

namespace geste::internal {

/// How a part leaves its fits: along the axis that they share.
struct Withdrawal {
  std::vector<VecX> ends;  ///< of the space; where all fits are apart, the nearest first
  std::string reason;      ///< in words, where there are none
};

/// Where a free body is apart from all its fits when it goes straight along their axis, either way.
/// Whether something else is in the way is another question.
Withdrawal find_withdrawal(const TaskScene& world, const PlanningSpace& space,
                           const CollisionModel& model);

}  // namespace geste::internal

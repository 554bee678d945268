#pragma once

#include "geste/planning/timing.hpp"

namespace geste::internal {

/// One rate of a joint: some of its degrees of freedom, taken together.
struct Rate {
  const PlanningSpace::Item* item = nullptr;
  int first = 0;  ///< in Joint::v
  int count = 1;
  bool slides = false;
};

template <class Visit>
void visit_rates(const PlanningSpace& space, Visit visit) {
  for (const PlanningSpace::Item& item : space.items()) {
    switch (item.joint.type) {
      case JointType::planar:
        visit(Rate{&item, 0, 2, true});
        visit(Rate{&item, 2, 1, false});
        break;
      case JointType::spherical:
        visit(Rate{&item, 0, 3, false});
        break;
      case JointType::free:
        visit(Rate{&item, 0, 3, true});
        visit(Rate{&item, 3, 3, false});
        break;
      default:
        for (int k = 0; k < item.joint.nv; ++k)
          visit(Rate{&item, k, 1, item.joint.type == JointType::prismatic});
    }
  }
}

/// What each rate travels from a to b: a vector of three, in axes that do not turn on the way.
Mat3X compute_travel(const PlanningSpace& space, ConstVecRef a, ConstVecRef b);

/// How a leg takes each rate, while s goes from 0 to 1.
struct LegRates {
  Mat3X begin;  ///< velocities where it begins and ends; as long in between
  Mat3X end;
  VecX along;   ///< their lengths
  VecX across;  ///< accelerations where the way bends: the length times the turn
};
LegRates compute_leg_rates(const PlanningSpace& space, Course course, ConstVecRef a, ConstVecRef b);

}  // namespace geste::internal

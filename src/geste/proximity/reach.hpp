#pragma once

#include <vector>

#include "geste/model/scene.hpp"

namespace geste {

/// Where something can come to, whatever the joints do: the points within both a box and a ball.
/// Unbounded where a joint has no limit to its travel.
struct ReachVolume {
  AxisBox box;
  Vec3 centre = Vec3::Zero();
  double radius = 0;

  [[nodiscard]] bool is_bounded() const { return radius < kInfinity; }
};

ReachVolume make_volume(const AxisBox& box);

/// Whether two volumes have points nearer to each other than `margin`.
bool may_meet(const ReachVolume& a, const ReachVolume& b, double margin);

/// The values a joint can take, one interval per degree of freedom: its limits; of a linear or
/// table follower what its leader can make of it; anything where a formula decides.
struct Interval {
  double low = -kInfinity;
  double high = kInfinity;
};
std::vector<Interval> compute_ranges(const Scene& scene, JointId joint);

/// The volume that `inner`, fixed to the mover, sweeps in the frame of the mover's parent (MV-7).
/// The box is exact for one joint: a corner on its arc is farthest along an axis at the arc's ends
/// or where it turns, and no point of a box is farther than a corner. Through a chain it is an
/// outer bound.
ReachVolume sweep(const Scene& scene, int mover, const ReachVolume& inner);

}  // namespace geste

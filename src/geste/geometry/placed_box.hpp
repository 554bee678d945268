#pragma once

#include "geste/geometry/box.hpp"
#include "geste/math/pose.hpp"

namespace geste {

/// The box, along the outer axes, of a box that stands at X.
inline AxisBox place_box(const Pose& X, const AxisBox& box) {
  const Vec3 centre = X * box.centre(), half = X.R.cwiseAbs() * (box.size() / 2);
  return {centre - half, centre + half};
}

/// How far apart two boxes are; 0 where they meet.
inline double compute_gap(const AxisBox& a, const AxisBox& b) {
  return (a.min - b.max).cwiseMax(b.min - a.max).cwiseMax(Vec3::Zero()).norm();
}

inline AxisBox inflate(const AxisBox& box, double by) {
  return {box.min.array() - by, box.max.array() + by};
}

}  // namespace geste

#pragma once

#include "geste/math/types.hpp"

/// Nearest points of segments and triangles in closed form.
namespace geste::internal {

struct ClosestPair {
  Vec3 on_a = Vec3::Zero();
  Vec3 on_b = Vec3::Zero();
  double squared = 0;  ///< distance squared
};

/// A unit vector at a right angle to `v`; UnitX for zero.
Vec3 compute_perpendicular(const Vec3& v);

Vec3 compute_closest_on_segment(const Vec3& p, const Vec3& from, const Vec3& to);
/// C. Ericson, "Real-Time Collision Detection", 5.1.5. Slivers, needles and points are welcome.
Vec3 compute_closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);
/// Segments p0 p1 and q0 q1; parallel ones give one of their nearest pairs. Ericson, 5.1.9.
ClosestPair compute_closest_segments(const Vec3& p0, const Vec3& p1, const Vec3& q0,
                                     const Vec3& q1);
/// `a` is the segment. Squared is 0 where it goes through the triangle.
ClosestPair compute_closest_segment_triangle(const Vec3& p0, const Vec3& p1, const Vec3& a,
                                             const Vec3& b, const Vec3& c);

}  // namespace geste::internal

#pragma once

#include <cmath>

#include "geste/geometry/convex_shape.hpp"
#include "geste/math/pose.hpp"

namespace geste::internal {

inline Vec3 compute_cone_support(const Vec3& half, const Vec3& d) {
  const double rho = std::sqrt(d.x() * d.x() + d.y() * d.y());
  if (half.z() * d.z() >= half.x() * rho - half.z() * d.z()) return {0, 0, half.z()};
  if (rho == 0) return {0, 0, -half.z()};
  const double scale = half.x() / rho;
  return {scale * d.x(), scale * d.y(), -half.z()};
}

inline Vec3 compute_cylinder_support(const Vec3& half, const Vec3& d) {
  const double rho = std::sqrt(d.x() * d.x() + d.y() * d.y());
  const double scale = rho > 0 ? half.x() / rho : 0;
  return {scale * d.x(), scale * d.y(), std::copysign(half.z(), d.z())};
}

inline Vec3 compute_triangle_support(const std::array<Vec3, 3>& p, const Vec3& d) {
  const double h0 = d.dot(p[0]), h1 = d.dot(p[1]), h2 = d.dot(p[2]);
  return h0 >= h1 ? (h0 >= h2 ? p[0] : p[2]) : (h1 >= h2 ? p[1] : p[2]);
}

/// The core's farthest point along d, any length. `hint`: where a hull's climb starts and ended.
inline Vec3 compute_support(const ConvexShape& s, const Vec3& d, std::uint32_t& hint) {
  switch (s.core) {
    case ConvexShape::Core::point:
      return Vec3::Zero();
    case ConvexShape::Core::segment:
      return {0, 0, std::copysign(s.half.z(), d.z())};
    case ConvexShape::Core::triangle:
      return compute_triangle_support(s.corners, d);
    case ConvexShape::Core::box:
      return {std::copysign(s.half.x(), d.x()), std::copysign(s.half.y(), d.y()),
              std::copysign(s.half.z(), d.z())};
    case ConvexShape::Core::cylinder:
      return compute_cylinder_support(s.half, d);
    case ConvexShape::Core::cone:
      return compute_cone_support(s.half, d);
    case ConvexShape::Core::hull:
      hint = find_farthest_vertex(*s.hull, d, hint);
      return s.hull->vertices[hint];
  }
  return Vec3::Zero();
}

/// A point of A - B and the two it comes from, all in A's frame.
struct SupportPoint {
  Vec3 w, a, b;
};

/// The set A - B = {a - b} of two cores: it holds the origin where they meet, and its signed
/// distance to the origin is theirs.
class CoreDifference {
 public:
  CoreDifference(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB)
      : a_(a), b_(b), X_AB_(X_AB) {}

  SupportPoint compute_support(const Vec3& d) {
    SupportPoint s;
    s.a = internal::compute_support(a_, d, hint_a);
    s.b = X_AB_ * internal::compute_support(b_, -(X_AB_.R.transpose() * d), hint_b);
    s.w = s.a - s.b - origin;
    return s;
  }

  /// A point inside, from centre to centre.
  [[nodiscard]] Vec3 centre() const { return a_.centre - X_AB_ * b_.centre - origin; }
  /// Whether both cores have corners, edges and flat sides alone.
  [[nodiscard]] bool is_polyhedral() const { return !is_curved(a_) && !is_curved(b_); }
  /// No point is farther than this from the centre.
  [[nodiscard]] double extent() const { return a_.extent + b_.extent; }

  std::uint32_t hint_a = kNoVertex, hint_b = kNoVertex;
  Vec3 origin = Vec3::Zero();  ///< taken as the origin of A - B: as if B had moved by so much

 private:
  static bool is_curved(const ConvexShape& s) {
    return s.core == ConvexShape::Core::cylinder || s.core == ConvexShape::Core::cone;
  }

  const ConvexShape& a_;
  const ConvexShape& b_;
  const Pose& X_AB_;
};

}  // namespace geste::internal

#include "geste/geometry/convex_pair.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/internal/epa.hpp"
#include "geste/geometry/internal/gjk.hpp"
#include "geste/geometry/point_distance.hpp"

namespace geste {
namespace {

using Core = ConvexShape::Core;

/// A shape against a ball at p: its signed distance less the radius.
Separation compute_to_ball(const ConvexShape& a, const Vec3& p, double radius) {
  const PointSeparation point = compute_point_separation(a, p);
  return {point.distance - radius, point.nearest, p - radius * point.normal, point.normal, 0};
}

/// Around two core points, each with its radius. `normal` is unit.
Separation make_rounded(const Vec3& core_a, double radius_a, const Vec3& core_b, double radius_b,
                        double core_distance, const Vec3& normal) {
  return {core_distance - radius_a - radius_b, core_a + radius_a * normal,
          core_b - radius_b * normal, normal, 0};
}

Separation compute_capsules(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB) {
  const Vec3 end = b.half.z() * X_AB.R.col(2);
  const auto pair = internal::compute_closest_segments(-a.half, a.half, X_AB.p - end, X_AB.p + end);
  const double distance = std::sqrt(pair.squared);
  if (distance > internal::kContact * (a.half.z() + b.half.z())) {
    const Vec3 normal = (pair.on_b - pair.on_a) / distance;
    return make_rounded(pair.on_a, a.radius, pair.on_b, b.radius, distance, normal);
  }
  // Crossing axes part across both; axes in one line, across it.
  const Vec3 cross = Vec3::UnitZ().cross(X_AB.R.col(2));
  const double sine = cross.norm();
  const Vec3 long_axis = a.half.z() > 0 ? Vec3(Vec3::UnitZ()) : Vec3(X_AB.R.col(2));
  const bool is_crossing = sine > 1e-9 && a.half.z() > 0 && b.half.z() > 0;
  Vec3 normal = is_crossing ? Vec3(cross / sine) : internal::compute_perpendicular(long_axis);
  if (normal.dot(pair.on_b - pair.on_a) < 0) normal = -normal;
  return make_rounded(pair.on_a, a.radius, pair.on_b, b.radius, distance, normal);
}

/// Capsule against triangle, apart; nothing where the axis meets the triangle.
std::optional<Separation> find_triangle_capsule(const ConvexShape& triangle,
                                                const ConvexShape& capsule, const Pose& X_TC) {
  const Vec3 end = capsule.half.z() * X_TC.R.col(2);
  const auto& [p, q, r] = triangle.corners;
  const auto pair = internal::compute_closest_segment_triangle(X_TC.p - end, X_TC.p + end, p, q, r);
  const double distance = std::sqrt(pair.squared);
  if (!(distance > internal::kContact * (capsule.extent + triangle.extent))) return std::nullopt;
  return make_rounded(pair.on_b, triangle.radius, pair.on_a, capsule.radius, distance,
                      (pair.on_a - pair.on_b) / distance);
}

Vec3 find_guess(const internal::CoreDifference& difference, const ConvexWarmStart* warm) {
  return warm && !warm->direction.isZero(0) ? warm->direction : difference.centre();
}

void keep(const internal::CoreDifference& difference, const Vec3& v, ConvexWarmStart* warm) {
  if (!warm) return;
  if (!v.isZero(0)) warm->direction = v;
  warm->vertex_a = difference.hint_a;
  warm->vertex_b = difference.hint_b;
}

void set_hints(internal::CoreDifference& difference, const ConvexShape& a, const ConvexShape& b,
               const ConvexWarmStart* warm) {
  if (!warm) return;
  if (a.hull && warm->vertex_a < a.hull->vertices.size()) difference.hint_a = warm->vertex_a;
  if (b.hull && warm->vertex_b < b.hull->vertices.size()) difference.hint_b = warm->vertex_b;
}

Separation compute_by_search(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                             ConvexWarmStart* warm) {
  internal::CoreDifference difference(a, b, X_AB);
  set_hints(difference, a, b, warm);
  const auto core = internal::compute_core_distance(difference, find_guess(difference, warm));
  keep(difference, core.v, warm);
  if (!core.do_meet) {
    const double distance = core.v.norm();
    return make_rounded(core.simplex.on_a(), a.radius, core.simplex.on_b(), b.radius, distance,
                        -core.v / distance);
  }
  const auto inside = internal::compute_core_penetration(difference, core.simplex);
  Separation s =
      make_rounded(inside.on_a, a.radius, inside.on_b, b.radius, -inside.depth, inside.normal);
  s.error = inside.error;
  return s;
}

}  // namespace

Separation placed(const Separation& s, const Pose& X_WA) {
  Separation out = s;
  out.on_a = X_WA * s.on_a;
  out.on_b = X_WA * s.on_b;
  out.normal = X_WA.R * s.normal;
  return out;
}

Separation swapped(const Separation& s, const Pose& X_BA) {
  return {s.distance, X_BA * s.on_b, X_BA * s.on_a, -(X_BA.R * s.normal), s.error};
}

Separation compute_convex_separation(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                                     ConvexWarmStart* warm_start) {
  if (b.core == Core::point) return compute_to_ball(a, X_AB.p, b.radius);
  if (a.core == Core::point) {
    return swapped(compute_to_ball(b, -(X_AB.R.transpose() * X_AB.p), a.radius), X_AB);
  }
  if (a.core == Core::segment && b.core == Core::segment) return compute_capsules(a, b, X_AB);
  if (a.core == Core::triangle && b.core == Core::segment) {
    if (const auto s = find_triangle_capsule(a, b, X_AB)) return *s;
  } else if (a.core == Core::segment && b.core == Core::triangle) {
    if (const auto s = find_triangle_capsule(b, a, X_AB.inverse())) return swapped(*s, X_AB);
  }
  return compute_by_search(a, b, X_AB, warm_start);
}

bool touches_convex(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                    ConvexWarmStart* warm_start) {
  const double reach = a.radius + b.radius;
  if (a.core == Core::point || b.core == Core::point ||
      (a.core == Core::segment && b.core == Core::segment)) {
    return compute_convex_separation(a, b, X_AB).distance <= 0;
  }
  internal::CoreDifference difference(a, b, X_AB);
  set_hints(difference, a, b, warm_start);
  const auto core = internal::compute_core_distance(difference, find_guess(difference, warm_start),
                                                    {.above = reach, .below = reach});
  keep(difference, core.v, warm_start);
  return core.do_meet || !(core.lower_bound > reach || core.v.norm() > reach);
}

}  // namespace geste

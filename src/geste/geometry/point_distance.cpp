#include "geste/geometry/point_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/internal/gjk.hpp"

namespace geste {
namespace {

/// Away from `core` at `radius`; along `fallback` when the point lies on the core.
PointSeparation offset_from(const Vec3& core, double radius, const Vec3& p, const Vec3& fallback) {
  const Vec3 d = p - core;
  const double norm = d.norm();
  const Vec3 normal = norm > 0 ? Vec3(d / norm) : fallback;
  return {norm - radius, core + radius * normal, normal};
}

/// A solid of revolution seen in the half plane of the point: x is the distance from the axis, and
/// a convex polygon's edges run from profile point to profile point.
class HalfPlane {
 public:
  explicit HalfPlane(const Vec3& p) : x_(std::sqrt(p.x() * p.x() + p.y() * p.y()), p.z()) {
    radial_ = x_.x() > 0 ? Vec3(p.x() / x_.x(), p.y() / x_.x(), 0) : Vec3(Vec3::UnitX());
  }

  /// The solid lies in x <= width, |z| <= height: what keeps the sign right for sizes of 0.
  void set_bounds(double width, double height) {
    is_outside_ = is_out_of_bounds_ = x_.x() > width || std::abs(x_.y()) > height;
  }

  /// Takes the edge from `from` to `to` into account, the outside at its right.
  void add_edge(const Vec2& from, const Vec2& to) {
    const Vec2 u = to - from;
    const double uu = u.squaredNorm();
    const double t = uu > 0 ? std::clamp(u.dot(x_ - from) / uu, 0.0, 1.0) : 0;
    const Vec2 nearest = t == 1 ? to : Vec2(from + t * u);
    Vec2 outwards(u.y(), -u.x());
    const double norm = outwards.norm();
    outwards = norm > 0 ? Vec2(outwards / norm) : Vec2(1, 0);
    const double height = outwards.dot(x_ - from);
    is_outside_ = is_outside_ || height > 0;
    const double squared = (x_ - nearest).squaredNorm();
    if (squared >= squared_) return;
    squared_ = squared;
    nearest_ = nearest;
    // A flat solid's edges lie on each other: the first one may show the wrong side.
    outwards_ = height < 0 && is_out_of_bounds_ ? Vec2(-outwards) : outwards;
    // Above the edge itself the height is the distance, without a square's rounding.
    distance_ = t > 0 && t < 1 ? std::abs(height) : std::sqrt(squared);
    is_on_edge_ = t > 0 && t < 1;
  }

  [[nodiscard]] PointSeparation separation() const {
    const double distance = is_outside_ ? distance_ : -distance_;
    Vec2 n = outwards_;
    if (!is_on_edge_ && distance_ > 0) n = (x_ - nearest_) / distance;
    const auto lift = [&](const Vec2& v) { return Vec3(v.x() * radial_ + v.y() * Vec3::UnitZ()); };
    return {distance, lift(nearest_), lift(n)};
  }

 private:
  Vec2 x_, nearest_ = Vec2::Zero(), outwards_ = Vec2(1, 0);
  Vec3 radial_;
  double squared_ = std::numeric_limits<double>::infinity(), distance_ = 0;
  bool is_outside_ = false, is_out_of_bounds_ = false, is_on_edge_ = false;
};

PointSeparation compute_inside_box(const Vec3& half, const Vec3& p) {
  int axis = 0;
  const double depth = (half - p.cwiseAbs()).minCoeff(&axis);
  PointSeparation s;
  s.distance = -depth;
  s.normal = std::copysign(1.0, p[axis]) * Vec3::Unit(axis);
  s.nearest = p;
  s.nearest[axis] = std::copysign(half[axis], p[axis]);
  return s;
}

PointSeparation compute_to_triangle(const std::array<Vec3, 3>& c, const Vec3& p) {
  const Vec3 nearest = internal::compute_closest_on_triangle(p, c[0], c[1], c[2]);
  const Vec3 n = (c[1] - c[0]).cross(c[2] - c[0]);
  const double d = (p - nearest).norm();
  // Rounding of the foot would turn the normal of a point that is all but on the plane.
  const double scale = (c[1] - c[0]).norm() + (c[2] - c[0]).norm();
  const double norm = n.norm();
  if (d > 1e-12 * scale || !(norm > 0)) {
    return {d, nearest,
            d > 0 ? Vec3((p - nearest) / d) : internal::compute_perpendicular(c[1] - c[0])};
  }
  return {d, nearest, Vec3(std::copysign(1 / norm, n.dot(p - nearest)) * n)};
}

/// Above the face whose plane is farthest below the point, or nearest to an edge or a corner.
PointSeparation compute_outside_hull(const ConvexHull& hull, const Vec3& p, std::size_t face,
                                     double height) {
  const Vec3& n = hull.normals[face];
  const Triangle& t = hull.faces[face];
  const Vec3 foot = p - height * n;
  const Vec3 near = internal::compute_closest_on_triangle(p, hull.vertices[t[0]],
                                                          hull.vertices[t[1]], hull.vertices[t[2]]);
  if ((foot - near).squaredNorm() <= 1e-28 * hull.radius * hull.radius) return {height, foot, n};
  const ConvexShape a(hull), b(Sphere{0});
  const Pose X_AB = Pose::translation(p);
  internal::CoreDifference difference(a, b, X_AB);
  difference.hint_a = t[0];
  const internal::CoreDistance core = internal::compute_core_distance(difference, -n);
  const double d = core.v.norm();
  if (core.do_meet || !(d > height)) return {height, foot, n};  // closer than rounding can tell
  return {d, core.simplex.on_a(), -core.v / d};
}

}  // namespace

PointSeparation compute_point_separation(const Sphere& shape, const Vec3& p) {
  return offset_from(Vec3::Zero(), shape.radius, p, Vec3::UnitZ());
}

PointSeparation compute_point_separation(const Capsule& shape, const Vec3& p) {
  const double h = shape.length / 2;
  const Vec3 core(0, 0, std::clamp(p.z(), -h, h));
  // At the ends of the segment any direction away from it would do; across is right everywhere.
  return offset_from(core, shape.radius, p, Vec3::UnitX());
}

PointSeparation compute_point_separation(const Box& shape, const Vec3& p) {
  const Vec3 half = shape.size / 2;
  const Vec3 nearest = p.cwiseMax(-half).cwiseMin(half);
  if (nearest == p) return compute_inside_box(half, p);
  const double d = (p - nearest).norm();
  return {d, nearest, (p - nearest) / d};
}

PointSeparation compute_point_separation(const Cylinder& shape, const Vec3& p) {
  const double r = shape.radius, h = shape.length / 2;
  HalfPlane plane(p);
  plane.set_bounds(r, h);
  plane.add_edge({0, -h}, {r, -h});
  plane.add_edge({r, -h}, {r, h});
  plane.add_edge({r, h}, {0, h});
  return plane.separation();
}

PointSeparation compute_point_separation(const Cone& shape, const Vec3& p) {
  const double r = shape.radius, h = shape.length / 2;
  HalfPlane plane(p);
  plane.set_bounds(r, h);
  plane.add_edge({0, -h}, {r, -h});
  plane.add_edge({r, -h}, {0, h});
  return plane.separation();
}

PointSeparation compute_point_separation(const Torus& shape, const Vec3& p) {
  const double rho = std::sqrt(p.x() * p.x() + p.y() * p.y());
  const Vec3 radial = rho > 0 ? Vec3(p.x() / rho, p.y() / rho, 0) : Vec3(Vec3::UnitX());
  return offset_from(shape.radius * radial, shape.tube_radius, p, Vec3::UnitZ());
}

PointSeparation compute_point_separation(const ConvexHull& shape, const Vec3& p) {
  double highest = -std::numeric_limits<double>::infinity();
  std::size_t face = 0;
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const double height = shape.normals[f].dot(p) - shape.offsets[f];
    if (height > highest) highest = height, face = f;
  }
  const Vec3& n = shape.normals[face];
  if (highest <= 0) return {highest, p - highest * n, n};
  return compute_outside_hull(shape, p, face, highest);
}

PointSeparation compute_point_separation(const PrimitiveShape& shape, const Vec3& p) {
  return std::visit(
      [&](const auto& s) {
        if constexpr (std::is_same_v<std::decay_t<decltype(s)>, HullShape>) {
          return compute_point_separation(*s, p);
        } else {
          return compute_point_separation(s, p);
        }
      },
      shape);
}

PointSeparation compute_point_separation(const ConvexShape& s, const Vec3& p) {
  switch (s.core) {
    case ConvexShape::Core::point:
      return compute_point_separation(Sphere{s.radius}, p);
    case ConvexShape::Core::segment:
      return compute_point_separation(Capsule{s.radius, 2 * s.half.z()}, p);
    case ConvexShape::Core::triangle:
      return compute_to_triangle(s.corners, p);
    case ConvexShape::Core::box:
      return compute_point_separation(Box{2 * s.half}, p);
    case ConvexShape::Core::cylinder:
      return compute_point_separation(Cylinder{s.half.x(), 2 * s.half.z()}, p);
    case ConvexShape::Core::cone:
      return compute_point_separation(Cone{s.half.x(), 2 * s.half.z()}, p);
    case ConvexShape::Core::hull:
      return compute_point_separation(*s.hull, p);
  }
  return {};
}

}  // namespace geste

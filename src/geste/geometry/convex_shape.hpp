#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "geste/geometry/convex_hull.hpp"
#include "geste/geometry/shape.hpp"

namespace geste {

/// A convex shape as the pair queries see it: the points within `radius` of a core. A sphere's core
/// is a point and a capsule's a segment, so that what is round stays exact. A view: it owns
/// nothing, and a hull must outlive it. Cheap to make.
struct ConvexShape {
  enum class Core : std::uint8_t { point, segment, triangle, box, cylinder, cone, hull };

  explicit ConvexShape(const Sphere& s) : core(Core::point), radius(s.radius) {}
  explicit ConvexShape(const Capsule& s)
      : core(Core::segment), radius(s.radius), half(0, 0, s.length / 2), extent(s.length / 2) {}
  explicit ConvexShape(const Box& s) : core(Core::box), half(s.size / 2), extent(half.norm()) {}
  explicit ConvexShape(const Cylinder& s)
      : core(Core::cylinder),
        half(s.radius, s.radius, s.length / 2),
        extent(half.tail<2>().norm()) {}
  explicit ConvexShape(const Cone& s)
      : core(Core::cone), half(s.radius, s.radius, s.length / 2), extent(half.tail<2>().norm()) {}
  explicit ConvexShape(const ConvexHull& h)
      : core(Core::hull), centre(h.centre), extent(h.radius), hull(&h) {}
  /// A triangle has two sides and no inside; its winding does not matter.
  ConvexShape(const Vec3& p, const Vec3& q, const Vec3& r)
      : core(Core::triangle), centre((p + q + r) / 3), corners{p, q, r} {
    const auto squared = [&](const Vec3& v) { return (v - centre).squaredNorm(); };
    extent = std::sqrt(std::max({squared(p), squared(q), squared(r)}));
  }

  Core core;
  double radius = 0;
  Vec3 half = Vec3::Zero();  ///< segment: on z; box; cylinder and cone: radius, radius, half length
  Vec3 centre = Vec3::Zero();  ///< a point inside the core
  double extent = 0;           ///< the farthest core point from the centre
  std::array<Vec3, 3> corners{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  ///< of a triangle
  const ConvexHull* hull = nullptr;
};

}  // namespace geste

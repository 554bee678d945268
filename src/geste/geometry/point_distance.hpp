#pragma once

#include "geste/geometry/convex_shape.hpp"
#include "geste/geometry/primitive_shape.hpp"

namespace geste {

/// A point beside or inside a solid.
struct PointSeparation {
  double distance = 0;          ///< m, to the surface; negative inside
  Vec3 nearest = Vec3::Zero();  ///< the surface's nearest point
  Vec3 normal = Vec3::UnitZ();  ///< unit, outwards: point = nearest + distance * normal
};

// The point is given in the shape's frame, and so is the answer. Closed forms, exact to rounding.
// Where several surface points are nearest (on axes, at centres, in mid-planes) one of them is
// taken, always the same. A shape of size 0 is a surface without inside.
PointSeparation compute_point_separation(const Sphere& shape, const Vec3& p);
PointSeparation compute_point_separation(const Capsule& shape, const Vec3& p);
PointSeparation compute_point_separation(const Box& shape, const Vec3& p);
PointSeparation compute_point_separation(const Cylinder& shape, const Vec3& p);
PointSeparation compute_point_separation(const Cone& shape, const Vec3& p);
/// Depth is measured in the tube: tube_radius less the distance from the circle. Where the tube is
/// thicker than the circle is wide, `nearest` may lie inside the tube's other side.
PointSeparation compute_point_separation(const Torus& shape, const Vec3& p);
/// One pass over the faces when the point is inside, a search when it is outside.
PointSeparation compute_point_separation(const ConvexHull& shape, const Vec3& p);
PointSeparation compute_point_separation(const PrimitiveShape& shape, const Vec3& p);
/// The same for a view. A triangle has no inside: its distance is never negative.
PointSeparation compute_point_separation(const ConvexShape& shape, const Vec3& p);

}  // namespace geste

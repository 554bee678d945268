#pragma once

#include <optional>

#include "geste/geometry/collider.hpp"
#include "geste/geometry/convex_shape.hpp"
#include "geste/math/pose.hpp"

namespace geste::internal {

/// Null where the shape is none.
const Torus* get_torus(const Collider& shape);

/// The triangles that are the shape: of meshes, boxes and hulls.
const MeshTree* get_flat_surface(const Collider& shape);

/// Of anything but a torus.
ConvexShape view_convex(const PrimitiveShape& shape);
/// A convex solid that holds the shape, where there is one.
std::optional<ConvexShape> view_hull(const Collider& shape);

/// A direction along which two convex solids may be apart, and by how much at least.
struct HullGap {
  double distance;
  Vec3 n;  ///< from a to b
};
/// Nothing where they meet. Depth would take much longer and is of no use to who asks whether
/// shapes are far apart; neither is a distance above `enough`.
std::optional<HullGap> find_hull_gap(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                                     double enough);

}  // namespace geste::internal

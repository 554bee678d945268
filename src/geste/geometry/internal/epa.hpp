#pragma once

#include "geste/geometry/internal/simplex.hpp"

namespace geste::internal {

/// How deep two cores lie in each other: moving B by depth * normal takes them apart.
struct CorePenetration {
  double depth = 0;  ///< slightly negative when rounding had taken them for meeting
  Vec3 normal = Vec3::UnitZ();
  Vec3 on_a = Vec3::Zero();  ///< on_a - on_b = depth * normal
  Vec3 on_b = Vec3::Zero();
  double error = 0;  ///< the true depth lies between depth - error and depth
};

/// The shortest translation that takes two meeting cores apart: the point of A - B's surface
/// nearest to the origin, between a polytope inside it and the supporting planes around it.
/// `start`: what the distance search ended with. G. van den Bergen, "Proximity queries and
/// penetration depth computation on 3D game objects", GDC 2001 (expanding polytope). Two changes:
/// sides are decided exactly, so that the polytope stays convex whatever rounding does; and the
/// depth reported is the smallest supporting plane's, which is a separating translation for
/// certain.
CorePenetration compute_core_penetration(CoreDifference& difference, const Simplex& start);

}  // namespace geste::internal

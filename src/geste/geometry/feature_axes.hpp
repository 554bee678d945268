#pragma once

#include <vector>

#include "geste/geometry/box.hpp"
#include "geste/geometry/shape.hpp"
#include "geste/math/pose.hpp"

namespace geste {

/// A direction that a surface is made along: the axis of a hole, a shaft or a bolt, the edges of a
/// slide, or the normal of a flat face.
struct FeatureAxis {
  Vec3 direction = Vec3::UnitZ();  ///< unit; its opposite is meant as well
  /// Of round and prismatic features the sum over their edges of length times angle (a hole of
  /// length L has 2 pi L); of flat faces the root of their area. m.
  double weight = 0;
  bool is_flat = false;  ///< the normal of a face
};

/// The directions in which a part most likely comes out, the heaviest first, edges before faces:
/// surfaces that slide along each other were made along one direction. Edges count where two
/// triangles meet at an angle, so that a cylinder's facets all tell its axis. Given in the frame
/// that the shape is placed in; only triangles that meet `within` count. At most `most` of either
/// kind, each more than two degrees from the others. Primitives tell theirs. Linear in the
/// triangles.
std::vector<FeatureAxis> find_feature_axes(const Shape& shape, const Pose& X_WS,
                                           const AxisBox& within, std::size_t most = 6);

}  // namespace geste

#pragma once

#include "geste/geometry/mesh_depth.hpp"

namespace geste::internal {

/// The point, segment or circle that a round primitive is drawn around, in the mesh's frame.
struct RoundCore {
  enum class Kind { point, segment, circle };
  Kind kind = Kind::point;
  Pose X_MP;
  double size = 0;    ///< half length on z, or radius in the plane z = 0
  double radius = 0;  ///< around the core

  /// s from 0 to 1 along the core.
  [[nodiscard]] Vec3 at(double s) const;
  [[nodiscard]] double length() const;
};

/// Where along the core the mesh is deepest, as a separation: depth of the core's deepest point and
/// the radius. The signed distance to a mesh is 1-Lipschitz: branch and bound over pieces of the
/// core.
Separation compute_core_depth(const MeshTree& mesh, const RoundCore& core, QueryScratch& scratch,
                              const DepthOptions& options);

}  // namespace geste::internal

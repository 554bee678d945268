#pragma once

#include "geste/geometry/collider.hpp"
#include "geste/geometry/mesh_depth.hpp"

namespace geste {

// A mesh and a primitive, in the mesh's frame: triangle by triangle down the tree, each against the
// exact solid.

bool touches(const MeshTree& mesh, const PrimitiveShape& primitive, const Pose& X_MP,
             QueryScratch& scratch);

/// `surface`: the primitive's triangles, for boxes, cylinders, cones and hulls (Collider::surface);
/// their deflection is part of the error of a depth.
Separation compute_separation(const MeshTree& mesh, const PrimitiveShape& primitive,
                              const MeshTree* surface, const Pose& X_MP, QueryScratch& scratch,
                              const DepthOptions& options = {});

}  // namespace geste

#pragma once

#include "geste/geometry/collider.hpp"
#include "geste/geometry/mesh_depth.hpp"

namespace geste {

// A mesh and a primitive, in the mesh's frame: triangle by triangle down the tree, each against the
// exact solid.

bool touches(const MeshTree& mesh, const PrimitiveShape& primitive, const Pose& X_MP,
             QueryScratch& scratch);

/// The least separation from any triangle, as far as it is below `limit`; else infinitely far. 0 or
/// less where the surface is met: then one triangle of several, and no depth.
Separation find_nearest_triangle(const MeshTree& mesh, const PrimitiveShape& primitive,
                                 const Pose& X_MP, QueryScratch& scratch, double limit);

/// `surface`: the primitive's triangles, for boxes, cylinders, cones and hulls (Collider::surface);
/// their deflection is part of the error of a depth.
Separation compute_separation(const MeshTree& mesh, const PrimitiveShape& primitive,
                              const MeshTree* surface, const Pose& X_MP, QueryScratch& scratch,
                              const DepthOptions& options = {});

}  // namespace geste

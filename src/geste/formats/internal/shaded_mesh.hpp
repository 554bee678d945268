#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geste/geometry/shape.hpp"

namespace geste {

/// A mesh as renderers want it: a vertex has one normal, so vertices on sharp edges are doubled.
struct ShadedMesh {
  Vec3 centre = Vec3::Zero();  ///< of the mesh's box; positions are relative to it
  std::vector<std::array<float, 3>> positions;
  std::vector<std::array<float, 3>> normals;  ///< unit
  std::vector<std::uint32_t> indices;         ///< three per triangle, in the order of the mesh
};

/// Smooth normals across edges that bend less than `crease_angle` (rad), sharp ones elsewhere.
/// Triangles without area are dropped. Linear in the triangles, up to a logarithm of the valence.
/// Throws std::logic_error when a coordinate does not fit float32.
ShadedMesh make_shaded_mesh(const TriangleMesh& mesh, double crease_angle);
/// Of any shape; round ones with `segments` per full turn.
ShadedMesh make_shaded_mesh(const Shape& shape, int segments, double crease_angle);

}  // namespace geste

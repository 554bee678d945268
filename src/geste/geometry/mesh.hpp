#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geste/geometry/box.hpp"
#include "geste/math/types.hpp"

namespace geste {

using Triangle = std::array<std::uint32_t, 3>;

/// A triangle surface. Counter-clockwise seen from outside. Every index is below
/// vertices.size() and every coordinate is finite: readers guarantee it, algorithms rely on it.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
  /// How far the true surface may lie from the triangles, in the unit of the vertices. 0 when
  /// the triangles are the shape; the chosen deflection when they come from a curved CAD surface.
  double deflection = 0;
};

AxisBox compute_box(const TriangleMesh& mesh);
double compute_area(const TriangleMesh& mesh);
/// Signed volume by the divergence theorem; meaningful for closed, oriented meshes.
double compute_volume(const TriangleMesh& mesh);

/// Every vertex mapped by p -> A p + t. A mirror (det A < 0) also flips every triangle, so that
/// outside stays outside. The deflection grows by A's largest stretch.
TriangleMesh transformed(TriangleMesh mesh, const Mat3& A, const Vec3& t);

/// Adds all of `other` to `mesh`.
void append(TriangleMesh& mesh, const TriangleMesh& other);

}  // namespace geste

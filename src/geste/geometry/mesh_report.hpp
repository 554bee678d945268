#pragma once

#include <cstddef>
#include <string>

#include "geste/geometry/mesh.hpp"

namespace geste {

/// What hygiene found in a mesh and what it changed. Counts are of the mesh after the step
/// before them in this list.
struct MeshReport {
  std::size_t welded_vertices = 0;       ///< vertices merged into another at the same place
  std::size_t degenerate_triangles = 0;  ///< dropped: two equal corners, or no area
  std::size_t duplicate_triangles = 0;   ///< dropped: same three corners in the same sense
  std::size_t unused_vertices = 0;       ///< dropped: no triangle left that names them
  std::size_t boundary_edges = 0;        ///< edges with one triangle: holes and rims
  std::size_t nonmanifold_edges = 0;     ///< edges with three or more triangles
  std::size_t misoriented_edges = 0;     ///< edges whose two triangles disagree on the outside
  std::size_t flipped_triangles = 0;     ///< turned so that neighbours agree and outside is outside
  std::size_t components = 0;            ///< pieces connected through edges
  bool closed = false;                   ///< every edge has exactly two triangles that agree

  /// "closed, 3 pieces; welded 1,204 vertices; dropped 12 degenerate triangles"
  [[nodiscard]] std::string to_text() const;
};

/// Welds vertices at exactly equal coordinates (-0 equals 0), drops degenerate and duplicate
/// triangles, makes the triangles of each closed piece agree and point outwards, and says what it
/// did. Deterministic: the first of equal vertices and triangles stays, in the order of the input.
/// O(n) expected in vertices and triangles.
MeshReport clean_mesh(TriangleMesh& mesh);

}  // namespace geste

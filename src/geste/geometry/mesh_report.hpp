#pragma once

#include <cstddef>
#include <string>

#include "geste/geometry/mesh.hpp"

namespace geste {

/// A triangle whose height over its longest edge is at most this times that edge has no area:
/// single precision (2^-24) cannot tell its corners from three points on a line. Thinner than that
/// nothing real is; slivers of CAD files with more height stay, they close the seam between their
/// neighbours.
inline constexpr double kFlatHeight = 1.0 / (1 << 24);

/// What hygiene found in a mesh and what it changed. Counts are of the mesh after the step
/// before them in this list.
struct MeshReport {
  std::size_t welded_vertices = 0;       ///< vertices merged into another at the same place
  std::size_t degenerate_triangles = 0;  ///< dropped: two equal corners, or no area (kFlatHeight)
  std::size_t flipped_needles = 0;      ///< without area, on the edge of a neighbour, which was cut
  std::size_t duplicate_triangles = 0;  ///< dropped: same three corners in the same sense
  std::size_t unused_vertices = 0;      ///< dropped: no triangle left that names them
  std::size_t boundary_edges = 0;       ///< edges with one triangle: holes and rims
  std::size_t nonmanifold_edges = 0;    ///< edges with three or more triangles
  std::size_t misoriented_edges = 0;    ///< edges whose two triangles disagree on the outside
  std::size_t flipped_triangles = 0;    ///< turned so that neighbours agree and outside is outside
  std::size_t components = 0;           ///< pieces connected through edges
  std::size_t inward_components = 0;    ///< closed pieces that point inwards: cavities
  bool closed = false;                  ///< every edge has exactly two triangles that agree

  /// "closed, 3 pieces; welded 1,204 vertices; dropped 12 degenerate triangles"
  [[nodiscard]] std::string to_text() const;
};

/// Welds vertices at exactly equal coordinates (-0 equals 0), cuts the neighbours of needles so
/// that these can go without opening a seam, drops degenerate and duplicate triangles and vertices
/// without triangles, makes neighbours agree on the outside, and says what it did. Deterministic:
/// the first of equal vertices and triangles stays, in the order of the input. O(n) expected in
/// vertices and triangles; no more than 2^32 / 3 triangles.
///
/// Neighbours are triangles at an edge that only those two share. Pieces connected that way:
/// - open: the triangles take the sense of the majority (of the first, where there is none); a
///   piece that agrees already is left alone;
/// - closed: likewise, and an outermost one is then turned to enclose a positive volume. Pieces
///   inside it turn with it and otherwise keep the sense of the file, so a cavity stays a cavity;
///   but one that points inwards where no matter is around it is turned outwards;
/// - one-sided (a Moebius strip): left alone.
MeshReport clean_mesh(TriangleMesh& mesh);

}  // namespace geste

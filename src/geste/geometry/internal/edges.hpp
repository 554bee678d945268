#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geste/geometry/mesh.hpp"

namespace geste {

/// Which triangles meet at which edge. Half-edge 3 t + k runs from corner k of triangle t to its
/// next corner.
struct EdgeMap {
  static constexpr std::uint32_t kBoundary = 0xFFFFFFFF;
  static constexpr std::uint32_t kNonmanifold = 0xFFFFFFFE;

  /// Per half-edge: the one other half-edge at the same two vertices, or one of the marks above.
  std::vector<std::uint32_t> twin;
  /// At each edge with three or more triangles: its first half-edge with each of the others.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> nonmanifold_links;
  std::size_t boundary_edges = 0;
  std::size_t nonmanifold_edges = 0;
  std::size_t misoriented_edges = 0;    ///< two triangles run through them in the same direction
  bool has_repeated_half_edge = false;  ///< without one there are no duplicate triangles
};

/// Triangles have three different corners below `vertex_count`; at most 2^32 / 3 - 1 of them.
/// Linear, but for vertices of high valence, whose edges are sorted.
EdgeMap match_edges(std::span<const Triangle> triangles, std::size_t vertex_count);

inline std::uint32_t next_corner(std::uint32_t k) { return k == 2 ? 0 : k + 1; }

}  // namespace geste

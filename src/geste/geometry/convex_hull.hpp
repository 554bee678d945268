#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "geste/geometry/mesh.hpp"
#include "geste/math/types.hpp"

namespace geste {

/// The smallest convex solid around some points, never changed after it was made.
struct ConvexHull {
  std::vector<Vec3> vertices;   ///< the corners, each once; also some points on faces and edges
  std::vector<Triangle> faces;  ///< counter-clockwise from outside; closed
  std::vector<Vec3> normals;    ///< per face, unit, outwards
  std::vector<double> offsets;  ///< per face: the largest normal . vertex over the whole hull
  /// Who shares an edge with vertex i: neighbours[neighbour_begin[i] .. neighbour_begin[i + 1]).
  std::vector<std::uint32_t> neighbour_begin;
  std::vector<std::uint32_t> neighbours;
  /// The farthest vertex along the middle of each patch of directions: three by three on each side
  /// of a cube, from which a climb is short.
  std::array<std::uint32_t, 54> starts{};
  Vec3 centre = Vec3::Zero();  ///< a point well inside
  double radius = 0;           ///< the farthest vertex from it
};

/// Shared, never changed after it was made. Metres.
using HullShape = std::shared_ptr<const ConvexHull>;

/// Nothing where the points have no inside: fewer than four, all in one plane or line (thinner than
/// 1e-12 of their extent), coordinates that are not finite or reach 1e90. Points may repeat and may
/// lie on edges or faces. Every side is decided exactly (internal/exact_side.hpp), so the result is
/// the true hull of the given doubles.
///
/// Quickhull: C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The quickhull algorithm for convex hulls",
/// ACM TOMS 22(4), 1996. About n log n.
std::optional<ConvexHull> make_convex_hull(std::span<const Vec3> points);

/// No vertex.
inline constexpr std::uint32_t kNoVertex = 0xffffffff;

/// The vertex farthest along `direction`, found by climbing from `start`, or from near its end.
std::uint32_t find_farthest_vertex(const ConvexHull& hull, const Vec3& direction,
                                   std::uint32_t start = kNoVertex);

}  // namespace geste

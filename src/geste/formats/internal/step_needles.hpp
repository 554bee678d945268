#pragma once

#include <cstddef>

#include "geste/geometry/mesh.hpp"

namespace geste {

/// Removes triangles whose three corners lie on a line, without opening the surface. The mesher
/// leaves them where it puts a point on the straight line between two others:
///
///       c                     c
///      / \                   /|\                    the needle a-m-b is gone,
///     /   \       ->        / | \                   its neighbour is cut at m
///    a--m--b               a--m--b
///
/// Hygiene alone would drop the needle and leave an edge a-b that nobody shares. The surface does
/// not move: m is on a-b to within kFlatHeight of its length. Corners are compared by coordinates.
/// Returns how many needles went; those without a single neighbour across a-b stay.
std::size_t mend_needles(TriangleMesh& mesh);

}  // namespace geste

#pragma once

#include <cstddef>

#include "geste/geometry/mesh.hpp"

namespace geste {

/// Whether the triangle's height over its longest edge is at most `height` times that edge.
bool is_flat(const std::vector<Vec3>& vertices, const Triangle& t, double height);

/// Removes triangles whose three corners lie on a line, without opening the surface. Meshers leave
/// them where one face has a point on the straight edge of another:
///
///       c                     c
///      / \                   /|\                    the needle a-m-b is gone,
///     /   \       ->        / | \                   its neighbour is cut at m
///    a--m--b               a--m--b
///
/// To drop the needle would leave an edge a-b that nobody shares, and a solid without an inside.
/// The surface does not move: m is on a-b to within kFlatHeight of its length. Corners are welded
/// and differ. Returns how many went; those without one neighbour across a-b stay.
std::size_t flip_needles(TriangleMesh& mesh);

}  // namespace geste

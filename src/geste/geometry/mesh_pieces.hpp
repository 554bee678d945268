#pragma once

#include <cstdint>
#include <vector>

#include "geste/geometry/shape.hpp"

namespace geste {

/// For each vertex the lowest vertex that triangles connect it with: equal for vertices of one
/// piece. Vertices that no triangle names are pieces of their own.
std::vector<std::uint32_t> label_pieces(const TriangleMesh& mesh);

/// MV-8: a CAD object may group pieces that lie apart, the four wheels of a car. Split by where
/// they are: two pieces stay together when the gap between their boxes along each axis is at most
/// `nearness` times the lengths of both boxes' diagonals together, and so does what is between or
/// inside them, so that a cavity stays with its solid. The parts come in the order of their first
/// triangles, triangles in the order they had; a mesh that is all in one place comes back as it is,
/// the same object.
std::vector<MeshShape> split_by_place(const MeshShape& mesh, double nearness = 0.1);

}  // namespace geste

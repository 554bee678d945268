#pragma once

#include <cstdint>
#include <vector>

#include "geste/math/types.hpp"

namespace geste {

/// Keeps the first of all vertices at equal coordinates (-0 equals 0), in their order, and returns
/// for each old vertex its index among those kept. Coordinates are finite; at most 2^32 - 1
/// vertices.
std::vector<std::uint32_t> weld_vertices(std::vector<Vec3>& vertices);

}  // namespace geste

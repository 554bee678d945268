#pragma once

#include <variant>

#include "geste/geometry/convex_hull.hpp"
#include "geste/geometry/shape.hpp"

namespace geste {

/// The solids whose pairs are answered exactly, without triangles. A hull must not be null.
using PrimitiveShape = std::variant<Sphere, Capsule, Box, Cylinder, Cone, Torus, HullShape>;

}  // namespace geste

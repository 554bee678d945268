#pragma once

#include <memory>
#include <variant>

#include "geste/geometry/convex_hull.hpp"
#include "geste/geometry/mesh.hpp"

namespace geste {

// Solids in their own frame, centred at the origin; axes of revolution along z. Metres.
struct Sphere {
  double radius = 0;
};
/// The points within `radius` of the segment from -length/2 to +length/2 on z (a tube with round
/// ends).
struct Capsule {
  double radius = 0;
  double length = 0;
};
struct Box {
  Vec3 size = Vec3::Zero();  ///< full edge lengths
};
struct Cylinder {
  double radius = 0;
  double length = 0;  ///< full height
};
/// Base circle at z = -length/2, apex at z = +length/2.
struct Cone {
  double radius = 0;
  double length = 0;
};
/// The points within `tube_radius` of the circle of `radius` in the plane z = 0.
struct Torus {
  double radius = 0;
  double tube_radius = 0;
};
/// Shared, never changed after it was made. Metres.
using MeshShape = std::shared_ptr<const TriangleMesh>;

/// Linear red, green, blue and opacity, 0 to 1 each.
struct Colour {
  double r = 0.7, g = 0.7, b = 0.72, a = 1;
};

using Shape = std::variant<Sphere, Capsule, Box, Cylinder, Cone, Torus, MeshShape, HullShape>;

/// "sphere", "capsule", "box", "cylinder", "cone", "torus", "mesh", "hull".
const char* shape_name(const Shape& shape);
/// The smallest box in the shape's frame.
AxisBox compute_box(const Shape& shape);

/// A closed triangle surface of the shape, outwards, whose vertices lie on it; `deflection` of the
/// result bounds how far the shape's surface is from it. Used to draw primitives. `segments`: per
/// full turn; fewer than 3 throw std::invalid_argument. A mesh comes out as it is.
TriangleMesh make_mesh(const Shape& shape, int segments = 32);

}  // namespace geste

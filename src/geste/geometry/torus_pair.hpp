#pragma once

#include "geste/geometry/convex_shape.hpp"
#include "geste/geometry/separation.hpp"
#include "geste/math/pose.hpp"

namespace geste {

// A torus is the points within tube_radius of a circle, so its separation from a shape is the least
// signed distance of that shape along the circle, less the tube radius. Within 1e-10 of the size;
// `error` says what is proven, which is less (some 1e-5 of the circle's radius) where the distance
// hardly changes along the circle, as around a shaft. Some 10 to 60 microseconds, no allocation.
// In A's frame; on_b - on_a = distance * normal. Where the circle itself enters the other shape,
// the deepest ball of the tube is what is meant: on_a lies on it, perhaps inside the tube.

/// Torus a against a convex shape or a triangle.
Separation compute_torus_separation(const Torus& a, const ConvexShape& b, const Pose& X_AB);
/// Two tori: their circles' distance less both tube radii.
Separation compute_torus_separation(const Torus& a, const Torus& b, const Pose& X_AB);

bool touches_torus(const Torus& a, const ConvexShape& b, const Pose& X_AB);
bool touches_torus(const Torus& a, const Torus& b, const Pose& X_AB);

}  // namespace geste

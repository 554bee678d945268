#pragma once

#include "geste/geometry/convex_pair.hpp"
#include "geste/geometry/primitive_shape.hpp"

namespace geste {

/// Signed separation of any two primitives, in A's frame. Convex pairs: convex_pair.hpp; with a
/// torus: torus_pair.hpp, where accuracy and the meaning of depth stand. A hull must not be null.
Separation compute_primitive_separation(const PrimitiveShape& a, const PrimitiveShape& b,
                                        const Pose& X_AB, ConvexWarmStart* warm_start = nullptr);

/// Whether they share a point; ends as soon as it is known.
bool touch_primitives(const PrimitiveShape& a, const PrimitiveShape& b, const Pose& X_AB,
                      ConvexWarmStart* warm_start = nullptr);

}  // namespace geste

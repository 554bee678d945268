#pragma once

#include "geste/math/types.hpp"

namespace geste::internal {

/// The sign of (b - a) x (c - a) . (d - a), free of rounding: 1 where a, b, c run counter-clockwise
/// seen from d, -1 on the other side, 0 when the four points lie in one plane. A rounding bound
/// decides nearly always; where it cannot, the determinant is summed exactly.
/// J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
/// predicates", Discrete & Computational Geometry 18, 1997. Coordinates below 1e90; differences
/// below 1e-90 may be taken for 0.
int compute_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace geste::internal

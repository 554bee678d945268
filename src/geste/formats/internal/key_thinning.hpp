#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geste/core/budget.hpp"
#include "geste/math/types.hpp"

namespace geste {

// Which samples of a motion must be kept as keys so that interpolation between keys gives every
// sample back to within a tolerance. The first and the last are always kept. Greedy: each key is
// followed by a far one that doubling and halving find, O(n log n); every span is checked whole,
// which is a step of the budget. None are kept when that ends.

/// Linear interpolation; `tolerance` in the unit of the points. Times strictly increasing.
std::vector<std::uint32_t> thin_translations(std::span<const double> times,
                                             std::span<const Vec3> points, double tolerance,
                                             BudgetMeter& meter);

/// Spherical linear interpolation; `tolerance` in rad. Unit quaternions, each nearer to the one
/// before it than its negative is. No span turns by more than a quarter turn, so that every viewer
/// takes the same way round.
std::vector<std::uint32_t> thin_rotations(std::span<const double> times,
                                          std::span<const Quat> rotations, double tolerance,
                                          BudgetMeter& meter);

/// The angle in rad between two orientations, exact for small ones too.
double compute_angle(const Quat& a, const Quat& b);

}  // namespace geste

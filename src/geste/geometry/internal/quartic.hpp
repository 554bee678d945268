#pragma once

#include <array>
#include <cstddef>

namespace geste::internal {

/// x^4 + b x^2 + c x + d, with coefficients of the order of 1.
struct DepressedQuartic {
  double b = 0;
  double c = 0;
  double d = 0;

  [[nodiscard]] double value(double x) const { return ((x * x + b) * x + c) * x + d; }
  [[nodiscard]] double slope(double x) const { return (4 * x * x + 2 * b) * x + c; }
};

struct QuarticRoots {
  std::array<double, 8> root;  ///< ascending
  std::size_t count = 0;
};

/// The real roots in [low, high]. Between neighbouring extrema the polynomial is monotone, so each
/// root is bracketed before it is sought. Where an extremum comes within rounding of 0, a touch, it
/// counts as a root beside those on its sides.
QuarticRoots find_roots(const DepressedQuartic& quartic, double low, double high);

}  // namespace geste::internal

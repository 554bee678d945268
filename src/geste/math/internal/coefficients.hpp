#pragma once

#include <cmath>

/// The scalar functions of the angle that appear in exp, log and their Jacobians. Each takes the
/// squared angle x = angle^2 and goes over to its Taylor series where the closed form cancels.
/// At the switch the first term left out and the cancellation are both near 1e-15, relative.
namespace geste::internal {

inline constexpr double kSeriesBelow = 1;

/// Horner: c0 + x (c1 + x (c2 + ...)).
template <class... Rest>
constexpr double polynomial(double x, double c0, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    (void)x;
    return c0;
  } else {
    return c0 + x * polynomial(x, rest...);
  }
}

/// sin(a)/a
inline double sine_over_angle(double x) {
  if (x < kSeriesBelow) {
    return polynomial(x, 1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
                      1.0 / 6227020800.0, -1.0 / 1307674368000.0, 1.0 / 355687428096000.0);
  }
  const double a = std::sqrt(x);
  return std::sin(a) / a;
}

/// (1 - cos a)/a^2
inline double versine_over_angle2(double x) {
  const double half = sine_over_angle(x / 4);
  return 0.5 * half * half;
}

/// (a - sin a)/a^3
inline double angle_minus_sine_over_angle3(double x) {
  if (x < kSeriesBelow) {
    return polynomial(x, 1.0 / 6, -1.0 / 120, 1.0 / 5040, -1.0 / 362880, 1.0 / 39916800,
                      -1.0 / 6227020800.0, 1.0 / 1307674368000.0, -1.0 / 355687428096000.0);
  }
  const double a = std::sqrt(x);
  return (a - std::sin(a)) / (x * a);
}

/// (1 - (a/2) cot(a/2))/a^2
inline double cotangent_remainder(double x) {
  if (x < kSeriesBelow) {
    return polynomial(x, 1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600, 1.0 / 47900160,
                      691.0 / 1307674368000.0, 1.0 / 74724249600.0, 3617.0 / 10670622842880000.0,
                      43867.0 / 5109094217170944000.0, 174611.0 / 802857662698291200000.0);
  }
  const double half = std::sqrt(x) / 2;
  return (1 - half * std::cos(half) / std::sin(half)) / x;
}

/// (a^2 + 2 cos a - 2)/(2 a^4)
inline double cosine_remainder_over_angle4(double x) {
  if (x < kSeriesBelow) {
    return polynomial(x, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
                      -1.0 / 87178291200.0, 1.0 / 20922789888000.0, -1.0 / 6402373705728000.0);
  }
  return (x + 2 * std::cos(std::sqrt(x)) - 2) / (2 * x * x);
}

/// (2 a - 3 sin a + a cos a)/(2 a^5)
inline double sine_cosine_remainder_over_angle5(double x) {
  if (x < 4) {  // cancels longer than the others
    return polynomial(x, 1.0 / 120, -1.0 / 2520, 1.0 / 120960, -1.0 / 9979200, 1.0 / 1245404160.0,
                      -1.0 / 217945728000.0, 1.0 / 50812489728000.0, -1.0 / 15205637551104000.0,
                      1.0 / 5676771352412160000.0, -1.0 / 2585201673888497664000.0);
  }
  const double a = std::sqrt(x);
  return (2 * a - 3 * std::sin(a) + a * std::cos(a)) / (2 * x * x * a);
}

}  // namespace geste::internal

#include "geste/math/sincos.hpp"

#include <cmath>

#include "geste/math/internal/lanes.hpp"

namespace geste {
namespace {

using internal::IntLanes;
using internal::Lanes;

// pi/2 in three parts of 33 bits each (W. J. Cody and W. Waite, "Software Manual for the Elementary
// Functions", 1980): n times the first two is exact for n below 2^20.
constexpr double kTwoOverPi = 6.36619772367581382433e-01;
constexpr double kHalfPi1 = 1.57079632673412561417e+00;
constexpr double kHalfPi2 = 6.07710050630396597660e-11;
constexpr double kHalfPi3 = 2.02226624879595063154e-21;
constexpr double kLargest = 1e5;
// Adding and subtracting it rounds to the nearest whole number; its low bits then hold that number.
constexpr double kRounder = 6755399441055744.0;

/// Minimax polynomials on [-pi/4, pi/4], errors below 2^-58 (the coefficients that C libraries
/// use).
inline void compute_kernel(const Lanes& r, Lanes& sine, Lanes& cosine) {
  const Lanes z = r * r;
  const Lanes s =
      -1.66666666666666324348e-01 +
      z * (8.33333333332248946124e-03 +
           z * (-1.98412698298579493134e-04 +
                z * (2.75573137070700676789e-06 +
                     z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))));
  const Lanes c =
      4.16666666666666019037e-02 +
      z * (-1.38888888888741095749e-03 +
           z * (2.48015872894767294178e-05 +
                z * (-2.75573143513906633035e-07 +
                     z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  sine = r + r * z * s;
  // 1 - z/2 rounds; what it loses is put back.
  const Lanes half = 0.5 * z;
  const Lanes w = 1.0 - half;
  cosine = w + (((1.0 - w) - half) + z * z * c);
}

}  // namespace

void compute_sincos(const double* angle, double* sine, double* cosine, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kSincosLanes) {
    GESTE_LANES_LOAD(x, angle + i);
    const IntLanes in_range = (x <= kLargest) & (x >= -kLargest);
    if (!(in_range[0] & in_range[1] & in_range[2] & in_range[3])) {
      for (std::size_t k = i; k < i + kSincosLanes; ++k) {
        const bool far = !(std::abs(angle[k]) <= kLargest);
        x[k - i] = far ? 0 : angle[k];
      }
    }
    const Lanes shifted = x * kTwoOverPi + kRounder;
    const Lanes n = shifted - kRounder;
    IntLanes quadrant;
    std::memcpy(&quadrant, &shifted, sizeof quadrant);
    const Lanes r = ((x - n * kHalfPi1) - n * kHalfPi2) - n * kHalfPi3;
    Lanes s, c;
    compute_kernel(r, s, c);
    const IntLanes swap = (quadrant & 1) != 0;
    Lanes sin_x = swap ? c : s;
    Lanes cos_x = swap ? s : c;
    sin_x = ((quadrant & 2) != 0) ? -sin_x : sin_x;
    cos_x = (((quadrant + 1) & 2) != 0) ? -cos_x : cos_x;
    std::memcpy(sine + i, &sin_x, sizeof sin_x);
    std::memcpy(cosine + i, &cos_x, sizeof cos_x);
    if (in_range[0] & in_range[1] & in_range[2] & in_range[3]) continue;
    for (std::size_t k = i; k < i + kSincosLanes; ++k) {
      if (std::abs(angle[k]) <= kLargest) continue;
      sine[k] = std::sin(angle[k]);
      cosine[k] = std::cos(angle[k]);
    }
  }
}

}  // namespace geste

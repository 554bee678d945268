#include "geste/core/rng.hpp"

#include <cmath>
#include <stdexcept>

namespace geste {
namespace {

__extension__ using Wide = unsigned __int128;

/// sum of c[i] x^i
constexpr double evaluate(const std::array<double, 8>& c, double x) {
  double value = c[7];
  for (int i = 6; i >= 0; --i) value = value * x + c[static_cast<std::size_t>(i)];
  return value;
}

/// ln x of a positive finite x, to about 1e-15, by exactly rounded operations only.
/// With x = 2^e m and s = (m-1)/(m+1): ln x = e ln 2 + 2 (s + s^3/3 + s^5/5 + ...), |s| < 0.172.
double compute_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double series = 0;
  for (int k = 21; k >= 1; k -= 2) series = series * s2 + 1.0 / k;
  return exponent * 0.69314718055994531 + 2 * s * series;
}

// Numerators and denominators of PPND16: |p - 1/2| <= 0.425, r <= 5, and beyond.
constexpr std::array<double, 8> kA{3.3871328727963666080e0,  1.3314166789178437745e+2,
                                   1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                   4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                   3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr std::array<double, 8> kB{1.0,
                                   4.2313330701600911252e+1,
                                   6.8718700749205790830e+2,
                                   5.3941960214247511077e+3,
                                   2.1213794301586595867e+4,
                                   3.9307895800092710610e+4,
                                   2.8729085735721942674e+4,
                                   5.2264952788528545610e+3};
constexpr std::array<double, 8> kC{1.42343711074968357734e0,  4.63033784615654529590e0,
                                   5.76949722146069140550e0,  3.64784832476320460504e0,
                                   1.27045825245236838258e0,  2.41780725177450611770e-1,
                                   2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> kD{1.0,
                                   2.05319162663775882187e0,
                                   1.67638483018380384940e0,
                                   6.89767334985100004550e-1,
                                   1.48103976427480074590e-1,
                                   1.51986665636164571966e-2,
                                   5.47593808499534494600e-4,
                                   1.05075007164441684324e-9};
constexpr std::array<double, 8> kE{6.65790464350110377720e0,  5.46378491116411436990e0,
                                   1.78482653991729133580e0,  2.96560571828504891230e-1,
                                   2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                   2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array<double, 8> kF{1.0,
                                   5.99832206555887937690e-1,
                                   1.36929880922735805310e-1,
                                   1.48753612908506148525e-2,
                                   7.86869131145613259100e-4,
                                   1.84631831751005468180e-5,
                                   1.42151175831644588870e-7,
                                   2.04426310338993978564e-15};

}  // namespace

double Rng::uniform(double lo, double hi) {
  const double span = hi - lo;
  if (!(span >= 0) || !std::isfinite(span)) {
    throw std::invalid_argument("Rng::uniform: lo must not exceed hi, and both must be finite");
  }
  const double x = lo + span * uniform();
  // The sum may round up to hi.
  return x < hi ? x : std::nextafter(hi, lo);
}

std::int64_t Rng::integer(std::int64_t lo, std::int64_t hi) {
  if (lo > hi) throw std::invalid_argument("Rng::integer: lo must not exceed hi");
  // In unsigned arithmetic all is defined; 0 stands for the full 2^64.
  const std::uint64_t range = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo) + 1;
  if (range == 0) return static_cast<std::int64_t>(next());
  Wide product = Wide{next()} * range;
  if (static_cast<std::uint64_t>(product) < range) {
    // Refuse the 2^64 mod range lowest remainders, so that every result keeps the same number.
    const std::uint64_t refused = (0 - range) % range;
    while (static_cast<std::uint64_t>(product) < refused) product = Wide{next()} * range;
  }
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) +
                                   static_cast<std::uint64_t>(product >> 64));
}

double Rng::normal() {
  // 52 bits and a half: never 0 or 1, and symmetric about 1/2.
  return normal_quantile((static_cast<double>(next() >> 12) + 0.5) * 0x1p-52);
}

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) throw std::invalid_argument("normal_quantile: p must be in [0, 1]");
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * evaluate(kA, r) / evaluate(kB, r);
  }
  const double tail = q < 0 ? p : 1 - p;
  if (tail == 0) return std::copysign(std::numeric_limits<double>::infinity(), q);
  const double r = std::sqrt(-compute_log(tail));
  const double magnitude = r <= 5 ? evaluate(kC, r - 1.6) / evaluate(kD, r - 1.6)
                                  : evaluate(kE, r - 5) / evaluate(kF, r - 5);
  return std::copysign(magnitude, q);
}

}  // namespace geste

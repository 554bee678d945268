#include "geste/formats/internal/key_thinning.hpp"

#include <algorithm>
#include <cmath>

namespace geste {
namespace {

/// `follow(i, j)`: the samples between i and j follow from these two.
template <class Follow>
std::vector<std::uint32_t> thin(std::size_t count, BudgetMeter& meter, const Follow& follow) {
  // When the budget has ended nothing fits, so that the search of a key ends at once too.
  const auto fits = [&](std::size_t i, std::size_t j) { return meter.spend() && follow(i, j); };
  std::vector<std::uint32_t> kept;
  if (count == 0) return kept;
  kept.push_back(0);
  for (std::size_t i = 0; i + 1 < count;) {
    // Double the span until it fails or the motion ends.
    std::size_t good = i + 1;
    std::size_t bad = count;
    for (std::size_t step = 2; good + 1 < count; step *= 2) {
      const std::size_t j = std::min(i + step, count - 1);
      if (!fits(i, j)) {
        bad = j;
        break;
      }
      good = j;
    }
    // Halve between the longest that fits and the shortest that does not.
    while (good + 1 < bad) {
      const std::size_t middle = good + (bad - good) / 2;
      (fits(i, middle) ? good : bad) = middle;
    }
    if (meter.reason() != StopReason::none) return {};
    kept.push_back(static_cast<std::uint32_t>(good));
    i = good;
  }
  return kept;
}

double fraction(std::span<const double> times, std::size_t i, std::size_t k, std::size_t j) {
  return (times[k] - times[i]) / (times[j] - times[i]);
}

}  // namespace

double compute_angle(const Quat& a, const Quat& b) {
  // |a - b| = 2 sin(angle / 4) on the hemisphere where it is shortest.
  const double apart = std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
  return 4 * std::asin(std::min(1.0, 0.5 * apart));
}

std::vector<std::uint32_t> thin_translations(std::span<const double> times,
                                             std::span<const Vec3> points, double tolerance,
                                             BudgetMeter& meter) {
  return thin(points.size(), meter, [&](std::size_t i, std::size_t j) {
    for (std::size_t k = i + 1; k < j; ++k) {
      const Vec3 p = points[i] + fraction(times, i, k, j) * (points[j] - points[i]);
      if (!((p - points[k]).norm() <= tolerance)) return false;
    }
    return true;
  });
}

std::vector<std::uint32_t> thin_rotations(std::span<const double> times,
                                          std::span<const Quat> rotations, double tolerance,
                                          BudgetMeter& meter) {
  const double quarter_turn = std::sqrt(0.5);  // cosine of half the angle
  return thin(rotations.size(), meter, [&](std::size_t i, std::size_t j) {
    if (rotations[i].dot(rotations[j]) < quarter_turn) return false;
    for (std::size_t k = i + 1; k < j; ++k) {
      const Quat q = rotations[i].slerp(fraction(times, i, k, j), rotations[j]);
      if (!(compute_angle(q, rotations[k]) <= tolerance)) return false;
    }
    return true;
  });
}

}  // namespace geste

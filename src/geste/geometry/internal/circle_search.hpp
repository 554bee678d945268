#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace geste::internal {

/// A function of an angle where it was asked: its value, and a number of its slope's sign.
struct CircleSample {
  double angle = 0;
  double value = std::numeric_limits<double>::infinity();
  double slope = 0;
};

struct CircleSearchOptions {
  double tolerance = 0;  ///< how much the result may lie above the minimum
  /// The search ends at a value of at most this, and gives up where none is below `above`.
  double enough = -std::numeric_limits<double>::infinity();
  double above = std::numeric_limits<double>::infinity();
};

struct CircleMinimum {
  CircleSample sample;
  double error = 0;  ///< proven: the minimum is at least value - error
};

/// Moves a minimum to where the slope changes sign, when it does within +-width of it.
template <class Function>
CircleSample polish(const Function& f, CircleSample best, double width) {
  CircleSample low = f(best.angle - width), high = f(best.angle + width);
  if (!(low.slope < 0 && high.slope > 0)) return best;
  for (int i = 0; i < 64 && high.angle - low.angle > 1e-16 * (1 + std::abs(best.angle)); ++i) {
    const CircleSample middle = f(0.5 * (low.angle + high.angle));
    (middle.slope < 0 ? low : high) = middle;
    if (middle.value <= best.value) best = middle;
    if (middle.slope == 0) break;
  }
  return best;
}

/// The least value of f over a full turn, by branch and bound: `f(angle)` samples, and
/// `f.compute_lower_bound(sample, w)` bounds f from below within w of it. Level by level, so that
/// where f is all but constant (and the levels overflow) the whole turn was sampled alike.
template <class Function>
CircleMinimum find_circle_minimum(const Function& f, const CircleSearchOptions& options) {
  constexpr int kFirst = 16, kMost = 512;
  struct Arc {
    double angle, lower;
  };
  Arc arcs[kMost], halves[kMost];
  CircleMinimum best;
  int count = 0, half_count = kFirst;
  double w = std::numbers::pi / kFirst;
  for (int i = 0; i < kFirst; ++i) halves[i].angle = 2 * w * i;
  for (;;) {
    for (int i = 0; i < half_count; ++i) {
      const auto sample = f(halves[i].angle);
      halves[i].lower = f.compute_lower_bound(sample, w);
      if (sample.value < best.sample.value) best.sample = sample;
    }
    if (best.sample.value <= options.enough) return best;
    const double bar = std::min(best.sample.value - options.tolerance, options.above);
    double lowest = std::numeric_limits<double>::infinity();
    count = 0;
    for (int i = 0; i < half_count; ++i) {
      lowest = std::min(lowest, halves[i].lower);
      if (halves[i].lower < bar) arcs[count++] = halves[i];
    }
    best.error = std::max(0.0, best.sample.value - lowest);
    if (count == 0 || 2 * count > kMost || w < 1e-15) break;
    half_count = 2 * count;
    w /= 2;
    for (int i = 0; i < count; ++i) {
      halves[2 * i].angle = arcs[i].angle - w;
      halves[2 * i + 1].angle = arcs[i].angle + w;
    }
  }
  if (best.sample.value > options.above) return best;
  const double unpolished = best.sample.value;
  best.sample = polish(f, best.sample, std::max(2 * w, 1e-6));
  best.error = std::max(0.0, best.error - (unpolished - best.sample.value));
  return best;
}

}  // namespace geste::internal

#include "geste/geometry/internal/quartic.hpp"

#include <cmath>

namespace geste::internal {
namespace {

/// An extremum this near to 0 touches it: rounding of `value` with coefficients of the order of 1.
constexpr double kTouch = 4e-15;

/// The root of a function that is monotone from x0 to x1 and changes its sign there: Newton steps,
/// and halving where they leave the bracket.
template <class Value, class Slope>
double find_bracketed(const Value& value, const Slope& slope, double x0, double x1) {
  const bool rising = value(x0) < 0;
  double x = 0.5 * (x0 + x1);
  for (int i = 0; i < 200; ++i) {
    const double y = value(x);
    if (y == 0) return x;
    ((y < 0) == rising ? x0 : x1) = x;
    const double step = y / slope(x);
    double next = x - step;
    if (!(next > x0 && next < x1) || i % 8 == 7) next = 0.5 * (x0 + x1);
    if (next == x || next == x0 || next == x1) return next;
    if (std::abs(next - x) < 1e-17) return next;
    x = next;
  }
  return x;
}

/// Roots between neighbouring `marks`, between which the function is monotone; touches at them.
template <class Value, class Slope>
QuarticRoots find_between(const Value& value, const Slope& slope, const QuarticRoots& marks,
                          double touch) {
  QuarticRoots roots;
  for (std::size_t i = 0; i < marks.count; ++i) {
    const double x = marks.root[i], y = value(x);
    if (std::abs(y) <= touch) roots.root[roots.count++] = x;
    if (i + 1 == marks.count) break;
    const double next = value(marks.root[i + 1]);
    if (std::abs(y) > touch && std::abs(next) > touch && (y < 0) != (next < 0))
      roots.root[roots.count++] = find_bracketed(value, slope, x, marks.root[i + 1]);
  }
  return roots;
}

QuarticRoots make_marks(double low, const QuarticRoots& inner, double high) {
  QuarticRoots marks;
  marks.root[marks.count++] = low;
  for (std::size_t i = 0; i < inner.count; ++i)
    if (inner.root[i] > low && inner.root[i] < high) marks.root[marks.count++] = inner.root[i];
  marks.root[marks.count++] = high;
  return marks;
}

}  // namespace

QuarticRoots find_roots(const DepressedQuartic& quartic, double low, double high) {
  const auto value = [&](double x) { return quartic.value(x); };
  const auto slope = [&](double x) { return quartic.slope(x); };
  const auto bend = [&](double x) { return 12 * x * x + 2 * quartic.b; };
  QuarticRoots turns;
  if (quartic.b < 0) {
    const double x = std::sqrt(-quartic.b / 6);
    turns.root[0] = -x;
    turns.root[1] = x;
    turns.count = 2;
  }
  const QuarticRoots extrema = find_between(slope, bend, make_marks(low, turns, high), 0);
  return find_between(value, slope, make_marks(low, extrema, high), kTouch);
}

}  // namespace geste::internal

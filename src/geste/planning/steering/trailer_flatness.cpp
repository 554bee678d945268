#include "geste/planning/steering/trailer_flatness.hpp"

#include <array>
#include <cmath>

namespace geste {
namespace {

// Gauss and Legendre's rule of sixteen points, of which half are here.
constexpr std::array<double, 8> kNodes{0.0950125098376374, 0.2816035507792589, 0.4580167776572274,
                                       0.6178762444026438, 0.7554044083550030, 0.8656312023878318,
                                       0.9445750230732326, 0.9894009349916499};
constexpr std::array<double, 8> kWeights{0.1894506104550685, 0.1826034150449236, 0.1691565193950025,
                                         0.1495959888165767, 0.1246289712555339, 0.0951585116824928,
                                         0.0622535239386479, 0.0271524594117541};

/// Where a function that is positive at `low` and negative at `high` is zero: the false position
/// with halved ends (Illinois).
template <class F>
double find_zero(double low, double high, const F& f) {
  double at_low = f(low), at_high = f(high), x = low;
  int side = 0;
  for (int i = 0; i < 100 && high - low > 1e-15; ++i) {
    x = (low * at_high - high * at_low) / (at_high - at_low);
    const double y = f(x);
    if (std::abs(y) < 1e-16) break;
    if (y > 0) {
      low = x, at_low = y;
      if (side == 1) at_high /= 2;
    } else {
      high = x, at_high = y;
      if (side == -1) at_low /= 2;
    }
    side = y > 0 ? 1 : -1;
  }
  return x;
}

}  // namespace

TrailerFlatness::TrailerFlatness(double hitch, double length) : h_(hitch), l_(length) {
  largest_ = find_zero(0, 3, [&](double f) { return compute_denominator(f); });
}

double TrailerFlatness::measure_axles(double hinge) const {
  return std::sqrt(h_ * h_ + l_ * l_ + 2 * h_ * l_ * std::cos(hinge));
}

double TrailerFlatness::integrate_offset(double hinge) const {
  if (h_ == 0) return 0;
  const auto slope = [&](double f) {
    const double axles = measure_axles(f), numerator = h_ * l_ * std::sin(f);
    return numerator * numerator / (axles * axles * axles);
  };
  const double half = hinge / 2;
  double sum = 0;
  for (std::size_t k = 0; k < kNodes.size(); ++k)
    sum += kWeights[k] * (slope(half * (1 - kNodes[k])) + slope(half * (1 + kNodes[k])));
  return half * sum;
}

double TrailerFlatness::compute_denominator(double hinge) const {
  const double c = std::cos(hinge);
  return (h_ + l_ * c) * (l_ + h_ * c) / measure_axles(hinge) -
         integrate_offset(hinge) * std::sin(hinge);
}

double TrailerFlatness::compute_curvature(double hinge) const {
  return -std::sin(hinge) / compute_denominator(hinge);
}

double TrailerFlatness::find_hinge(double curvature) const {
  if (h_ == 0) return -std::atan(curvature * l_);
  // Both are odd: for curvatures to the left the hinge is negative.
  const double wanted = std::abs(curvature);
  if (wanted == 0) return 0;
  const double hinge = find_zero(
      0, largest_, [&](double f) { return wanted * compute_denominator(f) - std::sin(f); });
  return std::copysign(hinge, -curvature);
}

FlatPoint TrailerFlatness::to_flat(const TrailerPose& pose) const {
  const double axles = measure_axles(pose.hinge);
  const Vec2 back = h_ * unit_at(pose.angle) + l_ * unit_at(pose.angle + pose.hinge);
  const Vec2 u = back / axles;
  const double ahead = h_ * (h_ + l_ * std::cos(pose.hinge)) / axles;
  return {pose.p - back + ahead * u - integrate_offset(pose.hinge) * left_of(u),
          std::atan2(u.y(), u.x()), compute_curvature(pose.hinge)};
}

TrailerPose TrailerFlatness::from_flat(const FlatPoint& point) const {
  TrailerPose pose;
  pose.hinge = find_hinge(point.curvature);
  const double axles = measure_axles(pose.hinge), c = std::cos(pose.hinge);
  const Vec2 u = unit_at(point.angle);
  const double ahead = h_ * (h_ + l_ * c) / axles;
  pose.p = point.p + (axles - ahead) * u + integrate_offset(pose.hinge) * left_of(u);
  pose.angle = point.angle + std::atan2(h_ * std::sin(pose.hinge), l_ + h_ * c) - pose.hinge;
  return pose;
}

}  // namespace geste

#include "geste/planning/steering/trailer_curve.hpp"

#include <cmath>

#include "geste/model/joint_manifold.hpp"

namespace geste {

FlatPoint go_round(const FlatPoint& from, double length) {
  const double half = from.curvature * length / 2;
  const double chord = std::abs(half) < 1e-8 ? 1 : std::sin(half) / half;
  return {from.p + length * chord * unit_at(from.angle + half), from.angle + 2 * half,
          from.curvature};
}

double project(const FlatPoint& circle, const Vec2& p) {
  const double k = circle.curvature;
  const double x = (p - circle.p).dot(unit_at(circle.angle));
  const double y = (p - circle.p).dot(left_of(unit_at(circle.angle)));
  return std::abs(k) < 1e-9 ? x : std::atan2(k * x, 1 - k * y) / k;
}

FlatPoint TrailerCurve::evaluate(double u) const {
  const double w = 1 - u;
  const double a = u * u * u * (10 - 15 * u + 6 * u * u);
  const double a1 = 30 * u * u * w * w, a2 = 60 * u * w * (w - u);
  const FlatPoint p = go_round(a_, u * v_), q = go_round(b_, -w * v_);
  const Vec2 between = q.p - p.p;
  const Vec2 p1 = v_ * unit_at(p.angle), q1 = v_ * unit_at(q.angle);
  const Vec2 p2 = v_ * v_ * p.curvature * left_of(unit_at(p.angle));
  const Vec2 q2 = v_ * v_ * q.curvature * left_of(unit_at(q.angle));
  const Vec2 c1 = (1 - a) * p1 + a * q1 + a1 * between;
  const Vec2 c2 = (1 - a) * p2 + a * q2 + 2 * a1 * (q1 - p1) + a2 * between;
  // Going backwards, the cart looks the other way and left is right.
  const double sense = v_ < 0 ? -1 : 1;
  return {p.p + a * between, std::atan2(sense * c1.y(), sense * c1.x()),
          sense * (c1.x() * c2.y() - c1.y() * c2.x()) / std::pow(c1.norm(), 3)};
}

double TrailerCurve::measure(const CurvatureRange& range) const {
  constexpr int kSteps = 64;
  constexpr double kCusp = 0.7;  // rad: no curve that is gone turns so much in a step
  double length = 0;
  FlatPoint last = a_;
  for (int i = 1; i <= kSteps; ++i) {
    const FlatPoint next = evaluate(static_cast<double>(i) / kSteps);
    if (!range.contains(next.curvature) || std::abs(wrap_angle(next.angle - last.angle)) > kCusp)
      return kInfinity;
    length += (next.p - last.p).norm();
    last = next;
  }
  return length;
}

}  // namespace geste

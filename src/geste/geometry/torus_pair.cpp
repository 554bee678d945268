#include "geste/geometry/torus_pair.hpp"

#include <algorithm>
#include <cmath>

#include "geste/geometry/internal/circle_search.hpp"
#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/point_distance.hpp"

namespace geste {
namespace {

using internal::CircleMinimum;
using internal::CircleSample;
using internal::CircleSearchOptions;

constexpr double kTolerance = 1e-11;  ///< of the size

/// A's circle in B's frame.
struct Circle {
  Circle(const Torus& a, const Pose& X_AB) : radius(a.radius) {
    const Pose X_BA = X_AB.inverse();
    centre = X_BA.p;
    x = X_BA.R.col(0);
    y = X_BA.R.col(1);
  }
  [[nodiscard]] Vec3 outwards(double angle) const {
    return std::cos(angle) * x + std::sin(angle) * y;
  }

  double radius;
  Vec3 centre, x, y;
};

/// The signed distance g to a convex set is convex, so its gradient n at c(t0) bounds it from below
/// everywhere. On the circle, with the unit vectors e outwards and e' along it,
///   g(c(t0 + d)) >= g(t0) + R (n.e' sin d - n.e (1 - cos d)) >= g(t0) - R |n.e'| |d| - R n.e
///   d^2/2,
/// the last term only where n.e > 0.
class ConvexAlongCircle {
 public:
  ConvexAlongCircle(const Circle& circle, const ConvexShape& shape)
      : circle_(circle), shape_(shape) {}

  struct Sample : CircleSample {
    double radial = 0;
  };

  Sample operator()(double angle) const {
    const Vec3 e = circle_.outwards(angle);
    const PointSeparation s = compute_point_separation(shape_, circle_.centre + circle_.radius * e);
    const Vec3 along = -std::sin(angle) * circle_.x + std::cos(angle) * circle_.y;
    return {{angle, s.distance, circle_.radius * s.normal.dot(along)},
            circle_.radius * s.normal.dot(e)};
  }

  [[nodiscard]] double compute_lower_bound(const Sample& s, double w) const {
    return s.value - std::min(std::abs(s.slope) * w + std::max(0.0, s.radial) * w * w / 2,
                              circle_.radius * w);
  }

 private:
  const Circle& circle_;
  const ConvexShape& shape_;
};

/// The distance f from B's circle. With rho the distance from B's axis, a concave root of q =
/// rho^2,
///   f^2 = |c|^2 + Rb^2 - 2 Rb rho >= |c|^2 + Rb^2 - 2 Rb (rho0 + (q - q0) / (2 rho0)) = P(t),
/// a trigonometric polynomial of degree 2 that touches f^2 at t0; Taylor bounds it.
class CircleAlongCircle {
 public:
  CircleAlongCircle(const Circle& circle, const Torus& b) : circle_(circle), radius_(b.radius) {}

  struct Sample : CircleSample {
    double squared = 0, second = 0, third = 0;  ///< P and bounds of its derivatives
  };

  Sample operator()(double angle) const {
    const double R = circle_.radius;
    const Vec3 e = circle_.outwards(angle), p = circle_.centre + R * e;
    const Vec3 along = R * (-std::sin(angle) * circle_.x + std::cos(angle) * circle_.y);
    const Vec2 p2 = p.head<2>(), e2 = e.head<2>(), along2 = along.head<2>();
    const double rho = p2.norm();
    Sample s;
    s.angle = angle;
    s.value = std::sqrt((rho - radius_) * (rho - radius_) + p.z() * p.z());
    s.squared = s.value * s.value;
    // Above the axis all of B's circle is equally far, and P does not exist.
    const double pull = rho > 0 ? radius_ / rho : 0;
    s.slope = 2 * p.dot(along) - pull * 2 * p2.dot(along2);
    s.second = 2 * (R * R - R * p.dot(e)) - pull * 2 * (along2.squaredNorm() - R * p2.dot(e2));
    s.third = rho > 0 ? 2 * R * circle_.centre.norm() +
                            pull * (2 * R * circle_.centre.head<2>().norm() + 4 * R * R)
                      : std::numeric_limits<double>::infinity();
    return s;
  }

  [[nodiscard]] double compute_lower_bound(const Sample& s, double w) const {
    const double taylor = s.squared - std::abs(s.slope) * w + std::min(0.0, s.second) * w * w / 2 -
                          s.third * w * w * w / 6;
    const double by_taylor = taylor > 0 ? std::sqrt(taylor) : 0;
    return std::max(by_taylor, s.value - circle_.radius * w);
  }

 private:
  const Circle& circle_;
  double radius_;
};

/// Turning such a pair about the torus's axis changes nothing.
bool is_coaxial(const Circle& circle, const ConvexShape& b) {
  using Core = ConvexShape::Core;
  const bool is_round = b.core == Core::segment || b.core == Core::cylinder || b.core == Core::cone;
  const double noise = 1e-15;
  return is_round && std::max(std::abs(circle.x.z()), std::abs(circle.y.z())) <= noise &&
         circle.centre.head<2>().norm() <= noise * (circle.radius + b.extent);
}

CircleMinimum find_minimum(const Circle& circle, const ConvexShape& b,
                           CircleSearchOptions options) {
  const ConvexAlongCircle f(circle, b);
  if (is_coaxial(circle, b)) return {f(0), 0};
  if (b.core == ConvexShape::Core::point) {
    // The nearest point of a circle lies towards the ball's centre.
    const Vec3 to_ball = -circle.centre;
    return {f(std::atan2(to_ball.dot(circle.y), to_ball.dot(circle.x))), 0};
  }
  options.tolerance = kTolerance * (circle.radius + b.extent + b.radius);
  return find_circle_minimum(f, options);
}

CircleMinimum find_minimum(const Circle& circle, const Torus& b, CircleSearchOptions options) {
  options.tolerance = kTolerance * (circle.radius + b.radius);
  return find_circle_minimum(CircleAlongCircle(circle, b), options);
}

template <class ShapeB>
bool touches(const Torus& a, const ShapeB& b, const Pose& X_AB, double reach) {
  const Circle circle(a, X_AB);
  return find_minimum(circle, b, {.enough = reach, .above = reach}).sample.value <= reach;
}

/// Where two circles meet, the way out is across both.
Vec3 compute_crossing_normal(const Circle& circle, double angle, const Vec3& p_B) {
  const Vec3 along_a = -std::sin(angle) * circle.x + std::cos(angle) * circle.y;
  const Vec3 along_b = Vec3::UnitZ().cross(p_B);
  const Vec3 cross = along_a.cross(along_b);
  const double norm = cross.norm();
  return norm > 1e-9 * along_b.norm() ? Vec3(cross / norm) : Vec3(Vec3::UnitZ());
}

}  // namespace

Separation compute_torus_separation(const Torus& a, const ConvexShape& b, const Pose& X_AB) {
  const Circle circle(a, X_AB);
  const CircleMinimum minimum = find_minimum(circle, b, {});
  const Vec3 core = circle.centre + circle.radius * circle.outwards(minimum.sample.angle);
  const PointSeparation s = compute_point_separation(b, core);
  return {s.distance - a.tube_radius, X_AB * Vec3(core - a.tube_radius * s.normal),
          X_AB * s.nearest, -(X_AB.R * s.normal), minimum.error};
}

Separation compute_torus_separation(const Torus& a, const Torus& b, const Pose& X_AB) {
  const Circle circle(a, X_AB);
  const CircleMinimum minimum = find_minimum(circle, b, {});
  const Vec3 core_a = circle.centre + circle.radius * circle.outwards(minimum.sample.angle);
  const PointSeparation s = compute_point_separation(Torus{b.radius, 0}, core_a);
  Vec3 out_of_b = s.normal;
  if (s.distance <= 1e-12 * (a.radius + b.radius)) {
    out_of_b = compute_crossing_normal(circle, minimum.sample.angle, core_a);
    if (out_of_b.dot(s.normal) < 0) out_of_b = -out_of_b;
  }
  return {s.distance - a.tube_radius - b.tube_radius,
          X_AB * Vec3(core_a - a.tube_radius * out_of_b),
          X_AB * Vec3(s.nearest + b.tube_radius * out_of_b), -(X_AB.R * out_of_b), minimum.error};
}

bool touches_torus(const Torus& a, const ConvexShape& b, const Pose& X_AB) {
  return touches(a, b, X_AB, a.tube_radius);
}

bool touches_torus(const Torus& a, const Torus& b, const Pose& X_AB) {
  return touches(a, b, X_AB, a.tube_radius + b.tube_radius);
}

}  // namespace geste

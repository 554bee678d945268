#pragma once

#include "geste/planning/steering/trailer_flatness.hpp"

namespace geste {

struct CurvatureRange {
  double least = -kInfinity;
  double largest = kInfinity;

  [[nodiscard]] bool contains(double k) const { return k >= least - 1e-9 && k <= largest + 1e-9; }
};

/// A curve between two points with tangent and curvature: the circles of both ends (the canonical
/// curves of Lamiraux and Laumond, section 4), blended:
///   (1 - a(u)) circle1(u v) + a(u) circle2((u - 1) v)     a = u^3 (10 - 15 u + 6 u^2)
/// a has no first and second derivative at its ends, where the curve so has tangent and curvature
/// of its ends. v is the signed length along the circles; negative: backwards. The same curve the
/// other way round has -v.
class TrailerCurve {
 public:
  TrailerCurve() = default;
  TrailerCurve(const FlatPoint& from, const FlatPoint& to, double v) : a_(from), b_(to), v_(v) {}

  [[nodiscard]] const FlatPoint& from() const { return a_; }
  [[nodiscard]] const FlatPoint& to() const { return b_; }
  /// At u from 0 to 1; the tangent is the cart's, not the way's, where it goes backwards.
  [[nodiscard]] FlatPoint evaluate(double u) const;
  /// About its length; infinite where a curvature leaves the range or the curve has a cusp.
  [[nodiscard]] double measure(const CurvatureRange& range) const;

 private:
  FlatPoint a_, b_;
  double v_ = 0;
};

/// The point at a signed length along the circle of a point.
FlatPoint go_round(const FlatPoint& from, double length);
/// The length along the circle of a point to where another one is nearest.
double project(const FlatPoint& circle, const Vec2& p);

}  // namespace geste

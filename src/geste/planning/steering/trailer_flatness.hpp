#pragma once

#include <cmath>

#include "geste/math/types.hpp"

namespace geste {

inline Vec2 unit_at(double angle) { return {std::cos(angle), std::sin(angle)}; }
inline Vec2 left_of(const Vec2& v) { return {-v.y(), v.x()}; }

/// A cart and its trailer: the middle of the cart's axle, its heading, and the trailer's heading
/// relative to it.
struct TrailerPose {
  Vec2 p = Vec2::Zero();
  double angle = 0;
  double hinge = 0;
};

/// A point of a curve in the plane, with its tangent and curvature.
struct FlatPoint {
  Vec2 p = Vec2::Zero();
  double angle = 0;
  double curvature = 0;  ///< 1/m, positive: to the left
};

/// Cart and trailer as one point that draws a curve: whatever smooth curve that point goes, tangent
/// and curvature tell where both stand, and both roll (P. Rouchon, M. Fliess, J. Levine, P. Martin,
/// "Flatness, motion planning and trailer systems", CDC 1993; F. Lamiraux, J.-P. Laumond, "Flatness
/// and small-time controllability of multibody mobile robots", ECC 1997).
///
/// With the hitch H at h behind the cart's axle R, the trailer's axle T at l behind the hitch, f
/// the hinge, u the direction from T to R, n to its left, D their distance and E = h + l cos f:
///   D^2 = h^2 + l^2 + 2 h l cos f           tangent u
///   point = T + (h E / D) u - M n           M = integral from 0 to f of h^2 l^2 sin^2 / D^3
///   curvature = -sin f / (E (l + h cos f) / D - M sin f)
/// (While the point stays and the hinge goes by df, the trailer rolls by h l^2 sin f / D^2 df and
/// turns by h E / D^2 df: integrating that to f = 0 gives the above.) For h = 0 the point is T and
/// the curvature -tan f / l.
class TrailerFlatness {
 public:
  /// m: axle to hitch (not negative), hitch to the trailer's axle (positive).
  TrailerFlatness(double hitch, double length);

  [[nodiscard]] double size() const { return h_ + l_; }
  /// The hinge stays below this on every curve: there the curvature is infinite.
  [[nodiscard]] double largest_hinge() const { return largest_; }

  /// Decreases with the hinge.
  [[nodiscard]] double compute_curvature(double hinge) const;
  [[nodiscard]] double find_hinge(double curvature) const;
  [[nodiscard]] FlatPoint to_flat(const TrailerPose& pose) const;
  [[nodiscard]] TrailerPose from_flat(const FlatPoint& point) const;

 private:
  [[nodiscard]] double measure_axles(double hinge) const;     ///< D
  [[nodiscard]] double integrate_offset(double hinge) const;  ///< M
  /// Of the curvature; positive below the largest hinge.
  [[nodiscard]] double compute_denominator(double hinge) const;

  double h_, l_;
  double largest_ = 0;
};

}  // namespace geste

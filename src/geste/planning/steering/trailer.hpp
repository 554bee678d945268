#pragma once

#include <memory>

#include "geste/planning/steering.hpp"
#include "geste/planning/steering/trailer_curve.hpp"

namespace geste {

struct TrailerOptions {
  double length =
      1;  ///< m, from the hitch to the trailer's axle, which lies straight behind at zero
  double slip = 1e-3;  ///< m, by which an axle may slip sideways on one leg
};

/// A cart that turns on the spot (a planar joint whose child rolls along its first axis) and the
/// trailer hinged to it, at the middle of its axle or behind. Both roll: ways follow curves of
/// their flat output (trailer_flatness.hpp) that join the circles of their ends
/// (trailer_curve.hpp).
///
/// Such a way needs no cusp where the ends allow. Otherwise it first goes along the circle of one
/// end, or of both, back or on, as little as serves: the nearer the ends, the shorter the whole
/// way, like the fourth root of their distance (Lamiraux and Laumond, section 5: small-time
/// controllable). The hinge stays within its limits; where no curve does so, there is no way.
///
/// Legs go along arcs with the hinge at a constant rate, so many that neither axle slips sideways
/// by more than options.slip on any; what slips on all of them together goes with its square root.
/// Coordinates of the cart are monotone on every leg.
class TrailerSteering final : public SteeringMethod {
 public:
  /// A space of one planar joint and one hinge on its child, whose limits keep the trailer from
  /// folding; it must outlive this. The hitch's place is the hinge's.
  static Result<std::unique_ptr<SteeringMethod>> make(const PlanningSpace& space,
                                                      const TrailerOptions& options);

  [[nodiscard]] Course course() const override { return Course::screw; }
  bool steer(ConstVecRef a, ConstVecRef b, Way& way) const override;
  [[nodiscard]] double lower_bound(ConstVecRef a, ConstVecRef b) const override {
    return space_.distance(a, b);
  }

 private:
  /// What is known of the pair of joints.
  struct Vehicle {
    int cart = 0;      ///< first entry of the planar joint
    int hinge = 0;     ///< entry
    double sense = 1;  ///< 1 where the hinge turns about the plane's normal, -1 against it
    double hitch = 0;  ///< m behind the axle
  };
  /// Up to three curves, cusps between them.
  struct Curves {
    TrailerCurve curve[3];
    int count = 0;
    double length = kInfinity;

    /// Takes those that first go along the circles by these lengths, where they are shorter.
    void improve(const FlatPoint& a, const FlatPoint& b, double along_a, double along_b,
                 const CurvatureRange& range);
  };
  class Writer;

  TrailerSteering(const PlanningSpace& space, const Vehicle& vehicle,
                  const TrailerOptions& options);
  static Vehicle inspect(const PlanningSpace& space, const TrailerOptions& options,
                         std::vector<Diagnostic>& faults);

  [[nodiscard]] TrailerPose read(ConstVecRef x) const;
  [[nodiscard]] Curves find_curves(const FlatPoint& a, const FlatPoint& b) const;
  /// With curvatures in a range.
  [[nodiscard]] Curves find_curves(const FlatPoint& a, const FlatPoint& b, double gap,
                                   const CurvatureRange& range) const;

  const PlanningSpace& space_;
  Vehicle vehicle_;
  TrailerOptions options_;
  TrailerFlatness flatness_;
  CurvatureRange range_;  ///< what the hinge's limits allow
};

}  // namespace geste

#pragma once

#include "geste/planning/steering.hpp"

namespace geste {

struct TimingOptions {
  double speed = 1;  ///< share of every joint's velocity limit
  /// Rates of joints that state no limit.
  double metres_per_second = 0.5;
  double radians_per_second = 1;
  /// Seconds from rest to full speed: accelerations stay below the rate limit divided by this.
  double start_up = 0.25;
  /// s; moments lie no farther apart than this while it moves, but in motions of many hours
  double frame = 0.02;

  [[nodiscard]] std::vector<Diagnostic> faults() const;
};

/// Limits of a space's rates. A joint has one for each of its degrees of freedom, but for those
/// that are vectors: the velocity of a planar or free joint's origin is one rate, and so is that of
/// a ball or free joint's turning.
struct RateLimits {
  VecX velocity;      ///< m/s or rad/s
  VecX acceleration;  ///< m/s^2 or rad/s^2
};
RateLimits make_rate_limits(const PlanningSpace& space, const TimingOptions& options);

/// Puts a path of legs on a clock: as fast as the rate limits allow, at rest where it begins, ends
/// and turns sharply. The motion goes along the very legs of the path, with moments added on them,
/// so what was proven of the path holds for it.
///
/// Along a leg every joint has a constant share of the way, so one number s(t) from 0 to 1 does:
/// its rate and acceleration are bounded by the joint that reaches its limits first, and from rest
/// to rest it goes by a trapezoid. On an arc the acceleration across it counts too. Legs that go on
/// in almost the same direction are gone without a stop (internal/speed_profile.hpp): curves are
/// made of them (round.hpp, projected.hpp).
JointMotion make_timed(const PlanningSpace& space, Course course,
                       const Eigen::Ref<const MatX>& path, const TimingOptions& options = {});

/// Points of a path, of those between its ends, where a motion along it has to stop.
std::vector<int> find_stops(const PlanningSpace& space, Course course,
                            const Eigen::Ref<const MatX>& path, const TimingOptions& options = {});

/// The largest share of a velocity and of an acceleration limit that a motion uses, measured from
/// moment to moment: independent of how it was made.
struct RateUse {
  double velocity = 0;
  double acceleration = 0;
};
RateUse measure_rates(const PlanningSpace& space, const JointMotion& motion,
                      const RateLimits& limits);

}  // namespace geste

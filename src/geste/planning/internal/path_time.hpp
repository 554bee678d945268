#pragma once

#include "geste/planning/internal/leg_rates.hpp"

namespace geste::internal {

/// How long a motion along a path of straight segments takes, without making it (timing.hpp).
///
/// From rest to rest a segment that takes d seconds at full speed takes d + s, s being the time to
/// reach full speed, and 2 sqrt(d s) where it is too short for that. A motion rests at corners at
/// which a rate would jump by more than a share of its limit; what is between two rests counts as
/// one segment. That is exact where corners are either sharp or none at all, and less than the
/// motion takes where it bends without resting.
class PathTime {
 public:
  PathTime(const PlanningSpace& space, const TimingOptions& timing);

  struct Estimate {
    double seconds = 0;
    bool is_exact = true;
  };
  [[nodiscard]] Estimate measure(const Eigen::Ref<const MatX>& path);
  /// About how long it takes once corners are rounded (round.hpp), if all can be. A parabola that
  /// begins r seconds before a corner and ends r behind it is gone at full speed as long as
  /// 2 r >= jump s; else at the share sqrt(2 r / (jump s)) of it.
  [[nodiscard]] double measure_rounded(const Eigen::Ref<const MatX>& path);

 private:
  /// What each rate travels from a to b, as shares of its limit in a second: one vector of three
  /// after the other. The seconds at full speed are returned.
  double compute_pace(ConstVecRef a, ConstVecRef b, VecX& pace) const;
  [[nodiscard]] double measure_jump(const VecX& a, const VecX& b) const;
  [[nodiscard]] double measure_rest_to_rest(double seconds) const;
  /// What a corner costs once it is rounded, between segments of so many seconds.
  [[nodiscard]] double measure_corner(double before, double behind, double jump) const;

  const PlanningSpace& space_;
  VecX velocity_;  ///< limits
  double start_up_;
  double rests_above_;  ///< jump of a rate, as a share of its limit
  VecX before_, here_;
};

}  // namespace geste::internal

#pragma once

#include "geste/planning/local_planner.hpp"
#include "geste/planning/timing.hpp"

namespace geste {

/// A world in which others go on a given motion, whatever the planned joints do. What it refers to
/// must outlive it.
struct MovingWorld {
  PlanningWorld still;
  /// Whole configurations by time; entries of planned joints do not count. The course is that of
  /// the steering method. Held before its first and after its last moment.
  const JointMotion& others;
  TimingOptions timing;
};

/// How time is spent between two points: waiting at the first, on the way, and what is left at the
/// second.
struct Tempo {
  double wait = 0;  ///< s, before it sets out
  double slow = 1;  ///< how many times longer than needed it is on the way
};

/// A point at a moment, at rest, and how it is come to from the one before.
struct Stop {
  VecX x;
  double t = 0;  ///< s
  MatX way;      ///< points of legs from the one before to this; a single one: it waits
  Tempo tempo;
};

/// Stops with proven ways from each to the next, at times that never fall.
using Schedule = std::vector<Stop>;

/// No motion of a space from a to b, at rest at both, takes less (s): of every rate alone, as if
/// nothing else bounded it.
double bound_duration(const PlanningSpace& space, const RateLimits& limits, ConstVecRef a,
                      ConstVecRef b);

/// Points of legs, and the motion along them on a clock of its own: from rest to rest as fast as
/// can be.
struct TimedWay {
  MatX points;
  JointMotion motion;
  [[nodiscard]] double duration() const { return motion.times.back(); }
};

/// Joins points at moments and proves the ways against everything that moves meanwhile. One per
/// thread.
///
/// A way of the steering method is put on a clock of its own (make_timed), then on the world's.
/// Between two moments of either clock, and so between two moments of the result, all joints go one
/// leg of the course: planned ones since theirs is a part of a leg, the others since no moment of
/// their motion is passed over. Legs are what the validator proves, for all their points (MV-9).
class MovingLocalPlanner {
 public:
  explicit MovingLocalPlanner(const MovingWorld& world);

  [[nodiscard]] const MovingWorld& world() const { return world_; }

  /// The way from a to b; nothing where there is none within the limits.
  std::optional<TimedWay> steer(ConstVecRef a, ConstVecRef b);
  /// The way from a towards b, for at most `range`. `from_goal`: backwards, so that it ends at a.
  std::optional<TimedWay> set_out(ConstVecRef a, ConstVecRef b, double range, bool from_goal);
  [[nodiscard]] TimedWay put_on_clock(MatX points) const;

  /// A way between two moments in the world; false where it does not end in time, cannot be closed
  /// or is not proven free. What it is comes after whatever is in `motion`, unless that is null.
  bool play(const TimedWay& way, double t0, double t1, const Tempo& tempo,
            JointMotion* motion = nullptr);
  /// The first of several tempos (list_tempos) that is proven.
  std::optional<Tempo> find_tempo(const TimedWay& way, double t0, double t1, Rng& rng);
  /// Whether it may stay at a point.
  bool may_stay(ConstVecRef x, double t0, double t1);

  /// What stopped the last way that was not free, and when (s).
  [[nodiscard]] const EdgeAnswer& last_stop() const { return stop_; }
  [[nodiscard]] double last_stop_time() const { return stop_time_; }
  [[nodiscard]] const LocalPlanner::Counts& counts() const { return counts_; }

 private:
  [[nodiscard]] bool is_inside() const;
  void cut(double range);
  /// Moments at which either the way or the others pass from one leg to the next.
  void list_moments(const TimedWay& way, double t0, double t1, const Tempo& tempo);
  bool is_proven();

  MovingWorld world_;
  Validator::Memory memory_;
  Workspace workspace_;
  Way way_;
  VecX x_, q_, rest_;
  std::vector<double> times_;
  MatX columns_;
  std::vector<EdgeAnswer> answers_;
  EdgeAnswer stop_;
  double stop_time_ = 0;
  LocalPlanner::Counts counts_;
};

/// The tempos that may take a way of `duration` from t0 to t1: at once, after waiting, slowly, and
/// one that is drawn. One where no time is left.
std::vector<Tempo> list_tempos(double duration, double t0, double t1, Rng& rng);

}  // namespace geste

#include "geste/planning/timing.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/planning/internal/speed_profile.hpp"

namespace geste {

using internal::compute_leg_rates;
using internal::compute_travel;
using internal::LegRates;
using internal::Rate;
using internal::SpeedProfile;
using internal::visit_rates;

namespace {

using Moment = SpeedProfile::Moment;

/// The highest rate and acceleration of s that keep the limits: half of the squared acceleration is
/// for what goes along a bend, half for what goes across.
struct LegLimits {
  double rate = kInfinity;
  double acceleration = kInfinity;

  LegLimits(const LegRates& leg, const RateLimits& limits) {
    for (Eigen::Index k = 0; k < leg.along.size(); ++k) {
      const bool bends = leg.across[k] > 0;
      const double room = (bends ? std::sqrt(0.5) : 1) * limits.acceleration[k];
      if (leg.along[k] > 0) {
        rate = std::min(rate, limits.velocity[k] / leg.along[k]);
        acceleration = std::min(acceleration, room / leg.along[k]);
      }
      if (bends) rate = std::min(rate, std::sqrt(room / leg.across[k]));
    }
  }
};

/// How s goes from 0 to 1 and back to rest: up, along, down.
struct Trapezoid {
  double rate = 0;  ///< the highest
  double acceleration = 0;
  double up = 0;  ///< s, to reach the rate; as long down again
  double duration = 0;

  Trapezoid(double most_rate, double most_acceleration) : acceleration(most_acceleration) {
    rate = std::min(most_rate, std::sqrt(most_acceleration));
    up = rate / acceleration;
    duration = up + 1 / rate;
  }
  [[nodiscard]] double at(double t) const {
    if (t <= up) return acceleration * t * t / 2;
    if (t >= duration - up) return 1 - acceleration * std::pow(duration - t, 2) / 2;
    return rate * (t - up / 2);
  }
};

/// The legs of a path that have a length.
class Legs {
 public:
  Legs(const PlanningSpace& space, Course course, const Eigen::Ref<const MatX>& path)
      : space_(space), course_(course), path_(path) {
    for (int i = 1; i < path.cols(); ++i) {
      LegRates rates = compute_leg_rates(space, course, path.col(i - 1), path.col(i));
      if (rates.along.maxCoeff() <= 0) continue;
      rates_.push_back(std::move(rates));
      ends_.push_back(i);
    }
  }

  [[nodiscard]] std::vector<int> find_stops(const RateLimits& limits, double frame) const {
    const SpeedProfile profile(rates_, limits, frame);
    std::vector<int> stops;
    for (int k = 1; k < count(); ++k)
      if (profile.rests_before(k)) stops.push_back(ends_[at(k)] - 1);
    return stops;
  }

  /// How far apart moments lie: as asked for, farther in motions of many hours.
  [[nodiscard]] double choose_frame(const RateLimits& limits, double frame) const {
    constexpr double kMostMoments = 100'000;
    double least = 0;
    for (const LegRates& leg : rates_) least += leg.along.cwiseQuotient(limits.velocity).maxCoeff();
    return std::max(frame, least / kMostMoments);
  }

  [[nodiscard]] JointMotion make_motion(const RateLimits& limits, double frame) const {
    const SpeedProfile profile(rates_, limits, frame);
    std::vector<Moment> moments;
    for (int first = 0, last = 0; first < count(); first = last) {
      const double begin = moments.empty() ? 0 : moments.back().time;
      for (last = first + 1; last < count() && !profile.rests_before(last);) ++last;
      if (last == first + 1)
        add_alone(first, limits, frame, begin, moments);
      else
        profile.add_moments(first, last, begin, moments);
    }
    return complete(moments);
  }

 private:
  [[nodiscard]] int count() const { return static_cast<int>(rates_.size()); }

  /// One leg from rest to rest.
  void add_alone(int leg, const RateLimits& limits, double frame, double begin,
                 std::vector<Moment>& moments) const {
    const LegLimits most(rates_[at(leg)], limits);
    const Trapezoid course_of_s(most.rate, most.acceleration);
    const int parts = std::max(2, static_cast<int>(std::ceil(course_of_s.duration / frame)));
    for (int i = 1; i <= parts; ++i) {
      const double t = course_of_s.duration * i / parts;
      moments.push_back({begin + t, leg, i < parts ? course_of_s.at(t) : 1});
    }
  }

  [[nodiscard]] JointMotion complete(const std::vector<Moment>& moments) const {
    JointMotion motion{{0}, MatX(space_.scene().nq(), std::ssize(moments) + 1), course_};
    Workspace workspace(space_.scene());
    // Points of proven legs can be completed.
    const auto put = [&](ConstVecRef x, Eigen::Index col) {
      static_cast<void>(space_.complete(x, motion.q.col(col), workspace));
    };
    put(path_.col(0), 0);
    VecX x(space_.size());
    for (std::size_t i = 0; i < moments.size(); ++i) {
      const int end = ends_[at(moments[i].leg)];
      if (moments[i].share < 1)
        space_.interpolate(path_.col(end - 1), path_.col(end), course_, moments[i].share, x);
      else
        x = path_.col(end);
      motion.times.push_back(moments[i].time);
      put(x, static_cast<Eigen::Index>(i) + 1);
    }
    return motion;
  }

  const PlanningSpace& space_;
  Course course_;
  Eigen::Ref<const MatX> path_;
  std::vector<LegRates> rates_;
  std::vector<int> ends_;  ///< points of the path
};

}  // namespace

std::vector<Diagnostic> TimingOptions::faults() const {
  std::vector<Diagnostic> found;
  const auto need = [&](bool holds, const char* what) {
    if (!holds)
      found.push_back({.code = "plan.timing", .message = what, .remedy = "correct the value"});
  };
  need(speed > 0 && speed <= 1, "the share of the velocity limits is not between 0 and 1");
  need(metres_per_second > 0 && radians_per_second > 0, "a rate is not above 0");
  need(start_up > 0, "the time to reach full speed is not above 0");
  need(frame > 0, "the time between moments is not above 0");
  return found;
}

RateLimits make_rate_limits(const PlanningSpace& space, const TimingOptions& options) {
  std::vector<double> velocities;
  visit_rates(space, [&](const Rate& rate) {
    double least = kInfinity;
    for (int k = 0; k < rate.count; ++k) {
      const double own = rate.item->joint.limits[at(rate.first + k)].velocity;
      if (own > 0) least = std::min(least, own);
    }
    const double usual = rate.slides ? options.metres_per_second : options.radians_per_second;
    velocities.push_back(std::isfinite(least) ? options.speed * least : usual);
  });
  RateLimits limits;
  limits.velocity =
      Eigen::Map<const VecX>(velocities.data(), static_cast<Eigen::Index>(velocities.size()));
  limits.acceleration = limits.velocity / options.start_up;
  return limits;
}

JointMotion make_timed(const PlanningSpace& space, Course course,
                       const Eigen::Ref<const MatX>& path, const TimingOptions& options) {
  const RateLimits limits = make_rate_limits(space, options);
  const Legs legs(space, course, path);
  RateLimits kept = limits;
  const double frame = legs.choose_frame(limits, options.frame);
  JointMotion motion = legs.make_motion(kept, frame);
  // What closes its loops between points goes a little farther than along them.
  constexpr int kRounds = 4;
  for (int i = 0; i < kRounds; ++i) {
    const RateUse use = measure_rates(space, motion, limits);
    if (use.velocity <= 1 + 1e-9 && use.acceleration <= 1 + 1e-6) break;
    kept.velocity /= std::max(1.0, 1.001 * use.velocity);
    kept.acceleration /= std::max(1.0, 1.001 * use.acceleration);
    motion = legs.make_motion(kept, frame);
  }
  return motion;
}

std::vector<int> find_stops(const PlanningSpace& space, Course course,
                            const Eigen::Ref<const MatX>& path, const TimingOptions& options) {
  const RateLimits limits = make_rate_limits(space, options);
  const Legs legs(space, course, path);
  return legs.find_stops(limits, legs.choose_frame(limits, options.frame));
}

RateUse measure_rates(const PlanningSpace& space, const JointMotion& motion,
                      const RateLimits& limits) {
  RateUse use;
  VecX a(space.size()), b(space.size());
  Mat3X before = Mat3X::Zero(3, limits.velocity.size());
  double last_step = 0;
  const auto measure = [](const Mat3X& rates, const VecX& most) {
    return rates.colwise().norm().transpose().cwiseQuotient(most).maxCoeff();
  };
  for (std::size_t i = 1; i < motion.times.size(); ++i) {
    space.gather(motion.q.col(static_cast<Eigen::Index>(i) - 1), a);
    space.gather(motion.q.col(static_cast<Eigen::Index>(i)), b);
    const double step = motion.times[i] - motion.times[i - 1];
    const Mat3X velocity = compute_travel(space, a, b) / step;
    use.velocity = std::max(use.velocity, measure(velocity, limits.velocity));
    const double between = i == 1 ? step : (step + last_step) / 2;
    use.acceleration =
        std::max(use.acceleration, measure((velocity - before) / between, limits.acceleration));
    before = velocity;
    last_step = step;
  }
  return use;
}

}  // namespace geste

#include "geste/planning/timing.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/model/joint_manifold.hpp"

namespace geste {
namespace {

/// One rate of a joint: some of its degrees of freedom, taken together.
struct Rate {
  const PlanningSpace::Item* item = nullptr;
  int first = 0;  ///< in Joint::v
  int count = 1;
  bool slides = false;
};

template <class Visit>
void visit_rates(const PlanningSpace& space, Visit visit) {
  for (const PlanningSpace::Item& item : space.items()) {
    switch (item.joint.type) {
      case JointType::planar:
        visit(Rate{&item, 0, 2, true});
        visit(Rate{&item, 2, 1, false});
        break;
      case JointType::spherical:
        visit(Rate{&item, 0, 3, false});
        break;
      case JointType::free:
        visit(Rate{&item, 0, 3, true});
        visit(Rate{&item, 3, 3, false});
        break;
      default:
        for (int k = 0; k < item.joint.nv; ++k)
          visit(Rate{&item, k, 1, item.joint.type == JointType::prismatic});
    }
  }
}

/// What each rate travels from a to b: a vector of three, in axes that do not turn on the way.
Mat3X compute_travel(const PlanningSpace& space, ConstVecRef a, ConstVecRef b) {
  std::vector<Vec3> travels;
  visit_rates(space, [&](const Rate& rate) {
    const PlanningSpace::Item& item = *rate.item;
    const double *from = a.data() + item.x, *to = b.data() + item.x;
    double v[6];
    difference(item.joint, from, to, v);
    Vec3 travel = Vec3::Zero();
    for (int k = 0; k < rate.count; ++k)
      travel[k] = rate.slides && rate.count > 1 ? to[k] - from[k] : v[rate.first + k];
    travels.push_back(travel);
  });
  return Eigen::Map<const Mat3X>(travels.front().data(), 3,
                                 static_cast<Eigen::Index>(travels.size()));
}

/// How far a leg takes each rate: `along` the way and, where that bends, `across`, which is the
/// length times the turn.
struct LegTravel {
  VecX along;
  VecX across;
};
LegTravel compute_leg_travel(const PlanningSpace& space, Course course, ConstVecRef a,
                             ConstVecRef b) {
  LegTravel leg{compute_travel(space, a, b).colwise().norm().transpose(), {}};
  leg.across = VecX::Zero(leg.along.size());
  if (course == Course::straight) return leg;
  Eigen::Index row = 0;
  visit_rates(space, [&](const Rate& rate) {
    if (rate.slides && rate.count > 1) {
      const PlanningSpace::Item& item = *rate.item;
      const Vec6 twist = compute_screw(item.joint.type, a.data() + item.x, b.data() + item.x);
      leg.along[row] = twist.head<3>().norm();
      leg.across[row] = leg.along[row] * twist.tail<3>().norm();
    }
    ++row;
  });
  return leg;
}

/// The highest rate and acceleration of s that keep the limits: half of the squared acceleration is
/// for what goes along a bend, half for what goes across.
struct LegLimits {
  double rate = kInfinity;
  double acceleration = kInfinity;

  LegLimits(const LegTravel& leg, const RateLimits& limits) {
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
  std::vector<double> times{0};
  std::vector<VecX> points{path.col(0)};
  for (Eigen::Index leg = 1; leg < path.cols(); ++leg) {
    const LegLimits most(compute_leg_travel(space, course, path.col(leg - 1), path.col(leg)),
                         limits);
    if (!std::isfinite(most.rate)) continue;
    const Trapezoid course_of_s(most.rate, most.acceleration);
    const double begin = times.back();
    const int count =
        std::max(2, static_cast<int>(std::ceil(course_of_s.duration / options.frame)));
    for (int i = 1; i <= count; ++i) {
      const double t = course_of_s.duration * i / count;
      VecX x = path.col(leg);
      if (i < count)
        space.interpolate(path.col(leg - 1), path.col(leg), course, course_of_s.at(t), x);
      times.push_back(begin + t);
      points.push_back(std::move(x));
    }
  }
  JointMotion motion{std::move(times), MatX(space.scene().nq(), 0), course};
  motion.q.resize(space.scene().nq(), static_cast<Eigen::Index>(points.size()));
  Workspace workspace(space.scene());
  for (std::size_t i = 0; i < points.size(); ++i) {
    // Points of proven legs can be completed.
    const bool complete =
        space.complete(points[i], motion.q.col(static_cast<Eigen::Index>(i)), workspace);
    (void)complete;
  }
  return motion;
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

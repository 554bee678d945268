#include "geste/planning/timing.hpp"

#include <gtest/gtest.h>

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

/// Looks for the point among those of the leg, ever more finely.
bool is_on_leg(const PlanningSpace& space, Course course, ConstVecRef a, ConstVecRef b,
               const VecX& x) {
  VecX y(x.size());
  const auto measure = [&](double s) {
    space.interpolate(a, b, course, s, y);
    return space.distance(x, y);
  };
  double low = 0, high = 1;
  for (int round = 0; round < 12; ++round) {
    double best = low;
    for (int k = 0; k <= 20; ++k) {
      const double s = low + (high - low) * k / 20;
      if (measure(s) < measure(best)) best = s;
    }
    const double step = (high - low) / 20;
    low = std::max(0.0, best - step);
    high = std::min(1.0, best + step);
  }
  return measure((low + high) / 2) < 1e-6;
}

TEST(Timing, KeepsTheLimitsAndTheWay) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    const SpaceRig p(make_random_world(rng, 4, 0));
    MatX path(p.space.size(), 5);
    VecX x(p.space.size());
    for (int k = 0; k < path.cols(); ++k) {
      p.space.sample(rng, x);
      path.col(k) = x;
    }
    const TimingOptions options;
    const Course course = seed % 2 == 0 ? Course::straight : Course::screw;
    const JointMotion motion = make_timed(p.space, course, path, options);
    const RateLimits limits = make_rate_limits(p.space, options);
    const RateUse use = measure_rates(p.space, motion, limits);
    // As fast as allowed, and no faster.
    EXPECT_LE(use.velocity, 1 + 1e-9);
    EXPECT_LE(use.acceleration, 1 + 1e-6);
    EXPECT_GT(std::max(use.velocity, use.acceleration), 0.9);
    for (std::size_t i = 1; i < motion.times.size(); ++i)
      EXPECT_LE(motion.times[i] - motion.times[i - 1], options.frame * (1 + 1e-9));
    // Every moment lies on a leg of the path, in their order.
    int leg = 1;
    for (Eigen::Index i = 0; i < motion.q.cols(); ++i) {
      p.space.gather(motion.q.col(i), x);
      while (leg < path.cols() && !is_on_leg(p.space, course, path.col(leg - 1), path.col(leg), x))
        ++leg;
      ASSERT_LT(leg, path.cols()) << "moment " << i;
    }
    EXPECT_EQ(leg, path.cols() - 1);
  }
}

TEST(Timing, TakesAsLongAsOneJointNeeds) {
  SceneSpec spec;
  spec.bodies.push_back({"link"});
  JointSpec joint;
  joint.name = "hinge";
  joint.type = JointType::revolute;
  joint.child = "link";
  joint.axis = Vec3::UnitZ();
  joint.limits = {{-3, 3, 2}};
  spec.joints.push_back(joint);
  const SpaceRig p(spec);
  MatX path(1, 2);
  path << -1, 2;
  // 3 rad at 2 rad/s, reached within 0.25 s: 1.5 s and one start-up.
  EXPECT_NEAR(make_timed(p.space, Course::straight, path).times.back(), 1.75, 1e-9);
  TimingOptions slow;
  slow.speed = 0.5;
  EXPECT_NEAR(make_timed(p.space, Course::straight, path, slow).times.back(), 3.25, 1e-9);
  slow.speed = 2;
  EXPECT_EQ(slow.faults().size(), 1u);
}

/// A puck that slides in the plane.
SceneSpec make_puck_world(double speed) {
  SceneSpec spec = make_window_world();
  spec.bodies.resize(1);
  spec.joints[0].type = JointType::planar;
  spec.joints[0].axis = Vec3::UnitZ();
  spec.joints[0].limits = {{-9, 9, speed}, {-9, 9, speed}, {}};
  return spec;
}

// A circle is gone at full speed, or as fast as the acceleration towards its centre allows.
TEST(Timing, GoesRoundCirclesAtTheSpeedThatTheyAllow) {
  const double speed = 0.5;
  const SpaceRig p(make_puck_world(speed));
  const TimingOptions options;
  const double acceleration = speed / options.start_up;
  for (const double radius : {0.02, 0.05, 1.0, 4.0}) {
    const double rounds = 2 / std::min(radius, 1.0);
    const double length = 2 * kPi * radius * rounds;
    const double round_speed = std::min(speed, std::sqrt(acceleration * radius));
    const int count = static_cast<int>(3 * length / (round_speed * options.frame));
    MatX path = MatX::Zero(3, count + 1);
    for (int i = 0; i <= count; ++i) {
      const double angle = 2 * kPi * rounds * i / count;
      path.col(i).head<2>() = radius * Eigen::Vector2d(std::cos(angle), std::sin(angle));
    }
    EXPECT_TRUE(find_stops(p.space, Course::straight, path, options).empty());
    const JointMotion motion = make_timed(p.space, Course::straight, path, options);
    const double shortest = length / round_speed;
    EXPECT_GT(motion.times.back(), shortest);
    EXPECT_LT(motion.times.back(), 1.02 * shortest + 2 * options.start_up) << radius;
    const RateUse use = measure_rates(p.space, motion, make_rate_limits(p.space, options));
    EXPECT_LE(use.velocity, 1 + 1e-9);
    EXPECT_LE(use.acceleration, 1 + 1e-6);
  }
}

TEST(Timing, StopsWhereItTurnsSharply) {
  const SpaceRig p(make_puck_world(0.5));
  MatX path = MatX::Zero(3, 4);
  path.row(0) << 0, 1, 1, 2;
  path.row(1) << 0, 0, 1, 1;
  EXPECT_EQ(find_stops(p.space, Course::straight, path), (std::vector<int>{1, 2}));
  // Three legs of a metre, each from rest to rest.
  EXPECT_NEAR(make_timed(p.space, Course::straight, path).times.back(), 3 * 2.25, 1e-9);
  // A point on a straight way is no corner.
  path.row(1).setZero();
  path.row(0) << 0, 0.3, 1.1, 3;
  EXPECT_TRUE(find_stops(p.space, Course::straight, path).empty());
  EXPECT_NEAR(make_timed(p.space, Course::straight, path).times.back(), 6.25, 0.03);
}

}  // namespace
}  // namespace geste

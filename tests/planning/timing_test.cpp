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

}  // namespace
}  // namespace geste

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

/// The largest shares of velocity and acceleration limits that a motion uses, by finite differences
/// of the joints' entries and from the limits as the joints state them: what RateUse says, by
/// another way than the code that makes motions.
class RateWitness {
 public:
  RateWitness(const Scene& scene, const JointMotion& motion, const TimingOptions& options)
      : motion_(motion), options_(options) {
    for (const Joint& joint : scene.joints()) {
      if (joint.role != JointRole::independent) continue;
      const bool has_origin = joint.type == JointType::planar || joint.type == JointType::free;
      const bool has_turn = joint.type == JointType::spherical || joint.type == JointType::free;
      if (has_origin) {
        const int size = joint.type == JointType::planar ? 2 : 3;
        look(joint, 0, size, true, [=](const VecX& a, const VecX& b) {
          Vec3 way = Vec3::Zero();
          way.head(size) = (b - a).segment(joint.q, size);
          return way;
        });
      }
      if (has_turn) {
        const int at = joint.q + joint.nq - 4;
        look(joint, joint.nv - 3, 3, false, [at](const VecX& a, const VecX& b) {
          const Eigen::AngleAxisd turned(Quat(a.data() + at).conjugate() * Quat(b.data() + at));
          const double angle = std::remainder(turned.angle(), 2 * kPi);
          return Vec3(angle * turned.axis());
        });
        continue;
      }
      const bool slides = joint.type == JointType::prismatic;
      for (int k = has_origin ? 2 : 0; k < joint.nv; ++k) {
        // Whole turns make no difference where the value may begin anew.
        const bool wraps = joint.type == JointType::continuous || joint.type == JointType::planar;
        look(joint, k, 1, slides, [=, at = joint.q + k](const VecX& a, const VecX& b) {
          return Vec3(wraps ? std::remainder(b[at] - a[at], 2 * kPi) : b[at] - a[at], 0, 0);
        });
      }
    }
  }
  double velocity = 0, acceleration = 0;

 private:
  template <class Way>
  void look(const Joint& joint, int first, int count, bool slides, const Way& way) {
    double most = kInfinity;
    for (int k = first; k < first + count; ++k) {
      const double own = joint.limits[static_cast<std::size_t>(k)].velocity;
      if (own > 0) most = std::min(most, own);
    }
    if (most == kInfinity) most = slides ? options_.metres_per_second : options_.radians_per_second;
    Vec3 before = Vec3::Zero();
    double last = 0;
    for (std::size_t i = 1; i < motion_.times.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const double step = motion_.times[i] - motion_.times[i - 1];
      const Vec3 now = way(motion_.q.col(k - 1), motion_.q.col(k)) / step;
      const double between = i == 1 ? step : (step + last) / 2;
      velocity = std::max(velocity, now.norm() / most);
      acceleration =
          std::max(acceleration, (now - before).norm() / between * options_.start_up / most);
      before = now;
      last = step;
    }
  }

  const JointMotion& motion_;
  const TimingOptions& options_;
};

TEST(Timing, KeepsTheLimitsAndTheWay) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    SceneSpec spec = make_random_world(rng, 4, 0);
    for (JointSpec& joint : spec.joints)
      for (DofLimits& limits : joint.limits)
        if (rng.uniform() < 0.5) limits.velocity = rng.uniform(0.2, 2);
    const SpaceRig p(spec);
    MatX path(p.space.size(), 5);
    VecX x(p.space.size());
    for (int k = 0; k < path.cols(); ++k) {
      p.space.sample(rng, x);
      path.col(k) = x;
    }
    const TimingOptions options;
    const Course course = seed % 2 == 0 ? Course::straight : Course::screw;
    const JointMotion motion = make_timed(p.space, course, path, options);
    // As fast as allowed, and no faster.
    const RateWitness seen(p.scene, motion, options);
    EXPECT_LE(seen.velocity, 1 + 1e-6) << seed;
    EXPECT_LE(seen.acceleration, 1 + 1e-5) << seed;
    EXPECT_GT(std::max(seen.velocity, seen.acceleration), 0.9) << seed;
    const RateUse use = measure_rates(p.space, motion, make_rate_limits(p.space, options));
    EXPECT_NEAR(use.velocity, seen.velocity, 1e-6) << seed;
    EXPECT_NEAR(use.acceleration, seen.acceleration, 1e-5) << seed;
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

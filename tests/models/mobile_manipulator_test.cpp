// MV-2, AR-1: the mobile arm planned with composed steering: its base as a cart that cannot go
// sideways, its arm straight, through a door and round to a table. Witnesses: the law of carts on
// every leg of the finished motion, and the second prover.
#include <gtest/gtest.h>

#include "geste/planning/plan.hpp"
#include "geste/planning/steering/composed.hpp"
#include "geste/planning/steering/reeds_shepp.hpp"
#include "geste/planning/timing.hpp"

#include "models/mobile_testing.hpp"
#include "planning/steering_laws.hpp"

namespace geste {
namespace {

using namespace testing;

constexpr double kRadius = 0.6;

/// A wall with a door of one metre across the way, and a table behind it.
SceneSpec make_flat() {
  SceneSpec spec = place_on_floor("mobile_arm/mobile_arm");
  add_wall(spec, "left", Vec3(0.1, 2, 2), Vec3(0, 1.5, 1));
  add_wall(spec, "right", Vec3(0.1, 2, 2), Vec3(0, -1.5, 1));
  add_wall(spec, "table", Vec3(0.6, 0.8, 0.05), Vec3(2.6, -0.8, 0.7));
  return spec;
}

TEST(MobileManipulator, GoesThroughADoorAsACart) {
  const Scene scene = Scene::compile(make_flat()).value();
  const CollisionModel model = CollisionModel::make(scene, make_plain_options()).value();
  std::vector<JointId> joints{*scene.find_joint("robot/root")};
  for (int i = 1; i <= 6; ++i)
    joints.push_back(*scene.find_joint(fmt::format("robot/arm_joint{}", i)));
  VecX rest = make_neutral(scene);
  const PlanningSpace space = PlanningSpace::make(scene, model, joints, rest).value();
  const SteeringGroup base{{joints[0]}, [](const PlanningSpace& part) {
                             return ReedsSheppSteering::make(part, {kRadius});
                           }};
  const auto steering = ComposedSteering::make(space, {&base, 1}).value();
  const Validator validator(scene, model, {.threads = 1});
  PlanningProblem problem{VecX(9), {VecX(9)}};
  problem.start << -2, 0.8, 2.5, 0, -1.1, 1, 0, 0.1, 0;         // folded, looking away
  problem.goals[0] << 1.6, -0.8, 0, 0, 0.2, 0.3, 0, 1.0708, 0;  // ready, before the table
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    PlanOptions options;
    options.threads = 1;
    const PlanReport report =
        plan({space, *steering, validator}, problem, options, Budget::steps(20000), Rng(seed));
    ASSERT_EQ(report.status, PlanStatus::found) << to_text(report.status);
    const JointMotion motion = make_timed(space, steering->course(), report.path);
    EXPECT_EQ(motion.course, Course::screw);
    EXPECT_TRUE(verify_motion(scene, model, motion, make_second_options()).is_free);
    const RateUse use = measure_rates(space, motion, make_rate_limits(space, {}));
    EXPECT_LE(use.velocity, 1 + 1e-9);
    EXPECT_LE(use.acceleration, 1 + 1e-6);
    const LegPromise rolls = rolls_as_cart(kRadius, false, 0, 1e-6);
    VecX a(space.size()), b(space.size());
    for (Eigen::Index k = 1; k < motion.q.cols(); ++k) {
      space.gather(motion.q.col(k - 1), a);
      space.gather(motion.q.col(k), b);
      EXPECT_EQ(rolls(a, b), "") << k;
    }
    EXPECT_LT(space.distance(b, problem.goals[0]), 1e-9);
  }
}

}  // namespace
}  // namespace geste

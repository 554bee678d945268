#include "geste/planning/plan_moving.hpp"

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using testing::Playground;

/// A box that may slide and turn in space, and a bar across its way that slides aside.
SceneSpec make_barred_world() {
  SceneSpec spec = testing::make_loose_box("box", Vec3(0.2, 0.2, 0.2), Vec3(1, 0.3, 0.3));
  BodySpec bar{"bar"};
  bar.geometry.emplace_back();
  bar.geometry.back().shape = Box{Vec3(0.1, 1.2, 1.2)};
  spec.bodies.push_back(bar);
  JointSpec slide;
  slide.name = "slide";
  slide.type = JointType::prismatic;
  slide.axis = Vec3::UnitY();
  slide.child = "bar";
  slide.limits = {{-2, 2}};
  spec.joints.push_back(slide);
  return spec;
}

/// With the box planned alone.
struct BarredRig : Playground {
  BarredRig()
      : Playground(make_barred_world()),
        boxes(PlanningSpace::make(scene, model, std::vector<JointId>{*scene.find_joint("free")},
                                  make_neutral(scene))
                  .value()),
        straight(boxes) {
    others.times = {0, 2, 4};
    others.q = make_neutral(scene).replicate(1, 3);
    others.q.row(scene.joint(*scene.find_joint("slide")).q) << 0, 0, 1.6;
  }

  [[nodiscard]] MovingWorld world() const { return {{boxes, straight, validator}, others, {}}; }

  static VecX place(double x) {
    VecX point = VecX::Zero(7);
    point[0] = x;
    point[6] = 1;
    return point;
  }

  PlanningSpace boxes;
  LinearSteering straight;
  JointMotion others;
};

// No way on a clock is faster than its bound, which is met where one rate alone decides.
TEST(PlanMoving, BoundsDurations) {
  const BarredRig rig;
  MovingLocalPlanner local(rig.world());
  const RateLimits limits = make_rate_limits(rig.boxes, {});
  Rng rng(1);
  VecX a(7), b(7);
  for (int i = 0; i < 100; ++i) {
    rig.boxes.sample(rng, a);
    rig.boxes.sample(rng, b);
    const double bound = bound_duration(rig.boxes, limits, a, b);
    const double slow = local.steer(a, b)->duration();
    EXPECT_LE(bound, slow + 1e-9);
    EXPECT_GT(bound, 0.5 * slow);
  }
  for (const double x : {0.05, 0.9}) {
    a = BarredRig::place(0);
    b = BarredRig::place(x);
    EXPECT_NEAR(bound_duration(rig.boxes, limits, a, b), local.steer(a, b)->duration(), 1e-9);
  }
}

// MV-9: what is proven is true. Witness: the bar is 0.1 thick and leaves the box's way, 0.2 wide,
// when it has slid by 0.6 + 0.1, 0.875 s after it began.
TEST(PlanMoving, ProvesWaysAgainstWhatMoves) {
  const BarredRig rig;
  MovingLocalPlanner local(rig.world());
  const std::optional<TimedWay> way = local.steer(BarredRig::place(-0.8), BarredRig::place(0.8));
  ASSERT_TRUE(way);
  // The box touches the bar, which it would after 0.65 m, at 1.3 s and half the time to full speed.
  const double touches = 0.65 / 0.5 + 0.125, opens = 2.875;
  EXPECT_FALSE(local.play(*way, 0, 10, {}));
  EXPECT_NEAR(local.last_stop_time(), touches, 0.02);
  EXPECT_FALSE(local.play(*way, 0, 10, {opens - touches - 0.01, 1}));
  EXPECT_TRUE(local.play(*way, 0, 10, {opens - touches + 0.01, 1}));
  EXPECT_FALSE(local.play(*way, 0, 3, {})) << "not in time";
  JointMotion motion;
  ASSERT_TRUE(local.play(*way, 0, 10, {2, 1}, &motion));
  for (const double t : rig.others.times)
    EXPECT_TRUE(std::find(motion.times.begin(), motion.times.end(), t) != motion.times.end());
  EXPECT_TRUE(verify_motion(rig.scene, rig.model, motion, testing::make_second_options()).is_free);
}

// It arrives as early as the bar lets it, to within what halving leaves.
TEST(PlanMoving, HastensToWhatIsPossible) {
  const BarredRig rig;
  const PlanningProblem problem{BarredRig::place(-0.8), {BarredRig::place(0.8)}};
  const MovingPlanReport slow =
      plan_moving(rig.world(), problem, {.by = 20, .shorten = false}, Budget::steps(1000), Rng(1));
  const MovingPlanReport fast =
      plan_moving(rig.world(), problem, {.by = 20}, Budget::steps(1000), Rng(1));
  ASSERT_EQ(slow.search.status, PlanStatus::found);
  ASSERT_EQ(fast.search.status, PlanStatus::found);
  const double least = 2.875 + (1.6 - 0.65) / 0.5 + 0.125;
  EXPECT_GE(slow.arrival, least);
  EXPECT_GE(fast.arrival, least);
  EXPECT_LE(fast.arrival, least + 0.05);
  EXPECT_LE(fast.use.velocity, 1 + 1e-9);
  EXPECT_LE(fast.use.acceleration, 1 + 1e-6);
}

}  // namespace
}  // namespace geste

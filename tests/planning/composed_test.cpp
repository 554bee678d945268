#include "geste/planning/steering/composed.hpp"

#include <gtest/gtest.h>

#include "geste/planning/steering/dubins.hpp"
#include "geste/planning/steering/manhattan.hpp"
#include "geste/planning/steering/reeds_shepp.hpp"

#include "planning/steering_laws.hpp"

namespace geste {
namespace {

using namespace testing;

Result<std::unique_ptr<SteeringMethod>> make_cart(const PlanningSpace& space) {
  return ReedsSheppSteering::make(space, {0.8});
}
Result<std::unique_ptr<SteeringMethod>> make_forward_cart(const PlanningSpace& space) {
  return DubinsSteering::make(space, {0.8});
}
Result<std::unique_ptr<SteeringMethod>> make_one_by_one(const PlanningSpace& space) {
  return ManhattanSteering::make(space);
}

void add_joint(SceneSpec& spec, const char* name, JointType type, const char* parent,
               std::vector<DofLimits> limits, const Vec3& at = Vec3::Zero()) {
  add_box(spec, fmt::format("{}_body", name), Vec3(0, 0, 0.1));
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = spec.bodies.back().name;
  joint.X_PJ = Pose::translation(at);
  joint.axis = Vec3::UnitZ();
  joint.limits = std::move(limits);
  spec.joints.push_back(joint);
}

/// A cart with a mast, an arm, a ball joint, and a finger that follows the arm.
SceneSpec make_mobile_arm() {
  SceneSpec spec = make_cart_world();
  add_joint(spec, "mast", JointType::prismatic, "cart", {{0.5, 1.5}});
  add_joint(spec, "arm", JointType::continuous, "mast_body", {}, Vec3(0, 0, 0.3));
  add_joint(spec, "wrist", JointType::spherical, "arm_body", {}, Vec3(0.4, 0, 0.3));
  add_joint(spec, "finger", JointType::revolute, "arm_body", {}, Vec3(-0.4, 0, 0.3));
  spec.joints.back().follow = FollowSpec{{"arm"}, LinearFollow{0.5, 0.1}};
  return spec;
}

std::vector<JointId> find_joints(const Scene& scene, std::initializer_list<const char*> names) {
  std::vector<JointId> joints;
  for (const char* name : names) joints.push_back(*scene.find_joint(name));
  return joints;
}

// MV-2, MV-3: the base as a cart, the arm straight.
TEST(Composed, KeepsTheLawsOfItsMethods) {
  const SpaceRig p(make_mobile_arm());
  const SteeringGroup base{find_joints(p.scene, {"base"}), make_cart};
  const auto method = ComposedSteering::make(p.space, {&base, 1}).value();
  EXPECT_EQ(method->course(), Course::screw);
  EXPECT_TRUE(method->is_reversible());
  expect_steering_laws(p.space, *method, rolls_as_cart(0.8, false));
}

TEST(Composed, KeepsTheLawsOfEachGroup) {
  const SpaceRig p(make_mobile_arm());
  const SteeringGroup groups[] = {{find_joints(p.scene, {"wrist", "mast", "arm"}), make_one_by_one},
                                  {find_joints(p.scene, {"base"}), make_forward_cart}};
  const auto method = ComposedSteering::make(p.space, groups).value();
  EXPECT_FALSE(method->is_reversible());
  const LegPromise rolls = rolls_as_cart(0.8, true), one = moves_one_thing(p.space, 1e-9, 3);
  expect_steering_laws(p.space, *method,
                       [&](ConstVecRef a, ConstVecRef b) { return rolls(a, b) + one(a, b); });
}

// All go together, each at its own constant pace: the linear group is where a straight way is, at
// the share of the length that the cart has behind it.
TEST(Composed, GroupsGoTogether) {
  const SpaceRig p(make_mobile_arm());
  const SteeringGroup base{find_joints(p.scene, {"base"}), make_cart};
  const auto method = ComposedSteering::make(p.space, {&base, 1}).value();
  const int cart_items[] = {0}, arm_items[] = {1, 2, 3};
  const PlanningSpace cart = p.space.make_part(cart_items), arm = p.space.make_part(arm_items);
  Rng rng(1);
  VecX a(p.space.size()), b(p.space.size());
  Way way(p.space);
  for (int i = 0; i < 500; ++i) {
    p.space.sample(rng, a);
    p.space.sample(rng, b);
    ASSERT_TRUE(method->steer(a, b, way));
    std::vector<double> cart_lengths{0};
    const int n = arm.size();
    for (int k = 1; k < way.count(); ++k)
      cart_lengths.push_back(cart_lengths.back() +
                             cart.distance(way[k - 1].head(3), way[k].head(3)));
    for (int k = 0; k < way.count(); ++k)
      EXPECT_NEAR(arm.distance(a.tail(n), way[k].tail(n)) / arm.distance(a.tail(n), b.tail(n)),
                  cart_lengths[static_cast<std::size_t>(k)] / cart_lengths.back(), 1e-6);
    // The cart's way is the cart's own.
    Way own(cart);
    ASSERT_TRUE(make_cart(cart).value()->steer(a.head(3), b.head(3), own));
    EXPECT_EQ(own.points(), way.points().topRows(3));
  }
}

// Cut legs are the same screws: the world's proof of a leg is of what the cart goes.
TEST(Composed, CutArcsStayArcs) {
  SceneSpec spec = make_cart_world();
  add_joint(spec, "second", JointType::planar, "", {{-5, 5}, {-3, 3}, {}});
  const SpaceRig p(spec);
  const SteeringGroup groups[] = {{find_joints(p.scene, {"base"}), make_cart},
                                  {find_joints(p.scene, {"second"}), make_cart}};
  const LegPromise first = rolls_as_cart(0.8, false), second = rolls_as_cart(0.8, false, 3);
  expect_steering_laws(p.space, *ComposedSteering::make(p.space, groups).value(),
                       [&](ConstVecRef a, ConstVecRef b) { return first(a, b) + second(a, b); });
}

TEST(Composed, StraightGroupsKeepFreeBodiesStraight) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Rng rng(seed);
    const SpaceRig p(make_random_world(rng, 4, 1));
    std::vector<JointId> half = independent_joints(p.scene);
    half.resize((half.size() + 1) / 2);
    const SteeringGroup group{half, make_one_by_one};
    const auto method = ComposedSteering::make(p.space, {&group, 1}).value();
    EXPECT_EQ(method->course(), Course::straight);
    expect_steering_laws(
        p.space, *method, [](ConstVecRef, ConstVecRef) { return ""; }, 50);
  }
}

// MV-3, MV-9: what follows is completed at every point, and the legs are proven with it.
TEST(Composed, PlansWithFollowers) {
  SceneSpec spec = make_mobile_arm();
  add_box(spec, "pillar", Vec3(0, 0, 0.5), 1.2);
  Playground p(spec, make_plain_options(), [](const PlanningSpace& space) {
    const SteeringGroup base{find_joints(space.scene(), {"base"}), make_cart};
    return ComposedSteering::make(space, {&base, 1}).value();
  });
  Rng rng(3);
  PlanningProblem problem{VecX(p.space.size()), {VecX(p.space.size())}};
  problem.start << -3, 0, 0, 0.6, 0, 0, 0, 0, 1;
  problem.goals[0] << 3, 0, 0, 1.2, 2, 0, 0, 1, 0;
  RrtConnectMemory memory(p.space);
  PlanReport report = plan_rrt_connect(problem, {}, p.local, memory, Budget::steps(20'000), rng);
  ASSERT_EQ(report.status, PlanStatus::found);
  shorten(report.path, {}, p.local, {}, rng);
  EXPECT_TRUE(p.verify(report.path).is_free);
  const JointMotion motion = p.make_motion(report.path);
  const int arm = p.scene.joint(*p.scene.find_joint("arm")).q;
  const int finger = p.scene.joint(*p.scene.find_joint("finger")).q;
  for (Eigen::Index k = 0; k < motion.q.cols(); ++k)
    EXPECT_NEAR(motion.q(finger, k), 0.5 * motion.q(arm, k) + 0.1, 1e-12);
}

TEST(Composed, NamesJointsThatDoNotFit) {
  SceneSpec spec = make_mobile_arm();
  add_joint(spec, "drone", JointType::free, "", {{-1, 1}, {-1, 1}, {-1, 1}, {}, {}, {}});
  const SpaceRig p(spec);
  SteeringGroup groups[] = {{find_joints(p.scene, {"base"}), make_cart},
                            {find_joints(p.scene, {"arm"}), make_one_by_one}};
  const auto mixed = ComposedSteering::make(p.space, groups);
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().code, "plan.steering");
  EXPECT_EQ(mixed.error().element, "joint 'drone'");
  groups[1].joints.push_back(groups[0].joints[0]);
  const auto twice = ComposedSteering::make(p.space, groups);
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().element, "joint 'base'");
  groups[1].joints = find_joints(p.scene, {"finger"});
  const auto follows = ComposedSteering::make(p.space, groups);
  ASSERT_FALSE(follows);
  EXPECT_EQ(follows.error().element, "joint 'finger'");
  groups[0].joints = find_joints(p.scene, {"mast"});
  groups[1].joints = find_joints(p.scene, {"arm"});
  const auto no_cart = ComposedSteering::make(p.space, groups);
  ASSERT_FALSE(no_cart);
  EXPECT_EQ(no_cart.error().element, "joint 'mast'");
}

}  // namespace
}  // namespace geste

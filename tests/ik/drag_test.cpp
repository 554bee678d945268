#include "geste/ik/drag.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geste/math/so3.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/loops.hpp"

#include "model/random_scene.hpp"

namespace geste {
namespace {

using std::numbers::pi;
using testing::make_random_tree;
using testing::random_configuration;
using testing::random_vector;

/// Links of length 1 and 0.8 in the plane z = 0; the hand is at the end of the second.
SceneSpec make_planar_arm(double lower = -kInfinity, double upper = kInfinity) {
  SceneSpec spec;
  spec.bodies = {BodySpec{"upper"}, BodySpec{"lower"}};
  spec.joints.resize(2);
  spec.joints[0] = {.name = "shoulder", .type = JointType::revolute, .child = "upper"};
  spec.joints[1] = {
      .name = "elbow", .type = JointType::revolute, .parent = "upper", .child = "lower"};
  spec.joints[1].X_PJ = Pose::translation(1, 0, 0);
  for (JointSpec& j : spec.joints) {
    j.axis = Vec3::UnitZ();
    j.limits = {{lower, upper}};
  }
  return spec;
}
const Vec3 kHand(0.8, 0, 0);

struct Rig {
  explicit Rig(const SceneSpec& spec)
      : scene(Scene::compile(spec).value()), workspace(scene), q(make_neutral(scene)) {}

  DragReport drag(const std::string& body, const Vec3& p_B, const Vec3& p_W,
                  std::optional<Mat3> R = {}) {
    return drag_body(scene, {*scene.find_body(body), p_B, p_W, R}, q, workspace);
  }
  Vec3 place(const std::string& body, const Vec3& p_B) {
    return compute_pose(scene, workspace, *scene.find_body(body)) * p_B;
  }

  Scene scene;
  Workspace workspace;
  VecX q;
};

// The elbow angle follows from the law of cosines, whichever way the arm is bent.
TEST(Drag, PlanarArmFindsTheAnglesOfTheTriangle) {
  Rig rig(make_planar_arm());
  rig.q << 0.3, 0.4;
  for (const double angle : {0.0, 0.7, 2.0, -1.2}) {
    for (const double reach : {0.5, 1.0, 1.5}) {
      const Vec3 at(reach * std::cos(angle), reach * std::sin(angle), 0);
      DragReport report;
      for (int i = 0; i < 5; ++i) report = rig.drag("lower", kHand, at);
      EXPECT_LT(report.residual_m, 1e-6);
      EXPECT_LT((rig.place("lower", kHand) - at).norm(), 1e-6);
      const double cosine = (reach * reach - 1 - 0.64) / (2 * 0.8);
      EXPECT_NEAR(std::abs(std::remainder(rig.q[1], 2 * pi)), std::acos(cosine), 1e-5);
      EXPECT_TRUE(report.at_limit.empty());
    }
  }
}

TEST(Drag, UnreachableTargetStretchesTheArmTowardsIt) {
  Rig rig(make_planar_arm());
  rig.q << 0.3, 1.4;
  const Vec3 direction = Vec3(1, 2, 0).normalized();
  DragReport report;
  for (int i = 0; i < 20; ++i) report = rig.drag("lower", kHand, 5 * direction);
  EXPECT_NEAR(report.residual_m, 5 - 1.8, 1e-4);
  EXPECT_LT((rig.place("lower", kHand) - 1.8 * direction).norm(), 2e-2);
}

TEST(Drag, StretchedArmFoldsWhenItIsPushedIn) {
  Rig rig(make_planar_arm());
  rig.q << 0, 0;
  DragReport report;
  for (int i = 0; i < 3; ++i) report = rig.drag("lower", kHand, Vec3(1.2, 0, 0));
  EXPECT_LT(report.residual_m, 1e-6);
}

// Held at the elbow's limit, the shoulder alone points the hand at the target.
TEST(Drag, JointAtItsLimitIsHeldAndTheOthersGoOn) {
  Rig rig(make_planar_arm(-0.5, 0.5));
  DragReport report;
  for (int i = 0; i < 5; ++i) report = rig.drag("lower", kHand, Vec3(1.0, 0.3, 0));
  EXPECT_TRUE(is_within_limits(rig.scene, rig.q));
  EXPECT_NEAR(std::abs(rig.q[1]), 0.5, 1e-9);
  ASSERT_FALSE(report.at_limit.empty());
  const Vec3 hand = rig.place("lower", kHand);
  EXPECT_NEAR(std::atan2(hand.y(), hand.x()), std::atan2(0.3, 1.0), 1e-4);
}

/// Random robots with limits: as in model/random_scene.hpp, within a metre.
Scene make_limited_tree(Rng& rng) {
  SceneSpec spec = make_random_tree(rng, 8);
  for (JointSpec& j : spec.joints)
    for (int k = 0; k < count_v(j.type); ++k) j.limits.push_back({-0.9, 0.8});
  return Scene::compile(spec).value();
}

double measure_error(const Scene& scene, const DragTarget& target, const VecX& q,
                     Workspace& workspace) {
  compute_kinematics(scene, q, workspace);
  const Pose X = compute_pose(scene, workspace, target.body);
  const double turned = target.R_WB ? so3::log(Mat3(X.R.transpose() * *target.R_WB)).norm() : 0;
  return std::hypot((X * target.p_B - target.p_W).norm(), DragOptions{}.rotation_length * turned);
}

TEST(Drag, RandomRobotsKeepTheirLimitsAndComeNearer) {
  int nearer = 0, asked = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const Scene scene = make_limited_tree(rng);
    Workspace workspace(scene);
    VecX q = random_configuration(scene, rng);
    clamp_to_limits(scene, q);
    for (int i = 0; i < 5; ++i) {
      DragTarget target{BodyId(rng.integer(0, 7)), 0.2 * random_vector(rng),
                        2 * random_vector(rng)};
      if (rng.uniform() < 0.5) target.R_WB = so3::exp(random_vector(rng));
      const double before = measure_error(scene, target, q, workspace);
      const VecX q0 = q;
      const DragReport report = drag_body(scene, target, q, workspace);
      ASSERT_TRUE(is_within_limits(scene, q)) << "seed " << seed;
      const double after = measure_error(scene, target, q, workspace);
      const bool loose =
          scene.body(target.body).mover != 0 &&
          scene.joint(scene.movers()[static_cast<std::size_t>(scene.body(target.body).mover)].joint)
                  .type == JointType::free;
      EXPECT_TRUE(loose || after <= before + 1e-9) << "seed " << seed;
      EXPECT_NEAR(report.residual_m,
                  (compute_pose(scene, workspace, target.body) * target.p_B - target.p_W).norm(),
                  1e-9);
      ++asked;
      nearer += after < before - 1e-6;
      // The same again gives the same bytes.
      VecX again = q0;
      drag_body(scene, target, again, workspace);
      EXPECT_EQ(again, q) << "seed " << seed;
    }
  }
  EXPECT_GT(nearer, asked / 2);
}

// Where a drag ends, no joint that is free to move brings the point nearer.
TEST(Drag, EndsWhereFiniteDifferencesFindNoWayDown) {
  int looked = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    SceneSpec spec = make_random_tree(rng, 6);
    for (JointSpec& j : spec.joints)
      if (j.type == JointType::free || j.type == JointType::planar) j.type = JointType::revolute;
    const Scene scene = Scene::compile(spec).value();
    Workspace workspace(scene);
    VecX q = random_configuration(scene, rng);
    const DragTarget target{BodyId(5), Vec3(0.1, 0.2, 0), 4 * random_vector(rng)};
    for (int i = 0; i < 60; ++i) drag_body(scene, target, q, workspace);
    const double error = measure_error(scene, target, q, workspace);
    constexpr double h = 1e-4;
    for (int k = 0; k < scene.nv(); ++k) {
      for (const double sign : {-1.0, 1.0}) {
        VecX v = VecX::Zero(scene.nv()), moved(scene.nq());
        v[k] = sign * h;
        integrate(scene, q, v, moved);
        EXPECT_GT(measure_error(scene, target, moved, workspace), error - 2e-6)
            << "seed " << seed << " dof " << k;
        ++looked;
      }
    }
  }
  EXPECT_GT(looked, 300);
}

// Places and orientations that a configuration nearby has are reached, whatever the axes.
TEST(Drag, ReachesPosesThatCanBeReached) {
  int reached = 0;
  constexpr int kAsked = 100;
  for (std::uint64_t seed = 0; seed < kAsked; ++seed) {
    Rng rng(seed);
    SceneSpec spec;
    for (int i = 0; i < 7; ++i) {
      spec.bodies.push_back(BodySpec{fmt::format("link{}", i)});
      spec.joints.push_back(
          {.name = fmt::format("j{}", i),
           .type = JointType::revolute,
           .parent = i == 0 ? "" : fmt::format("link{}", i - 1),
           .child = fmt::format("link{}", i),
           .X_PJ = Pose(so3::exp(random_vector(rng)), Vec3(0.3 * random_vector(rng))),
           .axis = Vec3::Unit(i % 3)});
    }
    const Scene scene = Scene::compile(spec).value();
    Workspace workspace(scene);
    VecX q(7), there(7);
    for (int i = 0; i < 7; ++i) {
      q[i] = rng.uniform(-1.5, 1.5);
      there[i] = q[i] + rng.uniform(-0.6, 0.6);
    }
    compute_kinematics(scene, there, workspace);
    const BodyId hand = *scene.find_body("link6");
    const Pose X = compute_pose(scene, workspace, hand);
    const Vec3 p_B = 0.2 * random_vector(rng);
    const DragTarget target{hand, p_B, X * p_B, X.R};
    for (int i = 0; i < 20; ++i) drag_body(scene, target, q, workspace);
    reached += measure_error(scene, target, q, workspace) < 1e-5;
  }
  EXPECT_GE(reached, 97);
}

TEST(Drag, LoosePartGoesWhereItShould) {
  SceneSpec spec;
  spec.bodies = {BodySpec{"crate"}, BodySpec{"lid"}};
  spec.joints = {{.name = "root", .type = JointType::free, .child = "crate"},
                 {.name = "weld", .type = JointType::fixed, .parent = "crate", .child = "lid"}};
  spec.joints[0].X_PJ = Pose::from_rpy(Vec3(1, 2, 3), 0.1, 0.2, 0.3);
  spec.joints[1].X_PJ = Pose::from_rpy(Vec3(0, 0, 0.5), 0, 0.4, 0);
  Rig rig(spec);
  const Mat3 R = so3::exp(Vec3(0.4, -2, 1));
  const DragReport report = rig.drag("lid", Vec3(0.1, 0, 0), Vec3(-1, 5, 2), R);
  EXPECT_LT(report.residual_m, 1e-12);
  const Pose X = compute_pose(rig.scene, rig.workspace, *rig.scene.find_body("lid"));
  EXPECT_LT((X.R - R).norm(), 1e-12);
  EXPECT_LT((X * Vec3(0.1, 0, 0) - Vec3(-1, 5, 2)).norm(), 1e-12);
  // Without an orientation it keeps the one it has.
  rig.drag("crate", Vec3::Zero(), Vec3(7, 0, 0));
  EXPECT_LT((compute_pose(rig.scene, rig.workspace, *rig.scene.find_body("lid")).R - R).norm(),
            1e-12);
}

TEST(Drag, ArmOfALooseRobotReachesAndItsBaseStays) {
  SceneSpec spec = make_planar_arm();
  spec.bodies.push_back(BodySpec{"base"});
  spec.joints[0].parent = "base";
  spec.joints.push_back({.name = "root", .type = JointType::free, .child = "base"});
  Rig rig(spec);
  const DragReport report = rig.drag("lower", kHand, Vec3(0.9, 0.9, 0));
  EXPECT_LT(report.residual_m, 1e-6);
  EXPECT_LT(rig.place("base", Vec3::Zero()).norm(), 1e-15);
}

TEST(Drag, CarriedPartPullsItsHand) {
  SceneSpec spec = make_planar_arm();
  spec.bodies.push_back(BodySpec{"cup"});
  spec.joints.push_back({.name = "cup_root", .type = JointType::free, .child = "cup"});
  spec.attachments = {{"cup", "lower", Pose::translation(kHand)}};
  Rig rig(spec);
  rig.q[0] = 0.2;
  ASSERT_TRUE(compute_dependents(rig.scene, rig.q, rig.workspace));
  const Vec3 at(0.5, 1.1, 0);
  EXPECT_LT(rig.drag("cup", Vec3::Zero(), at).residual_m, 1e-6);
  EXPECT_LT((rig.place("lower", kHand) - at).norm(), 1e-6);
  EXPECT_LT((rig.q.segment<3>(2) - at).norm(), 1e-6) << "its own entries tell where it is";
}

// The follower has twice its leader's angle and a limit of its own.
TEST(Drag, FollowersMoveWithTheirLeadersAndKeepTheirLimits) {
  SceneSpec spec = make_planar_arm();
  spec.joints[1].follow = FollowSpec{{"shoulder"}, LinearFollow{2, 0}};
  spec.joints[1].limits = {{-1, 1}};
  Rig rig(spec);
  rig.drag("lower", kHand,
           Vec3(std::cos(0.3) + 0.8 * std::cos(0.9), std::sin(0.3) + 0.8 * std::sin(0.9), 0));
  EXPECT_NEAR(rig.q[0], 0.3, 1e-6);
  EXPECT_NEAR(rig.q[1], 0.6, 1e-6);
  for (int i = 0; i < 20; ++i) rig.drag("lower", kHand, Vec3(-3, 0.5, 0));
  EXPECT_LE(std::abs(rig.q[1]), 1 + 1e-8);
  EXPECT_GT(rig.q[1], 0.9);
}

// A parallelogram: the coupler stays level however it is dragged.
TEST(Drag, LoopsStayClosed) {
  SceneSpec spec;
  spec.bodies = {BodySpec{"crank"}, BodySpec{"coupler"}, BodySpec{"rocker"}};
  spec.joints = {{.name = "a", .type = JointType::revolute, .child = "crank"},
                 {.name = "b", .type = JointType::revolute, .parent = "crank", .child = "coupler"},
                 {.name = "c", .type = JointType::revolute, .child = "rocker"}};
  for (JointSpec& j : spec.joints) j.axis = Vec3::UnitY();
  spec.joints[1].X_PJ = Pose::translation(0, 0, 1);
  spec.joints[2].X_PJ = Pose::translation(2, 0, 0);
  spec.loops = {{.name = "pin",
                 .body_a = "rocker",
                 .X_A = Pose::translation(0, 0, 1),
                 .body_b = "coupler",
                 .X_B = Pose::translation(2, 0, 0),
                 .constrained = {true, false, true, false, false, false}}};
  Rig rig(spec);
  ASSERT_TRUE(project_to_loops(rig.scene, rig.q, rig.workspace).closed);
  for (const double angle : {0.1, 0.4, 0.8, -0.5}) {
    const Vec3 at(1 + std::sin(angle), 0, std::cos(angle));
    const DragReport report = rig.drag("coupler", Vec3(1, 0, 0), at);
    EXPECT_LT(report.residual_m, 1e-6) << angle;
    EXPECT_LT(compute_loop_residual(rig.scene, rig.workspace), 1e-9);
    EXPECT_NEAR(rig.q[0], angle, 1e-5);
    EXPECT_NEAR(rig.q[0] + rig.q[1], 0, 1e-5);
  }
}

TEST(Drag, WhatIsFixedStaysAndTellsHowFar) {
  SceneSpec spec = make_planar_arm();
  spec.bodies.push_back(BodySpec{"wall"});
  Rig rig(spec);
  const VecX before = rig.q;
  EXPECT_NEAR(rig.drag("wall", Vec3::Zero(), Vec3(0, 3, 4)).residual_m, 5, 1e-12);
  EXPECT_EQ(rig.q, before);
  EXPECT_THROW(drag_body(rig.scene, {BodyId(77)}, rig.q, rig.workspace), std::out_of_range);
}

}  // namespace
}  // namespace geste

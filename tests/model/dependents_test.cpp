#include "geste/model/dependents.hpp"

#include <gtest/gtest.h>

#include "geste/model/kinematics.hpp"
#include "geste/model/loops.hpp"
#include "geste/model/mechanisms.hpp"

#include "random_scene.hpp"

// Passive joints (MV-3) and closed loops (MV-4).

namespace geste {
namespace {

using testing::random_pose;

/// A chain of revolute joints j0..jn-1, the last of which can be given a follow function.
SceneSpec make_chain(int n) {
  SceneSpec spec;
  for (int i = 0; i < n; ++i) {
    spec.bodies.push_back({.name = fmt::format("b{}", i)});
    JointSpec j;
    j.name = fmt::format("j{}", i);
    j.type = JointType::revolute;
    j.parent = i > 0 ? fmt::format("b{}", i - 1) : "";
    j.child = fmt::format("b{}", i);
    j.axis = Vec3(i % 2 == 0, 1, i % 3);
    j.X_PJ = Pose::translation(0.3, 0, 0.1);
    spec.joints.push_back(j);
  }
  return spec;
}

/// Central difference of the completed motion against the velocity map.
void expect_velocity_map_is_the_derivative(const Scene& scene, const VecX& q, double tolerance) {
  Workspace w(scene);
  MatX N;
  compute_velocity_map(scene, q, w, N);
  VecX ahead(scene.nq()), behind(scene.nq()), numeric(scene.nv());
  for (const Joint& j : scene.joints()) {
    if (j.role != JointRole::independent) continue;
    for (int k = j.v; k < j.v + j.nv; ++k) {
      constexpr double h = 1e-6;
      integrate(scene, q, VecX(h * VecX::Unit(scene.nv(), k)), ahead);
      integrate(scene, q, VecX(-h * VecX::Unit(scene.nv(), k)), behind);
      ASSERT_TRUE(compute_dependents(scene, ahead, w));
      ASSERT_TRUE(compute_dependents(scene, behind, w));
      difference(scene, behind, ahead, numeric);
      EXPECT_LT((N.col(k) - numeric / (2 * h)).norm(), tolerance) << "degree of freedom " << k;
    }
  }
}

TEST(Follow, MimicTableAndCallableInAChainOfFollowers) {
  SceneSpec spec = make_chain(6);
  // j4 follows j5 (declared later), which follows j0: the order of the file does not matter.
  spec.joints[4].follow = FollowSpec{{"j5"}, TableFollow{{{-1, 0}, {0, 0.5}, {2, -0.5}}}};
  spec.joints[5].follow = FollowSpec{{"j0"}, LinearFollow{-2, 0.1}};
  spec.joints[3].follow = FollowSpec{
      {"j0", "j1"},
      CallableFollow{[](std::span<const double> x) { return x[0] * std::sin(x[1]); }, {}}};
  const Scene scene = Scene::compile(spec).value();
  EXPECT_EQ(scene.joint(*scene.find_joint("j4")).role, JointRole::follower);
  Workspace w(scene);
  VecX q = VecX::Zero(6);
  q[0] = 0.3;
  q[1] = 0.7;
  ASSERT_TRUE(compute_dependents(scene, q, w));
  EXPECT_DOUBLE_EQ(q[5], -2 * 0.3 + 0.1);
  EXPECT_DOUBLE_EQ(q[4], 0.5 * (1 - 0.5));  // at -0.5, halfway from (-1, 0) to (0, 0.5)
  EXPECT_DOUBLE_EQ(q[3], 0.3 * std::sin(0.7));
  expect_velocity_map_is_the_derivative(scene, q, 1e-8);
  q[0] = -3;  // the leader of the table goes beyond its end: the end value holds
  ASSERT_TRUE(compute_dependents(scene, q, w));
  EXPECT_DOUBLE_EQ(q[4], -0.5);
}

TEST(Follow, FaultsAreNamed) {
  SceneSpec spec = make_chain(5);
  spec.joints[0].follow = FollowSpec{{"j1"}, LinearFollow{}};
  spec.joints[1].follow = FollowSpec{{"j0"}, LinearFollow{}};
  spec.joints[2].follow = FollowSpec{{"j33"}, LinearFollow{}};
  spec.joints[3].follow = FollowSpec{{"j4"}, TableFollow{{{0, 1}, {0, 2}}}};
  const auto scene = Scene::compile(spec);
  ASSERT_FALSE(scene);
  std::vector<std::string> codes{scene.error().code};
  for (const auto& d : scene.error().also) codes.push_back(d.code);
  for (const char* code : {"scene.follow_cycle", "scene.unknown_joint", "scene.follow_table"}) {
    EXPECT_NE(std::find(codes.begin(), codes.end(), code), codes.end()) << code;
  }
}

Vec3 far_end_gap(const Scene& scene, const Workspace& w) {
  return compute_pose(scene, w, *scene.find_frame("bar/far_end")).p -
         compute_pose(scene, w, *scene.find_frame("second/grip")).p;
}

TEST(Dumbbell, ExplicitFormulaClosesTheChainFromFiveLeadingParameters) {
  const Scene scene =
      Scene::compile(make_dumbbell_carriers(DumbbellClosure::explicit_formula)).value();
  int leading = 0;
  for (const Joint& j : scene.joints()) leading += j.role == JointRole::independent ? j.nv : 0;
  EXPECT_EQ(leading, 5);
  const auto sampler =
      ConfigurationSampler::make(scene, scene.find_group("leading")->joints).value();
  Workspace w(scene);
  VecX q = make_neutral(scene);
  Rng rng(31);
  int closed = 0;
  for (int i = 0; i < 1000; ++i) {
    sampler.sample(rng, q);
    const bool ok = compute_dependents(scene, q, w);
    EXPECT_LT(far_end_gap(scene, w).norm(), 1e-14);  // the pins meet even where the area ends
    EXPECT_EQ(ok, is_within_limits(scene, q));
    closed += ok;
    if (i % 100 == 0 && ok) expect_velocity_map_is_the_derivative(scene, q, 1e-7);
  }
  EXPECT_GT(closed, 500);
  EXPECT_LT(closed, 1000);
}

TEST(Dumbbell, ProjectionClosesTheSameChain) {
  const Scene scene = Scene::compile(make_dumbbell_carriers(DumbbellClosure::projection)).value();
  const auto sampler = ConfigurationSampler::make(scene).value();
  Workspace w(scene);
  VecX q = make_neutral(scene);
  Rng rng(32);
  for (int i = 0; i < 200; ++i) {
    sampler.sample(rng, q);
    const VecX before = q;
    ASSERT_TRUE(compute_dependents(scene, q, w));
    const double gap = far_end_gap(scene, w).norm();
    const ProjectionReport report = project_to_loops(scene, q, w);
    EXPECT_TRUE(report.closed);
    // The robots need not go farther than the gap was wide, give or take the curved way.
    EXPECT_LT(distance(scene, before, q), 1.5 * gap + 1e-9);
    EXPECT_LT(report.residual, 1e-10);
    EXPECT_LT(far_end_gap(scene, w).norm(), 1e-10);
    EXPECT_NEAR(report.residual, compute_loop_residual(scene, w), 1e-15);
  }
}

/// A planar four-bar linkage: the textbook closed loop, with a closed-form answer to compare with.
SceneSpec make_four_bar(double a, double b, double c, double d) {
  SceneSpec spec;
  const double offset[] = {0, a, b};
  for (int i = 0; i < 3; ++i) {
    spec.bodies.push_back({.name = fmt::format("bar{}", i)});
    JointSpec j;
    j.name = fmt::format("j{}", i);
    j.type = JointType::revolute;
    j.axis = Vec3::UnitZ();
    j.parent = i > 0 ? fmt::format("bar{}", i - 1) : "";
    j.child = fmt::format("bar{}", i);
    j.X_PJ = Pose::translation(offset[i], 0, 0);
    spec.joints.push_back(j);
  }
  spec.loops = {{"ground",
                 "",
                 Pose::translation(d, 0, 0),
                 "bar2",
                 Pose::translation(c, 0, 0),
                 {true, true, false, false, false, false},
                 {"j1", "j2"}}};
  return spec;
}

TEST(Loops, FourBarLinkageMeetsItsClosedForm) {
  // Crank a, coupler b, rocker c, ground d (Grashof: the crank goes around).
  const double a = 0.1, b = 0.35, c = 0.3, d = 0.3;
  const Scene scene = Scene::compile(make_four_bar(a, b, c, d)).value();
  Workspace w(scene);
  VecX q(3);
  q << 0, 1.2, -2.0;
  for (int step = 0; step < 360; ++step) {
    q[0] = step * std::numbers::pi / 180;
    const ProjectionReport report = project_to_loops(scene, q, w);
    ASSERT_TRUE(report.closed) << step;
    EXPECT_DOUBLE_EQ(q[0],
                     step * std::numbers::pi / 180);  // the crank was not among the joints to move
    // Freudenstein: with K1 = d/a, K2 = d/c, K3 = (a^2 - b^2 + c^2 + d^2)/(2ac),
    // K1 cos(rocker) - K2 cos(crank) + K3 = cos(crank - rocker), the rocker seen from the ground
    // pivot.
    const Vec3 p = compute_pose(scene, w, BodyId(2)).p - Vec3(d, 0, 0);
    const double rocker = std::atan2(p.y(), p.x()), crank = q[0];
    const double K3 = (a * a - b * b + c * c + d * d) / (2 * a * c);
    EXPECT_NEAR(d / a * std::cos(rocker) - d / c * std::cos(crank) + K3, std::cos(crank - rocker),
                1e-9);
  }
}

TEST(Loops, WhatCannotCloseSaysHowFarItIs) {
  // Bars too short to reach: the best is a stretched line, and the gap is known.
  const Scene scene = Scene::compile(make_four_bar(0.1, 0.1, 0.1, 0.5)).value();
  Workspace w(scene);
  VecX q(3);
  q << 0, 0.4, -0.3;
  const ProjectionReport report = project_to_loops(scene, q, w);
  EXPECT_FALSE(report.closed);
  EXPECT_NEAR(report.residual, 0.2, 1e-6);
}

TEST(Loops, SpatialLoopsOfRandomChainsClose) {
  Rng rng(33);
  int closed = 0;
  for (int n = 0; n < 30; ++n) {
    SceneSpec spec = make_chain(8);
    for (JointSpec& j : spec.joints) j.axis = testing::random_vector(rng);
    const Scene open = Scene::compile(spec).value();
    // A target that is reachable: where the tip is in some configuration.
    Workspace w(open);
    const VecX goal = testing::random_configuration(open, rng);
    compute_kinematics(open, goal, w);
    spec.loops = {{"tip",
                   "",
                   compute_pose(open, w, BodyId(7)),
                   "b7",
                   Pose(),
                   {true, true, true, true, true, true},
                   {}}};
    const Scene scene = Scene::compile(spec).value();
    Workspace closing(scene);
    VecX q = goal;
    for (int k = 0; k < q.size(); ++k) q[k] += rng.uniform(-0.4, 0.4);
    const ProjectionReport report = project_to_loops(scene, q, closing);
    closed += report.closed;
    if (report.closed) {
      EXPECT_LT(report.residual, 1e-10);
      EXPECT_TRUE(compute_pose(scene, closing, BodyId(7)).is_approx(spec.loops[0].X_A, 1e-9));
    }
  }
  EXPECT_GE(closed, 29);
}

TEST(Loops, JointsOfFormulasMoveThroughTheirLeaders) {
  // The slider that closes the loop is given by a formula; its leader has to move.
  SceneSpec spec;
  for (const char* name : {"lead", "slide"}) {
    spec.bodies.push_back({.name = name});
    JointSpec j;
    j.name = std::string(name) + "_joint";
    j.child = name;
    j.type = JointType::prismatic;
    spec.joints.push_back(j);
  }
  spec.explicit_loops = {{"twice",
                          {"lead_joint"},
                          {"slide_joint"},
                          [](std::span<const double> in, std::span<double> out) {
                            out[0] = 2 * in[0];
                            return true;
                          }}};
  spec.loops = {{"stop",
                 "",
                 Pose::translation(1, 0, 0),
                 "slide",
                 Pose(),
                 {true, false, false, false, false, false},
                 {}}};
  const Scene scene = Scene::compile(spec).value();
  ASSERT_EQ(scene.loops()[0].joints.size(), 1u);
  EXPECT_EQ(scene.joint(scene.loops()[0].joints[0]).name, "lead_joint");
  Workspace w(scene);
  VecX q = make_neutral(scene);
  EXPECT_TRUE(project_to_loops(scene, q, w).closed);
  EXPECT_NEAR(q[0], 0.5, 1e-10);
}

TEST(Loops, SharedLeadersAreCountedOnce) {
  // Each follower has the two before it as leaders: without a memory the search doubles each time.
  SceneSpec spec = make_chain(26);
  for (std::size_t i = 2; i < 26; ++i) {
    spec.joints[i].follow =
        FollowSpec{{spec.joints[i - 1].name, spec.joints[i - 2].name},
                   CallableFollow{[](std::span<const double> x) { return x[0] - x[1]; }, {}}};
  }
  spec.loops = {{"tip", "", Pose(), "b25", Pose(), {true, true, true, false, false, false}, {}}};
  const Scene scene = Scene::compile(spec).value();
  EXPECT_EQ(scene.loops()[0].joints.size(), 2u);
}

}  // namespace
}  // namespace geste

#include "geste/planning/explain.hpp"

#include <gtest/gtest.h>

#include "geste/planning/confinement.hpp"
#include "geste/planning/straight.hpp"

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using testing::add_wall;
using testing::make_window_problem;
using testing::make_window_world;
using testing::Playground;

/// Searches, finds nothing, and asks why.
struct Failure {
  Failure(double bar, double window, std::uint64_t seed, int threads = 1)
      : rig(make_window_world(bar, window)), problem(make_window_problem()) {
    // Nearly before the window, and turned nearly as it goes through.
    const Quat turned(Eigen::AngleAxisd(0.2, Vec3::UnitZ()));
    problem.start << -0.5, 0.06, -0.05, turned.coeffs();
    problem.goals[0] << 0.5, -0.03, 0.04, turned.coeffs();
    options.plan.threads = threads;
    options.samples = 1000;
    report = plan({rig.space, *rig.steering, rig.validator}, problem, options.plan,
                  Budget::steps(2000), Rng(seed));
    explainer.emplace(PlanningWorld{rig.space, *rig.steering, rig.validator}, problem, options,
                      Budget(), Rng(seed).split(1));
  }

  Playground rig;
  PlanningProblem problem;
  ExplainOptions options;
  PlanReport report;
  std::optional<Explainer> explainer;
};

// GX-3: a bar of 100 x 100 mm before a window of 90 x 90 mm lacks 10 mm, whichever way it is
// turned.
TEST(Explain, FindsHowMuchIsMissing) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Failure f(0.4, 0.09, seed);
    ASSERT_EQ(f.report.status, PlanStatus::used_up);
    EXPECT_EQ(f.report.nearest.size(), 7);
    const auto shortfall = f.explainer->find_shortfall(0.045);
    ASSERT_TRUE(shortfall) << seed;
    EXPECT_GE(2 * shortfall->thinner, 0.01);
    EXPECT_LE(2 * shortfall->thinner, 0.013) << seed;
    // The way is free for what is thinner, by the second prover, and not for what is not.
    ChangedWorld thin({f.rig.space, *f.rig.steering, f.rig.validator}, {{}, shortfall->thinner});
    VerifyOptions verify;
    verify.touch = 1e-7;
    EXPECT_TRUE(
        verify_motion(thin.scene(), thin.model(), f.rig.make_motion(shortfall->path), verify)
            .is_free);
    EXPECT_FALSE(f.rig.verify(shortfall->path).is_free);
    EXPECT_FALSE(shortfall->between.empty());
    EXPECT_LT(shortfall->deepest.separation.distance, 0);
  }
}

// GX-3: any one side of the window is enough; the way without it is proven, and the second prover
// finds the side on it.
TEST(Explain, NamesTheFewestPartsThatMustGo) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Failure f(0.6, 0.05, seed);
    ASSERT_EQ(f.report.status, PlanStatus::used_up);
    const auto blockage = f.explainer->find_blockage(f.report);
    ASSERT_TRUE(blockage);
    ASSERT_EQ(blockage->parts.size(), 1u);
    const VerifyReport whole = f.rig.verify(blockage->path);
    EXPECT_FALSE(whole.is_free);
    EXPECT_TRUE(whole.a == blockage->parts[0] || whole.b == blockage->parts[0]);
    const ChangedWorld without({f.rig.space, *f.rig.steering, f.rig.validator},
                               {blockage->parts, 0});
    EXPECT_TRUE(
        verify_motion(without.scene(), without.model(), f.rig.make_motion(blockage->path)).is_free);
  }
}

// GX-6
TEST(Explain, SaysTheSameOnAnyNumberOfThreads) {
  Failure one(0.6, 0.05, 7, 1), two(0.6, 0.05, 7, 2);
  const auto a = one.explainer->find_blockage(one.report),
             b = two.explainer->find_blockage(two.report);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->parts, b->parts);
  EXPECT_EQ(a->path, b->path);
}

TEST(Explain, TriesTheWaysOfTheSteeringMethodInOrder) {
  Playground rig(make_window_world(0.6, 0.3));
  PlanningProblem problem;
  problem.start.resize(7);
  problem.start << -0.6, 0, 0, 0, 0, 0, 1;
  const auto goal = [&](double x, double y) {
    VecX point = problem.start;
    point[0] = x;
    point[1] = y;
    return point;
  };
  problem.goals = {goal(0.6, 0.5), goal(0.6, 0), goal(-0.6, 0.3)};
  const auto found = find_straight_way(problem, rig.local);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->goal, 1);
  EXPECT_TRUE(rig.verify(found->path).is_free);
  problem.goals.resize(1);
  EXPECT_FALSE(find_straight_way(problem, rig.local));
}

/// A cube of 100 mm in a closed room with a square window.
SceneSpec make_cell(double hole) {
  SceneSpec spec = make_window_world(0.1, hole);
  add_wall(spec, "end", Vec3(0.05, 2, 2), Vec3(-1, 0, 0));
  add_wall(spec, "floor", Vec3(1.05, 2, 0.05), Vec3(-0.5, 0, -1));
  add_wall(spec, "roof", Vec3(1.05, 2, 0.05), Vec3(-0.5, 0, 1));
  add_wall(spec, "front", Vec3(1.05, 0.05, 2), Vec3(-0.5, -1, 0));
  add_wall(spec, "back", Vec3(1.05, 0.05, 2), Vec3(-0.5, 1, 0));
  return spec;
}

// GX-3: a ball of 100 mm gets out through 104 mm and not through 96 mm, which the cells prove.
TEST(Confinement, ProvesWhatABallCannotLeaveAndNothingElse) {
  for (const double hole : {0.09, 0.096, 0.104, 0.2}) {
    Playground rig(make_cell(hole));
    const auto ball = find_inner_ball(rig.space, rig.model);
    ASSERT_TRUE(ball);
    EXPECT_NEAR(ball->radius, 0.05, 1e-4);
    VecX start(7);
    start << -0.5, 0.3, 0.2, 0, 0, 0, 1;
    BallGoal there;
    there.places = {Vec3(0.6, 0, 0)};
    const auto proof = prove_confined(rig.space, rig.model, *ball, start, there);
    EXPECT_EQ(proof.has_value(), hole < 0.1) << hole;
    BallGoal out;
    out.outside = AxisBox{Vec3(-1.1, -1.1, -1.1), Vec3(0.2, 1.1, 1.1)};
    const auto again = prove_confined(rig.space, rig.model, *ball, start, out);
    EXPECT_EQ(again.has_value(), hole < 0.1) << hole;
    BallGoal inside;
    inside.places = {Vec3(-0.5, -0.3, 0.2)};
    EXPECT_FALSE(prove_confined(rig.space, rig.model, *ball, start, inside)) << hole;
    if (!proof) continue;
    // No farther than the walls, which are all named.
    EXPECT_GT(proof->box.min.x(), -1);
    EXPECT_LT(proof->box.max.x(), 0.01);
    EXPECT_EQ(proof->walls.size(), 9u);
  }
}

}  // namespace
}  // namespace geste

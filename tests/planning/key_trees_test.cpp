#include "geste/planning/key_trees.hpp"

#include <gtest/gtest.h>

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

PlanReport search_with_keys(Playground& p, const PlanningProblem& problem, std::uint64_t seed,
                            const Budget& budget) {
  KeyTreesMemory memory(p.local.world());
  Rng rng(seed);
  return plan_key_trees(problem, {}, p.local, memory, budget, rng);
}

// MV-5, MV-9, GX-2: a window with a quarter of the bar's thickness to spare; the second prover says
// the same of every way.
TEST(KeyTrees, FindNarrowWindows) {
  Playground p(make_window_world(0.6, 0.125));
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const PlanningProblem problem = make_window_problem();
    const PlanReport report = search_with_keys(p, problem, seed, Budget::steps(3'000'000));
    ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
    EXPECT_EQ(report.goal, 0);
    EXPECT_EQ(report.path.col(0), problem.start);
    EXPECT_EQ(report.path.rightCols(1), problem.goals[0]);
    EXPECT_TRUE(p.verify(report.path).is_free) << "seed " << seed;
  }
}

// Without places to begin in they are trees like others.
TEST(KeyTrees, FindWaysWhereNothingIsNarrow) {
  SceneSpec spec = make_loose_box("bar", Vec3(0.6, 0.1, 0.1), Vec3(1, 1, 1));
  add_wall(spec, "wall", Vec3(0.1, 1.2, 1.2), Vec3(0, 0, 0));
  Playground p(std::move(spec));
  const PlanReport report = search_with_keys(p, make_window_problem(), 1, Budget::steps(300'000));
  ASSERT_EQ(report.status, PlanStatus::found);
  EXPECT_TRUE(p.verify(report.path).is_free);
}

TEST(KeyTrees, FindNothingThroughWhatIsTooSmall) {
  Playground p(make_window_world(0.6, 0.095));
  const PlanReport report = search_with_keys(p, make_window_problem(), 1, Budget::steps(200'000));
  EXPECT_EQ(report.status, PlanStatus::used_up);
  EXPECT_EQ(report.path.cols(), 0);
  EXPECT_GE(report.steps, 200'000u);
}

// Of two goals one is in the wall.
TEST(KeyTrees, AskAboutTheEnds) {
  Playground p(make_window_world(0.6, 0.3));
  PlanningProblem problem = make_window_problem();
  VecX blocked = problem.goals[0];
  blocked[0] = 0.02;
  problem.goals.insert(problem.goals.begin(), blocked);
  const PlanReport report = search_with_keys(p, problem, 1, Budget::steps(1'000'000));
  ASSERT_EQ(report.status, PlanStatus::found);
  EXPECT_EQ(report.goal, 1);
  problem.goals.resize(1);
  EXPECT_EQ(search_with_keys(p, problem, 1, Budget::steps(10)).status, PlanStatus::goal_blocked);
  std::swap(problem.start, problem.goals[0]);
  EXPECT_EQ(search_with_keys(p, problem, 1, Budget::steps(10)).status, PlanStatus::start_blocked);
}

// GX-6: what was found so far is kept, in short turns as in long ones.
TEST(KeyTrees, GoOnWhereTheyEnded) {
  Playground p(make_window_world(0.6, 0.13));
  for (const std::uint64_t turn : {100, 50'000}) {
    KeyTreesMemory memory(p.local.world());
    Rng rng(3);
    PlanReport report;
    for (int k = 0; k < 30'000 && report.status == PlanStatus::used_up; ++k)
      report = plan_key_trees(make_window_problem(), {}, p.local, memory, Budget::steps(turn), rng);
    ASSERT_EQ(report.status, PlanStatus::found) << turn;
    EXPECT_TRUE(p.verify(report.path).is_free) << turn;
    // Who asks again is told the same.
    const PlanReport again =
        plan_key_trees(make_window_problem(), {}, p.local, memory, Budget::steps(turn), rng);
    EXPECT_EQ(again.path, report.path);
  }
}

// Of goals side by side one is reached, and the way ends there.
TEST(KeyTrees, ReachOneOfSeveralGoals) {
  Playground p(make_window_world(0.6, 0.3));
  PlanningProblem problem = make_window_problem();
  for (int k = 1; k < 5; ++k) {
    problem.goals.push_back(problem.goals[0]);
    problem.goals.back()[2] += 0.05 * k;
  }
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PlanReport report = search_with_keys(p, problem, seed, Budget::steps(1'000'000));
    ASSERT_EQ(report.status, PlanStatus::found);
    EXPECT_EQ(report.path.rightCols(1), problem.goals[static_cast<std::size_t>(report.goal)]);
    for (Eigen::Index k = 0; k + 1 < report.path.cols(); ++k)
      for (const VecX& goal : problem.goals) EXPECT_NE(report.path.col(k), goal);
  }
}

TEST(KeyTrees, CanBeCalledOff) {
  Playground p(make_window_world());
  CancelSource cancel;
  cancel.request();
  Budget budget;
  budget.cancel = cancel.token();
  EXPECT_EQ(search_with_keys(p, make_window_problem(), 1, budget).status, PlanStatus::cancelled);
}

TEST(KeyTrees, AreForLooseParts) {
  SceneSpec planar = make_window_world();
  planar.joints[0].type = JointType::planar;
  planar.joints[0].axis = Vec3::UnitZ();
  planar.joints[0].limits.resize(3);
  planar.joints[0].limits[2] = {};
  Playground p(std::move(planar));
  EXPECT_THROW(search_with_keys(p, {p.space.rest(), {p.space.rest()}}, 1, Budget::steps(1)),
               std::invalid_argument);
}

}  // namespace
}  // namespace geste

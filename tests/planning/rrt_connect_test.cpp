#include <gtest/gtest.h>

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

PlanReport plan(Playground& p, const PlanningProblem& problem, std::uint64_t seed,
                std::uint64_t steps = 200'000) {
  RrtConnectMemory memory(p.space);
  Rng rng(seed);
  return plan_rrt_connect(problem, {}, p.local, memory, Budget::steps(steps), rng);
}

// MV-5, MV-9, GX-2: whatever is found is proven by the second prover too, in worlds of every joint
// type and shape.
TEST(RrtConnect, EveryPathHoldsForTheSecondProver) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Rng rng(seed);
    Playground p(make_random_world(rng, 3, 8));
    const VecX start = p.draw_free(rng), goal = p.draw_free(rng);
    if (start.size() == 0 || goal.size() == 0) continue;
    PlanReport report = plan(p, {start, {goal}}, seed, 2000);
    if (report.status != PlanStatus::found) continue;
    ++found;
    EXPECT_EQ(report.path.col(0), start);
    EXPECT_EQ(report.path.rightCols(1), goal);
    EXPECT_TRUE(p.verify(report.path).is_free) << "seed " << seed;
    const double before = measure_length(p.space, report.path);
    shorten(report.path, {}, p.local, {}, rng);
    EXPECT_LE(measure_length(p.space, report.path), before * (1 + 1e-9));
    EXPECT_EQ(report.path.col(0), start);
    EXPECT_EQ(report.path.rightCols(1), goal);
    EXPECT_TRUE(p.verify(report.path).is_free) << "shortened, seed " << seed;
  }
  EXPECT_GE(found, 30);
}

// MV-1: a free body through a narrow window, over several seeds.
TEST(RrtConnect, TurnsABarThroughAWindow) {
  Playground p(make_window_world());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PlanReport report = plan(p, make_window_problem(), seed);
    ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
    EXPECT_TRUE(p.verify(report.path).is_free);
  }
}

// A free way is one leg, however long: nothing makes a motion stop on it.
TEST(RrtConnect, AStraightWayHasNoPointsOnIt) {
  Playground p(make_window_world());
  PlanningProblem problem = make_window_problem();
  problem.goals[0] = problem.start;
  problem.goals[0][1] = -0.55;
  problem.goals[0][2] = -0.25;
  PlanReport report = plan(p, problem, 1);
  ASSERT_EQ(report.status, PlanStatus::found);
  Rng rng(1);
  shorten(report.path, {}, p.local, {}, rng);
  EXPECT_EQ(report.path.cols(), 2);
}

// GX-6
TEST(RrtConnect, SameSeedSamePath) {
  Playground p(make_window_world());
  const PlanReport a = plan(p, make_window_problem(), 3), b = plan(p, make_window_problem(), 3);
  EXPECT_EQ(a.path, b.path);
  EXPECT_EQ(a.steps, b.steps);
}

TEST(RrtConnect, SaysWhatIsWrongWithItsEnds) {
  Playground p(make_window_world());
  PlanningProblem problem = make_window_problem();
  VecX inside = problem.start;
  inside[0] = 0;
  EXPECT_EQ(plan(p, {inside, problem.goals}, 1).status, PlanStatus::start_blocked);
  EXPECT_EQ(plan(p, {problem.start, {inside}}, 1).status, PlanStatus::goal_blocked);
  // Of several goals the free ones count: nothing may set out from inside a wall.
  problem.goals.insert(problem.goals.begin(), inside);
  const PlanReport report = plan(p, problem, 1);
  ASSERT_EQ(report.status, PlanStatus::found);
  EXPECT_EQ(report.goal, 1);
  EXPECT_EQ(report.path.rightCols(1), problem.goals[1]);
  VecX outside = problem.start;
  outside[0] = -3;
  EXPECT_EQ(plan(p, {outside, problem.goals}, 1).status, PlanStatus::start_blocked);
}

TEST(RrtConnect, GoesOnWhereItEnded) {
  Playground p(make_window_world());
  RrtConnectMemory memory(p.space);
  Rng rng(1);
  PlanReport report;
  int rounds = 0;
  for (; report.status != PlanStatus::found && rounds < 1000; ++rounds)
    report = plan_rrt_connect(make_window_problem(), {}, p.local, memory, Budget::steps(200), rng);
  ASSERT_EQ(report.status, PlanStatus::found);
  EXPECT_EQ(report.path, plan(p, make_window_problem(), 1).path);
  CancelSource cancel;
  cancel.request();
  Budget budget;
  budget.cancel = cancel.token();
  RrtConnectMemory fresh(p.space);
  EXPECT_EQ(plan_rrt_connect(make_window_problem(), {}, p.local, fresh, budget, rng).status,
            PlanStatus::cancelled);
}

}  // namespace
}  // namespace geste

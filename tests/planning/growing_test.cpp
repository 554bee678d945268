#include "geste/planning/growing.hpp"

#include <gtest/gtest.h>

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

PlanReport search(Playground& p, const PlanningProblem& problem, std::uint64_t seed,
                  const Budget& budget) {
  GrowingMemory memory(p.local.world());
  Rng rng(seed);
  return plan_growing(problem, {}, memory, budget, rng);
}

// MV-5, MV-9, GX-2: a window with a twentieth of the bar's thickness to spare; the second prover
// says the same of every way.
TEST(Growing, FindsNarrowWindows) {
  Playground p(make_window_world(0.6, 0.11));
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const PlanningProblem problem = make_window_problem();
    const PlanReport report = search(p, problem, seed, Budget::steps(300'000));
    ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
    EXPECT_EQ(report.goal, 0);
    EXPECT_EQ(report.path.col(0), problem.start);
    EXPECT_EQ(report.path.rightCols(1), problem.goals[0]);
    EXPECT_TRUE(p.verify(report.path).is_free) << "seed " << seed;
  }
}

// What is slim goes through a window that what is whole does not fit through: that is no way.
TEST(Growing, FindsNothingForTheSlimAlone) {
  Playground p(make_window_world(0.6, 0.095));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const PlanReport report = search(p, make_window_problem(), seed, Budget::steps(60'000));
    EXPECT_EQ(report.status, PlanStatus::used_up) << "seed " << seed;
    EXPECT_EQ(report.path.cols(), 0);
    EXPECT_GT(report.steps, 50'000u);
  }
}

// Of two goals one is in the wall; only the other counts, also where the slim bar is free.
TEST(Growing, AsksTheWholeAboutTheEnds) {
  Playground p(make_window_world(0.6, 0.3));
  PlanningProblem problem = make_window_problem();
  VecX blocked = problem.goals[0];
  blocked[0] = 0.07;  // upright, with 5 mm of it in the wall
  problem.goals.insert(problem.goals.begin(), blocked);
  const PlanReport report = search(p, problem, 1, Budget::steps(100'000));
  ASSERT_EQ(report.status, PlanStatus::found);
  EXPECT_EQ(report.goal, 1);
  problem.goals.resize(1);
  EXPECT_EQ(search(p, problem, 1, Budget::steps(10)).status, PlanStatus::goal_blocked);
  std::swap(problem.start, problem.goals[0]);
  EXPECT_EQ(search(p, problem, 1, Budget::steps(10)).status, PlanStatus::start_blocked);
}

// GX-6: what was found so far is kept, in short turns as in long ones.
TEST(Growing, GoesOnWhereItEnded) {
  Playground p(make_window_world(0.6, 0.12));
  for (const std::uint64_t turn : {100, 5000}) {
    GrowingMemory memory(p.local.world());
    Rng rng(3);
    PlanReport report;
    for (int k = 0; k < 3000 && report.status == PlanStatus::used_up; ++k)
      report = plan_growing(make_window_problem(), {}, memory, Budget::steps(turn), rng);
    ASSERT_EQ(report.status, PlanStatus::found) << turn;
    EXPECT_TRUE(p.verify(report.path).is_free) << turn;
  }
}

TEST(Growing, CanBeCalledOff) {
  Playground p(make_window_world());
  CancelSource cancel;
  cancel.request();
  Budget budget;
  budget.cancel = cancel.token();
  EXPECT_EQ(search(p, make_window_problem(), 1, budget).status, PlanStatus::cancelled);
}

}  // namespace
}  // namespace geste

#include <gtest/gtest.h>

#include <functional>

#include "geste/planning/growing.hpp"
#include "geste/planning/key_trees.hpp"

#include "planning/planning_testing.hpp"

// What all searches for a loose part owe.

namespace geste {
namespace {

using namespace testing;

/// A search with its memory.
using Ask = std::function<PlanReport(const PlanningProblem&, const Budget&, Rng&)>;

struct LooseSearch {
  const char* name;
  Ask (*begin)(Playground&);
  double window;        ///< the narrowest that it finds soon, for a bar of 0.1
  std::uint64_t steps;  ///< that this takes at most

  friend std::ostream& operator<<(std::ostream& out, const LooseSearch& s) { return out << s.name; }
};

Ask begin_growing(Playground& p) {
  auto memory = std::make_shared<GrowingMemory>(p.local.world());
  return [memory](const PlanningProblem& problem, const Budget& budget, Rng& rng) {
    return plan_growing(problem, {}, *memory, budget, rng);
  };
}

Ask begin_key_trees(Playground& p) {
  auto memory = std::make_shared<KeyTreesMemory>(p.local.world());
  return [memory, &p](const PlanningProblem& problem, const Budget& budget, Rng& rng) {
    return plan_key_trees(problem, {}, p.local, *memory, budget, rng);
  };
}

class LooseSearches : public ::testing::TestWithParam<LooseSearch> {
 protected:
  static PlanReport search(Playground& p, const PlanningProblem& problem, std::uint64_t seed,
                           const Budget& budget) {
    Rng rng(seed);
    return GetParam().begin(p)(problem, budget, rng);
  }
};

// MV-5, MV-9, GX-2: the second prover says the same of every way.
TEST_P(LooseSearches, FindNarrowWindows) {
  Playground p(make_window_world(0.6, GetParam().window));
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const PlanningProblem problem = make_window_problem();
    const PlanReport report = search(p, problem, seed, Budget::steps(GetParam().steps));
    ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
    EXPECT_EQ(report.goal, 0);
    EXPECT_EQ(report.path.col(0), problem.start);
    EXPECT_EQ(report.path.rightCols(1), problem.goals[0]);
    EXPECT_TRUE(p.verify(report.path).is_free) << "seed " << seed;
  }
}

// What is slim goes through a window that what is whole does not fit through: that is no way.
TEST_P(LooseSearches, FindNothingThroughWhatIsTooSmall) {
  Playground p(make_window_world(0.6, 0.095));
  const std::uint64_t steps = GetParam().steps / 5;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const PlanReport report = search(p, make_window_problem(), seed, Budget::steps(steps));
    EXPECT_EQ(report.status, PlanStatus::used_up) << "seed " << seed;
    EXPECT_EQ(report.path.cols(), 0);
    EXPECT_GT(report.steps, steps * 8 / 10);
  }
}

// Of two goals one is in the wall; only the other counts, also where the slim bar is free.
TEST_P(LooseSearches, AskTheWholeAboutTheEnds) {
  Playground p(make_window_world(0.6, 0.3));
  PlanningProblem problem = make_window_problem();
  VecX blocked = problem.goals[0];
  blocked[0] = 0.07;  // upright, with 5 mm of it in the wall
  problem.goals.insert(problem.goals.begin(), blocked);
  const PlanReport report = search(p, problem, 1, Budget::steps(GetParam().steps));
  ASSERT_EQ(report.status, PlanStatus::found);
  EXPECT_EQ(report.goal, 1);
  problem.goals.resize(1);
  EXPECT_EQ(search(p, problem, 1, Budget::steps(10)).status, PlanStatus::goal_blocked);
  std::swap(problem.start, problem.goals[0]);
  EXPECT_EQ(search(p, problem, 1, Budget::steps(10)).status, PlanStatus::start_blocked);
}

// GX-6: what was found so far is kept, in short turns as in long ones.
TEST_P(LooseSearches, GoOnWhereTheyEnded) {
  Playground p(make_window_world(0.6, GetParam().window + 0.01));
  for (const std::uint64_t turn : {std::uint64_t{100}, GetParam().steps / 60}) {
    const Ask ask = GetParam().begin(p);
    Rng rng(3);
    PlanReport report;
    for (std::uint64_t spent = 0; spent < GetParam().steps && report.status == PlanStatus::used_up;
         spent += turn)
      report = ask(make_window_problem(), Budget::steps(turn), rng);
    ASSERT_EQ(report.status, PlanStatus::found) << turn;
    EXPECT_TRUE(p.verify(report.path).is_free) << turn;
  }
}

TEST_P(LooseSearches, CanBeCalledOff) {
  Playground p(make_window_world());
  CancelSource cancel;
  cancel.request();
  Budget budget;
  budget.cancel = cancel.token();
  EXPECT_EQ(search(p, make_window_problem(), 1, budget).status, PlanStatus::cancelled);
}

INSTANTIATE_TEST_SUITE_P(All, LooseSearches,
                         ::testing::Values(LooseSearch{"growing", begin_growing, 0.11, 300'000},
                                           LooseSearch{"key_trees", begin_key_trees, 0.125,
                                                       3'000'000}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace geste

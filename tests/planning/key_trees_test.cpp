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

// Without places to begin in they are trees like others.
TEST(KeyTrees, FindWaysWhereNothingIsNarrow) {
  SceneSpec spec = make_loose_box("bar", Vec3(0.6, 0.1, 0.1), Vec3(1, 1, 1));
  add_wall(spec, "wall", Vec3(0.1, 1.2, 1.2), Vec3(0, 0, 0));
  Playground p(std::move(spec));
  const PlanReport report = search_with_keys(p, make_window_problem(), 1, Budget::steps(300'000));
  ASSERT_EQ(report.status, PlanStatus::found);
  EXPECT_TRUE(p.verify(report.path).is_free);
}

TEST(KeyTrees, TellTheSameWhenAskedAgain) {
  Playground p(make_window_world(0.6, 0.3));
  KeyTreesMemory memory(p.local.world());
  Rng rng(3);
  const auto ask = [&] {
    return plan_key_trees(make_window_problem(), {}, p.local, memory, Budget::steps(1'000'000),
                          rng);
  };
  const PlanReport first = ask(), again = ask();
  ASSERT_EQ(first.status, PlanStatus::found);
  EXPECT_EQ(again.status, PlanStatus::found);
  EXPECT_EQ(again.path, first.path);
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

#include "geste/planning/contact_roadmap.hpp"

#include <gtest/gtest.h>

#include "geste/planning/plan.hpp"

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

PlanReport search(Playground& p, const PlanningProblem& problem, std::uint64_t seed,
                  std::uint64_t steps) {
  ContactRoadmapMemory memory(p.space);
  Rng rng(seed);
  return plan_contact_roadmap(problem, {}, p.local, memory, Budget::steps(steps), rng);
}

// MV-5, MV-9, GX-2: whatever is found is proven by the second prover too.
TEST(ContactRoadmap, EveryPathHoldsForTheSecondProver) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 14; ++seed) {
    Rng rng(seed);
    Playground p(make_random_world(rng, 3, 8));
    const VecX start = p.draw_free(rng), goal = p.draw_free(rng);
    if (start.size() == 0 || goal.size() == 0) continue;
    if (!p.steering->takes_any_leg() || p.space.has_dependents()) continue;
    const PlanReport report = search(p, {start, {goal}}, seed, 2000);
    if (report.status != PlanStatus::found) continue;
    ++found;
    EXPECT_EQ(report.path.col(0), start);
    EXPECT_EQ(report.path.rightCols(1), goal);
    EXPECT_TRUE(p.verify(report.path).is_free) << "seed " << seed;
  }
  EXPECT_GE(found, 5);
}

// MV-5: a window with a tenth of the bar's thickness to spare on each side, which trees do not
// find.
TEST(ContactRoadmap, FindsNarrowWindows) {
  Playground p(make_window_world(0.6, 0.12));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PlanReport report = search(p, make_window_problem(), seed, 100'000);
    ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
    EXPECT_EQ(report.goal, 0);
    EXPECT_TRUE(p.verify(report.path).is_free) << "seed " << seed;
  }
}

// MV-5: a cube in a channel with a corner, closed behind it, a tenth of its size to spare on each
// side.
TEST(ContactRoadmap, FollowsAChannelAroundItsCorner) {
  SceneSpec spec = make_loose_box("cube", Vec3(0.2, 0.2, 0.2), Vec3(2, 2, 2));
  add_wall(spec, "below", Vec3(2.6, 2.6, 0.1), Vec3(0, 0, -0.17));
  add_wall(spec, "above", Vec3(2.6, 2.6, 0.1), Vec3(0, 0, 0.17));
  add_wall(spec, "end", Vec3(0.1, 0.34, 0.34), Vec3(-1.1, 0, 0));
  add_wall(spec, "outer", Vec3(1.32, 0.1, 0.34), Vec3(-0.44, -0.17, 0));
  add_wall(spec, "inner", Vec3(0.98, 0.1, 0.34), Vec3(-0.61, 0.17, 0));
  add_wall(spec, "far", Vec3(0.1, 1.32, 0.34), Vec3(0.17, 0.44, 0));
  add_wall(spec, "near", Vec3(0.1, 0.98, 0.34), Vec3(-0.17, 0.61, 0));
  Playground p(std::move(spec));
  VecX start(7), goal(7);
  start << -0.9, 0, 0, 0, 0, 0, 1;
  goal << 0, 1.6, 0.5, 0, 0, 0, 1;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PlanReport report = search(p, {start, {goal}}, seed, 100'000);
    ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
    EXPECT_TRUE(p.verify(report.path).is_free) << "seed " << seed;
  }
}

// GX-6: what tasks call finds them as well, the same on any number of threads.
TEST(ContactRoadmap, PlansAlikeOnAnyNumberOfThreads) {
  Playground p(make_window_world(0.6, 0.12));
  MatX first;
  for (const int threads : {1, 2, 4}) {
    PlanOptions options;
    options.threads = threads;
    const PlanReport report = plan(p.local.world(), make_window_problem(), options, {}, Rng(5));
    ASSERT_EQ(report.status, PlanStatus::found);
    EXPECT_TRUE(p.verify(report.path).is_free);
    if (threads == 1) first = report.path;
    EXPECT_EQ(report.path, first) << threads << " threads";
  }
}

// A search that is interrupted goes on as if it had not been.
TEST(ContactRoadmap, GoesOnWhereItEnded) {
  Playground p(make_window_world(0.6, 0.14));
  const PlanReport whole = search(p, make_window_problem(), 3, 100'000);
  ASSERT_EQ(whole.status, PlanStatus::found);
  ContactRoadmapMemory memory(p.space);
  Rng rng(3);
  PlanReport report;
  for (int k = 0; k < 100'000 && report.status == PlanStatus::used_up; ++k)
    report =
        plan_contact_roadmap(make_window_problem(), {}, p.local, memory, Budget::steps(40), rng);
  ASSERT_EQ(report.status, PlanStatus::found);
  EXPECT_EQ(report.path, whole.path);
}

TEST(ContactRoadmap, SaysWhichEndIsBlocked) {
  Playground p(make_window_world());
  PlanningProblem problem = make_window_problem();
  std::swap(problem.start[0], problem.goals[0][0]);
  problem.start[0] = 0;
  EXPECT_EQ(search(p, problem, 1, 10).status, PlanStatus::start_blocked);
  problem = make_window_problem();
  problem.goals[0][0] = 0;
  EXPECT_EQ(search(p, problem, 1, 10).status, PlanStatus::goal_blocked);
}

// MV-6: shortest ways against every way by brute force, and components after cuts against what can
// be walked to.
TEST(ContactRoadmap, KeepsShortestWaysAndComponents) {
  Playground p(make_window_world());
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    constexpr int kPoints = 8;
    ContactRoadmapMemory memory(p.space);
    MatX length = MatX::Constant(kPoints, kPoints, kInfinity);
    VecX x(p.space.size());
    for (int i = 0; i < kPoints; ++i) {
      p.space.sample(rng, x);
      memory.add(x);
      length(i, i) = 0;
    }
    std::vector<std::pair<int, int>> links;
    for (int k = 0; k < 9; ++k) {
      const int a = static_cast<int>(rng.integer(0, kPoints - 1)),
                b = static_cast<int>(rng.integer(0, kPoints - 1));
      MatX way(p.space.size(), 2);
      way << memory[a], memory[b];
      memory.join(a, b, way, true);
      links.emplace_back(a, b);
    }
    const int gone = static_cast<int>(rng.integer(0, 8));
    memory.cut(gone);
    for (int k = 0; k < 9; ++k) {
      if (k == gone) continue;
      const auto [a, b] = links[static_cast<std::size_t>(k)];
      const double far = p.space.distance(memory[a], memory[b]);
      length(a, b) = length(b, a) = std::min(length(a, b), far);
    }
    for (int m = 0; m < kPoints; ++m)
      for (int a = 0; a < kPoints; ++a)
        for (int b = 0; b < kPoints; ++b)
          length(a, b) = std::min(length(a, b), length(a, m) + length(m, b));
    for (int a = 0; a < kPoints; ++a) {
      for (int b = 0; b < kPoints; ++b) {
        ASSERT_EQ(memory.component(a) == memory.component(b), length(a, b) < kInfinity);
        if (!(length(a, b) < kInfinity)) continue;
        double sum = 0;
        int here = a;
        for (const ContactRoadmapMemory::Link& link : memory.find_path(a, b)) {
          const MatX& way = memory.way(link.way);
          EXPECT_EQ(VecX(way.col(link.is_reversed ? 1 : 0)), VecX(memory[here]));
          here = link.to;
          sum += link.length;
        }
        EXPECT_EQ(here, b);
        EXPECT_NEAR(sum, length(a, b), 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace geste

#include <gtest/gtest.h>

#include "geste/planning/ompl_planners.hpp"
#include "geste/planning/steering/dubins.hpp"
#include "geste/planning/steering/reeds_shepp.hpp"

#include "planning/steering_laws.hpp"

namespace geste {
namespace {

using namespace testing;

/// A cart in the plane, and a wall between where it is and where it goes; `gap`: how far the wall
/// leaves the sides open.
SceneSpec make_wall_world(double gap = 0.9) {
  SceneSpec spec = make_cart_world(0.4, 0.3);
  spec.joints[0].limits = {{-2, 2}, {-2, 2}, {}};
  BodySpec wall{"wall"};
  wall.geometry.emplace_back();
  wall.geometry.back().shape = Box{Vec3(0.1, 2 * (2.3 - gap), 0.5)};
  spec.bodies.push_back(wall);
  return spec;
}

PlanningProblem make_wall_problem() {
  PlanningProblem problem;
  problem.start.resize(3);
  problem.start << -1.3, 0, 0;
  problem.goals.emplace_back(3);
  problem.goals[0] << 1.3, 0.2, 0.5;
  return problem;
}

Result<PlanReport> plan_in(Playground& p, const std::string& planner, std::uint64_t seed,
                           std::uint64_t steps = 100'000) {
  OmplOptions options;
  options.planner = planner;
  return plan_ompl(p.local.world(), make_wall_problem(), options, Budget::steps(steps), Rng(seed));
}

// MV-5, GX-2, GX-6: every planner finds the way, the second prover agrees, and those that say so
// find the same way again.
TEST(Ompl, EveryPlannerFindsAProvenWay) {
  Playground p(make_wall_world());
  const PlanningProblem problem = make_wall_problem();
  for (const std::string& name : list_ompl_planners()) {
    // This one uses up what it is given, to make the way better.
    const std::uint64_t steps = name == "LBTRRT" ? 2'000 : 20'000;
    // Some get stuck with one seed or another, or while their threads wait for each other.
    std::uint64_t seed = 1;
    auto report = plan_in(p, name, seed, steps);
    while (report && report->status == PlanStatus::used_up && seed < 4)
      report = plan_in(p, name, ++seed, steps);
    EXPECT_TRUE(report) << name << ": " << to_text(report.error());
    if (!report) continue;
    EXPECT_EQ(report->status, PlanStatus::found) << name << " after " << report->steps;
    if (report->status != PlanStatus::found) continue;
    EXPECT_EQ(report->path.col(0), problem.start) << name;
    EXPECT_EQ(report->path.rightCols(1), problem.goals[0]) << name;
    EXPECT_EQ(report->goal, 0) << name;
    EXPECT_TRUE(p.verify(report->path).is_free) << name;
    if (!is_ompl_repeatable(name)) continue;
    const auto again = plan_in(p, name, seed, steps);
    ASSERT_TRUE(again) << name;
    EXPECT_EQ(again->path, report->path) << name;
    EXPECT_EQ(again->steps, report->steps) << name;
  }
}

// MV-2: ways are those of the steering method, though OMPL knows nothing of it.
TEST(Ompl, WaysAreSteered) {
  const CartOptions cart{.radius = 0.3};
  for (const bool forwards : {false, true}) {
    Playground p(make_wall_world(), make_plain_options(), [&](const PlanningSpace& space) {
      return forwards ? DubinsSteering::make(space, cart).value()
                      : ReedsSheppSteering::make(space, cart).value();
    });
    for (const char* name : {"RRT", "RRTConnect", "KPIECE1", "LazyRRT"}) {
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const auto report = plan_in(p, name, seed);
        ASSERT_TRUE(report) << to_text(report.error());
        ASSERT_EQ(report->status, PlanStatus::found) << name << (forwards ? ", Dubins" : "");
        EXPECT_TRUE(p.verify(report->path).is_free) << name;
        for (Eigen::Index k = 1; k < report->path.cols(); ++k) {
          const Vec6 v =
              compute_screw(JointType::planar, &report->path(0, k - 1), &report->path(0, k));
          EXPECT_NEAR(v[1], 0, 1e-6) << name;
          EXPECT_LE(0.3 * std::abs(v[5]), std::abs(v[0]) + 1e-6) << name;
          if (forwards) {
            EXPECT_GT(v[0], -1e-6) << name;
          }
        }
      }
    }
  }
}

// GX-3: a budget ends it, a call ends it, ends that collide are told.
TEST(Ompl, StopsWhenItShould) {
  Playground closed(make_wall_world(0.2));
  for (const char* name : {"RRTConnect", "KPIECE1", "BITstar", "RRTstar", "EST", "PRM"}) {
    const auto report = plan_in(closed, name, 1, 2'000);
    ASSERT_TRUE(report) << to_text(report.error());
    EXPECT_EQ(report->status, PlanStatus::used_up) << name;
    EXPECT_EQ(report->path.size(), 0) << name;
  }
  CancelSource cancel;
  cancel.request();
  Budget budget;
  budget.cancel = cancel.token();
  const auto called_off = plan_ompl(closed.local.world(), make_wall_problem(), {}, budget, Rng(1));
  ASSERT_TRUE(called_off);
  EXPECT_EQ(called_off->status, PlanStatus::cancelled);

  PlanningProblem problem = make_wall_problem();
  problem.start[0] = 0;
  EXPECT_EQ(plan_ompl(closed.local.world(), problem, {}, {}, Rng(1))->status,
            PlanStatus::start_blocked);
  std::swap(problem.start, problem.goals[0]);
  EXPECT_EQ(plan_ompl(closed.local.world(), problem, {}, {}, Rng(1))->status,
            PlanStatus::goal_blocked);
}

TEST(Ompl, SaysWhichNamesThereAre) {
  Playground p(make_wall_world());
  const auto unknown = plan_in(p, "KPIECE", 1);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, "plan.ompl");
  EXPECT_NE(unknown.error().remedy.find("KPIECE1"), std::string::npos) << unknown.error().remedy;
  OmplOptions options;
  options.parameters = {{"rang", 1}};
  const auto parameter = plan_ompl(p.local.world(), make_wall_problem(), options, {}, Rng(1));
  ASSERT_FALSE(parameter);
  EXPECT_NE(parameter.error().remedy.find("'range'"), std::string::npos);
  // What would end the program, or be taken for something else, is refused.
  const std::pair<const char*, std::pair<const char*, double>> bad[] = {
      {"pRRT", {"thread_count", 0}},          {"pRRT", {"thread_count", 1e5}},
      {"AITstar", {"samples_per_batch", 0}},  {"STRIDE", {"degree", 0.5}},
      {"RRTstar", {"ordered_sampling", 1}},   {"PDST", {"goal_bias", -1}},
      {"PRM", {"max_nearest_neighbors", 2.5}}};
  for (const auto& [planner, value] : bad) {
    options.planner = planner;
    options.parameters = {{value.first, value.second}};
    const auto refused = plan_ompl(p.local.world(), make_wall_problem(), options, {}, Rng(1));
    ASSERT_FALSE(refused) << planner;
    EXPECT_NE(refused.error().message.find(value.first), std::string::npos);
    EXPECT_NE(refused.error().message.find("cannot be"), std::string::npos) << planner;
  }
  options.planner = "RRTConnect";
  options.parameters = {{"range", 0.5}};
  EXPECT_EQ(plan_ompl(p.local.world(), make_wall_problem(), options, {}, Rng(1))->status,
            PlanStatus::found);
}

}  // namespace
}  // namespace geste

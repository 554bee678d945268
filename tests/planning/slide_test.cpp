#include "geste/planning/slide.hpp"

#include <gtest/gtest.h>

#include "geste/planning/steering/manhattan.hpp"

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;
using Reached = LocalPlanner::Reached;

/// A cube of 0.2 m over a floor whose top is at 0.
SceneSpec make_floor_world() {
  SceneSpec spec = make_loose_box("cube", Vec3::Constant(0.2), Vec3(2, 2, 2));
  add_wall(spec, "floor", Vec3(6, 6, 0.2), Vec3(0, 0, -0.1));
  return spec;
}

VecX make_pose(const Vec3& at, const Quat& q = Quat::Identity()) {
  VecX x(7);
  x << at, q.coeffs();
  return x;
}

// MV-5, MV-9: in worlds of every joint type and shape each way is proven by the second prover too,
// and brings it nearer.
TEST(Slider, EveryWayHoldsForTheSecondProver) {
  int moved = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    Rng rng(seed);
    Playground p(make_random_world(rng, 3, 8));
    const VecX start = p.draw_free(rng);
    if (start.size() == 0 || !Slider::fits(p.local.world())) continue;
    Slider slider(p.local, {});
    Way way(p.space);
    VecX target(p.space.size());
    p.space.sample(rng, target);
    const Reached reached = slider.slide(start, target, way);
    EXPECT_EQ(VecX(way[0]), start);
    if (reached == Reached::nothing) continue;
    ++moved;
    EXPECT_LT(p.space.distance(way.back(), target), p.space.distance(start, target));
    EXPECT_TRUE(p.verify(way.points()).is_free) << "seed " << seed;
    EXPECT_EQ(reached == Reached::all, VecX(way.back()) == target);
  }
  EXPECT_GE(moved, 6);
}

// A cube that is drawn to a place 0.6 m below where it can be ends above that place, on the floor:
// as near as a tenth of that, where going on would hardly bring it nearer (SlideOptions::progress).
TEST(Slider, SlidesAlongAFloor) {
  Playground p(make_floor_world());
  Slider slider(p.local, {.step = 0.1, .most_steps = 200});
  Way way(p.space);
  const VecX target = make_pose({1.1, -0.4, -0.5});
  EXPECT_EQ(slider.slide(make_pose({-0.5, 0.2, 0.5}), target, way), Reached::part);
  EXPECT_NEAR(way.back()[0], 1.1, 0.065);
  EXPECT_NEAR(way.back()[1], -0.4, 0.065);
  EXPECT_NEAR(way.back()[2], 0.1, 0.01);
  EXPECT_GT(way.back()[2], 0.1);
}

// A way that nothing is near to is gone to its end.
TEST(Slider, GoesStraightWhereNothingIsNear) {
  Playground p(make_floor_world());
  Slider slider(p.local, {});
  Way way(p.space);
  EXPECT_EQ(slider.slide(make_pose({0, 0, 1.5}), make_pose({1, 1, 1}), way), Reached::all);
  EXPECT_TRUE(p.verify(way.points()).is_free);
}

// What is 30 mm deep in the floor is brought up by that and little more, and nowhere else.
TEST(Slider, RetractsByTheDepth) {
  Playground p(make_floor_world());
  Slider slider(p.local, {});
  VecX x = make_pose({0.3, 0.1, 0.07});
  ASSERT_FALSE(p.local.is_free(x));
  ASSERT_TRUE(slider.retract(x));
  EXPECT_TRUE(p.local.is_free(x));
  EXPECT_NEAR(x[0], 0.3, 1e-3);
  EXPECT_NEAR(x[1], 0.1, 1e-3);
  EXPECT_GT(x[2], 0.1);
  EXPECT_LT(x[2], 0.11);
}

// MV-5: what collides beside a window is brought into it.
TEST(Slider, RetractsIntoPassages) {
  Playground p(make_window_world(0.6, 0.12));
  Slider slider(p.local, {});
  VecX x = make_pose({0.1, 0.03, -0.02}, Quat(Eigen::AngleAxisd(0.1, Vec3::UnitZ())));
  ASSERT_FALSE(p.local.is_free(x));
  ASSERT_TRUE(slider.retract(x));
  // Still in the wall's plane: both ends stick out.
  const Vec3 axis = Quat(x[6], x[3], x[4], x[5]) * Vec3::UnitX();
  EXPECT_LT((x[0] - 0.3 * axis[0]) * (x[0] + 0.3 * axis[0]), 0);
}

SceneSpec make_channel_world() {
  SceneSpec spec = make_loose_box("cube", Vec3(0.2, 0.2, 0.2), Vec3(2, 2, 2));
  add_wall(spec, "left", Vec3(4, 0.1, 0.4), Vec3(0, -0.16, 0));
  add_wall(spec, "right", Vec3(4, 0.1, 0.4), Vec3(0, 0.16, 0));
  add_wall(spec, "below", Vec3(4, 0.4, 0.1), Vec3(0, 0, -0.16));
  add_wall(spec, "above", Vec3(4, 0.4, 0.1), Vec3(0, 0, 0.16));
  return spec;
}

// What is a tenth of a micrometre from two walls moves away from both, and from nothing else; what
// has room stays.
TEST(Slider, SettlesWhereThereIsRoom) {
  Playground p(make_channel_world());
  Slider slider(p.local, {});
  VecX x = make_pose({0.3, 0.01 - 1e-7, -0.01 + 1e-7});
  ASSERT_TRUE(p.local.is_free(x));
  ASSERT_TRUE(slider.settle(x));
  EXPECT_TRUE(p.local.is_free(x));
  EXPECT_NEAR(x[0], 0.3, 1e-4);
  EXPECT_LT(x[1], 0.01 - 1e-4);
  EXPECT_GT(x[2], -0.01 + 1e-4);
  const VecX before = x;
  EXPECT_FALSE(slider.settle(x));
  EXPECT_EQ(x, before);
}

// In a channel the freest directions lead along it.
TEST(Slider, FindsTheWayAlongAChannel) {
  Playground p(make_channel_world());
  Slider slider(p.local, {});
  MatX ahead(7, 2);
  slider.find_freest(make_pose(Vec3::Zero()), 1, ahead);
  const double far = std::abs(ahead(0, 0));
  EXPECT_GT(far, 0.1);
  EXPECT_NEAR(ahead(0, 0), -ahead(0, 1), 1e-9);
  EXPECT_LT(ahead.block(1, 0, 2, 2).cwiseAbs().maxCoeff(), 1e-3 * far);
}

// MV-5: who goes askew in a channel is turned along it, the same way; in the open he goes on.
TEST(Slider, TurnsOnwardAlongAChannel) {
  Playground p(make_channel_world());
  Slider slider(p.local, {});
  VecX onward(7);
  const VecX here = make_pose(Vec3::Zero()), open = make_pose({0, 1, 1});
  for (const double way : {-1.0, 1.0}) {
    const Vec3 askew(0.1 * way, 0.05, -0.05);
    slider.find_onward(here, here, make_pose(askew), 1, onward);
    EXPECT_GT(way * onward[0], 0.1);
    EXPECT_LT(onward.segment<2>(1).norm(), 0.2 * std::abs(onward[0]));
    slider.find_onward(open, here, make_pose(askew), 1, onward);
    EXPECT_NEAR((onward.head<3>() - open.head<3>()).normalized().dot(askew.normalized()), 1, 1e-6);
  }
}

// What lies nearer to a wall than slides keep is reached all the same.
TEST(Slider, ReachesWhatIsNearerThanItKeeps) {
  Playground p(make_floor_world());
  Slider slider(p.local, {.step = 0.1, .most_steps = 200});
  Way way(p.space);
  EXPECT_EQ(slider.slide(make_pose({-0.5, 0.2, 0.3}), make_pose({0.3, 0.1, 0.1001}), way),
            Reached::all);
  EXPECT_TRUE(p.verify(way.points()).is_free);
}

// Ways of other methods have corners of their own: nothing slides there.
TEST(Slider, IsForWaysThatMayBendAnywhere) {
  const Playground linear(make_floor_world());
  EXPECT_TRUE(Slider::fits(linear.local.world()));
  SceneSpec slide = make_floor_world();
  slide.joints[0].type = JointType::prismatic;
  slide.joints[0].limits = {{-1, 1}};
  const auto make = [](const PlanningSpace& space) {
    return ManhattanSteering::make(space).value();
  };
  const Playground other(std::move(slide), make_plain_options(), make);
  EXPECT_FALSE(Slider::fits(other.local.world()));
}

}  // namespace
}  // namespace geste

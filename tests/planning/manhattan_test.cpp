#include "geste/planning/steering/manhattan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "geste/planning/steering/manhattan_search.hpp"

#include "planning/steering_laws.hpp"

namespace geste {
namespace {

using namespace testing;

// MV-2: every joint type, every order.
TEST(Manhattan, KeepsTheLaws) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    const SpaceRig p(make_random_world(rng, 4, 1));
    for (const auto& order : make_manhattan_orders(p.space, 3, rng))
      expect_steering_laws(p.space, *ManhattanSteering::make(p.space, order).value(),
                           moves_one_thing(p.space), 40);
  }
}

TEST(Manhattan, GoesInTheOrderItIsGiven) {
  SceneSpec spec = make_window_world();
  const SpaceRig p(spec);
  const auto moves = make_manhattan_moves(p.space);
  ASSERT_EQ(moves.size(), 4u);
  EXPECT_EQ(moves[3].count, 4);
  const auto method =
      ManhattanSteering::make(p.space, {moves[2], moves[3], moves[0], moves[1]}).value();
  VecX a(7), b(7);
  a << 0, 0, 0, 0, 0, 0, 1;
  b << 0.1, 0.2, 0.3, 0, 1, 0, 0;
  Way way(p.space);
  ASSERT_TRUE(method->steer(a, b, way));
  ASSERT_EQ(way.count(), 5);
  EXPECT_EQ(way[1], (VecX(7) << 0, 0, 0.3, 0, 0, 0, 1).finished());
  EXPECT_EQ(way[2], (VecX(7) << 0, 0, 0.3, 0, 1, 0, 0).finished());
  EXPECT_EQ(way[3], (VecX(7) << 0.1, 0, 0.3, 0, 1, 0, 0).finished());
  // As long as all its moves; a straight way is shorter.
  const double slides = p.space.items()[0].per_metre * 0.6;
  EXPECT_NEAR(method->lower_bound(a, b), slides + kPi, 1e-9);
  EXPECT_NEAR(measure_length(p.space, way), slides + kPi, 1e-9);
}

TEST(Manhattan, OrdersAreAllOrAsManyAsAsked) {
  const SpaceRig p(make_window_world());
  Rng rng(1), again(1);
  const auto all = make_manhattan_orders(p.space, 24, rng);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 24u);
  const auto some = make_manhattan_orders(p.space, 23, rng);
  EXPECT_EQ(some.size(), 23u);
  EXPECT_EQ(std::set(some.begin(), some.end()).size(), 23u);
  make_manhattan_orders(p.space, 24, again);
  EXPECT_EQ(make_manhattan_orders(p.space, 23, again), some);
}

/// A crane's hook: three slides, with a wall from the floor up to half the height.
SceneSpec make_crane_world() {
  SceneSpec spec;
  const char* names[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    spec.bodies.emplace_back().name = fmt::format("carriage_{}", names[k]);
    JointSpec joint;
    joint.name = names[k];
    joint.type = JointType::prismatic;
    if (k > 0) joint.parent = spec.bodies[static_cast<std::size_t>(k - 1)].name;
    joint.child = spec.bodies.back().name;
    joint.axis = Vec3::Unit(k);
    joint.limits = {{-1, 1}};
    spec.joints.push_back(joint);
  }
  spec.bodies.back().geometry.emplace_back();
  spec.bodies.back().geometry.back().shape = Box{Vec3::Constant(0.2)};
  add_box(spec, "wall", Vec3(0, 0, -1), 1.5);
  return spec;
}

// MV-2: up first, then over the wall; the orders that begin otherwise hit it.
TEST(Manhattan, FindsTheOrderThatIsFree) {
  Playground p(make_crane_world());
  const VecX a = Vec3(-0.95, 0.5, -0.9), b = Vec3(0.95, -0.5, 0.6);
  int free = 0;
  Rng rng(1);
  Way way(p.space);
  for (const auto& order : make_manhattan_orders(p.space, 6, rng)) {
    const auto method = ManhattanSteering::make(p.space, order).value();
    LocalPlanner local({p.space, *method, p.validator});
    free += local.connects(a, b, way);
  }
  EXPECT_GT(free, 0);
  EXPECT_LT(free, 6);
  ASSERT_TRUE(find_manhattan_way(a, b, p.local, {}, way));
  EXPECT_EQ(way.count(), 4);
  EXPECT_EQ(way[0], a);
  EXPECT_EQ(way.back(), b);
  EXPECT_TRUE(p.verify(way.points()).is_free);
  // Down on the other side: the same, the other way round.
  ASSERT_TRUE(find_manhattan_way(b, a, p.local, {}, way));
  EXPECT_TRUE(p.verify(way.points()).is_free);
  // Below the top on both sides no order leads over it.
  const VecX c = Vec3(0.95, -0.5, -0.9);
  const std::uint64_t before = p.local.counts().legs;
  EXPECT_FALSE(find_manhattan_way(a, c, p.local, {}, way));
  EXPECT_LE(p.local.counts().legs - before, 4u);
}

TEST(Manhattan, NamesWhatTheOrderLacks) {
  const SpaceRig p(make_window_world());
  auto moves = make_manhattan_moves(p.space);
  moves[1] = moves[0];
  const auto made = ManhattanSteering::make(p.space, moves);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, "plan.steering");
  EXPECT_EQ(made.error().element, "joint 'free'");
  EXPECT_EQ(made.error().also.size(), 1u);
  moves = make_manhattan_moves(p.space);
  moves.push_back({3, 9, 1});
  EXPECT_FALSE(ManhattanSteering::make(p.space, moves));
}

}  // namespace
}  // namespace geste

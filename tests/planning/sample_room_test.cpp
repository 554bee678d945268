#include "geste/planning/sample_room.hpp"

#include <gtest/gtest.h>

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

VecX make_place(const Vec3& at) {
  VecX x(7);
  x << at, 0, 0, 0, 1;
  return x;
}

// A cube in a hall of 20 m whose only thing stands in the middle: nine of ten samples lie where it
// can be touched or between start and goal, and those are spread evenly.
TEST(SampleRoom, LiesWhereSomethingCanBeTouched) {
  SceneSpec spec = make_loose_box("cube", Vec3(0.2, 0.2, 0.2), Vec3(10, 10, 10));
  add_wall(spec, "pillar", Vec3(0.4, 0.4, 0.4), Vec3::Zero());
  Playground p(std::move(spec));
  const PlanningProblem problem{make_place({-1, 0, 0}), {make_place({4, 0, 0})}};
  const SampleRoom room(p.local.world(), problem);
  EXPECT_LT(room.extent(), 0.3 * p.space.extent());
  const double reach = 0.2 + 1 / p.space.items()[0].per_metre;
  Rng rng(1);
  VecX x(7);
  Vec3 sum = Vec3::Zero();
  int inside = 0;
  constexpr int kCount = 4000;
  for (int k = 0; k < kCount; ++k) {
    room.sample(rng, x);
    inside += x[0] >= -1 && x[0] <= 4 && std::abs(x[1]) <= reach && std::abs(x[2]) <= reach;
    room.sample_inside(rng, x);
    sum += x.head<3>();
    EXPECT_TRUE(x[0] >= -1 && x[0] <= 4 && std::abs(x[1]) <= reach && std::abs(x[2]) <= reach);
  }
  EXPECT_NEAR(static_cast<double>(inside) / kCount, 0.9, 0.03);
  EXPECT_NEAR(sum[0] / kCount, 1.5, 0.1);
  EXPECT_NEAR(sum[1] / kCount, 0, 0.05);
}

// Where nothing stands, and for what is not loose, samples are those of the space.
TEST(SampleRoom, IsTheSpaceWhereNothingNarrowsIt) {
  for (const bool is_small : {true, false}) {
    SceneSpec spec = make_loose_box("cube", Vec3(0.2, 0.2, 0.2), Vec3(0.2, 0.2, 0.2));
    if (is_small) add_wall(spec, "pillar", Vec3(0.4, 0.4, 0.4), Vec3::Zero());
    Playground p(std::move(spec));
    const SampleRoom room(p.local.world(), {make_place({0, 0, 0}), {make_place({0.1, 0, 0})}});
    EXPECT_EQ(room.extent(), p.space.extent());
    Rng a(3), b(3);
    VecX x(7), y(7);
    for (int k = 0; k < 20; ++k) {
      room.sample(a, x);
      p.space.sample(b, y);
      EXPECT_EQ(x, y);
    }
  }
}

}  // namespace
}  // namespace geste

#include <gtest/gtest.h>

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

// The metric of a space, for every joint type. MV-1
TEST(PlanningSpace, DistanceIsAMetricAlongStraightWays) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    const SpaceRig p(make_random_world(rng, 4, 2));
    VecX a(p.space.size()), b(p.space.size()), c(p.space.size());
    for (int i = 0; i < 20; ++i) {
      for (VecX* x : {&a, &b}) p.space.sample(rng, *x);
      EXPECT_LE(p.space.measure_excess(a), 1e-12);
      const double d = p.space.distance(a, b);
      EXPECT_NEAR(p.space.distance(b, a), d, 1e-9 * (1 + d));
      EXPECT_NEAR(p.space.distance(a, a), 0, 1e-7);
      EXPECT_LE(d, p.space.extent() * (1 + 1e-12));
      const double s = rng.uniform();
      p.space.interpolate(a, b, Course::straight, s, c);
      EXPECT_NEAR(p.space.distance(a, c), s * d, 1e-6 * (1 + d));
      EXPECT_NEAR(p.space.distance(c, b), (1 - s) * d, 1e-6 * (1 + d));
    }
  }
}

TEST(PlanningSpace, AgreesWithTheScene) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    const SpaceRig p(make_random_world(rng, 5, 1));
    Workspace workspace(p.scene);
    VecX a(p.space.size()), b(p.space.size()), x(p.space.size());
    VecX qa(p.scene.nq()), qb(p.scene.nq()), q(p.scene.nq());
    for (const Course course : {Course::straight, Course::screw}) {
      p.space.sample(rng, a);
      p.space.sample(rng, b);
      ASSERT_TRUE(p.space.complete(a, qa, workspace) && p.space.complete(b, qb, workspace));
      interpolate(p.scene, qa, qb, course, 0.3, q);
      p.space.interpolate(a, b, course, 0.3, x);
      VecX back(p.space.size());
      p.space.gather(q, back);
      EXPECT_NEAR(p.space.distance(back, x), 0, 1e-7);
    }
  }
}

TEST(PlanningSpace, ScaleDoesNotMatterForLoosePieces) {
  const auto measure = [](double scale) {
    SceneSpec spec = make_window_world();
    for (BodySpec& b : spec.bodies) {
      for (GeometrySpec& g : b.geometry) {
        std::get<Box>(g.shape).size *= scale;
        g.X_BG.p *= scale;
      }
    }
    for (DofLimits& l : spec.joints[0].limits) l.lower *= scale, l.upper *= scale;
    return SpaceRig(spec).space.extent();
  };
  EXPECT_NEAR(measure(1), measure(1000), 1e-9 * measure(1));
}

TEST(PlanningSpace, NamesJointsThatCannotBePlanned) {
  SceneSpec spec = make_window_world();
  spec.joints[0].limits.clear();
  const Scene scene = Scene::compile(spec).value();
  const CollisionModel model = CollisionModel::make(scene).value();
  const JointId joint = *scene.find_joint("free");
  const auto space = PlanningSpace::make(scene, model, {&joint, 1}, make_neutral(scene));
  ASSERT_FALSE(space);
  EXPECT_EQ(space.error().code, "plan.no_limits");
  EXPECT_EQ(space.error().element, "joint 'free'");
  const Room room{Vec3::Constant(-2), Vec3::Constant(2)};
  EXPECT_TRUE(PlanningSpace::make(scene, model, {&joint, 1}, make_neutral(scene), room));
  const auto none = PlanningSpace::make(scene, model, {}, make_neutral(scene));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, "plan.nothing_moves");
}

TEST(PlanningSpace, RefusesLimitsThatTheShorterWayLeaves) {
  const auto code = [](JointType type, double lower, double upper) {
    SceneSpec spec = make_window_world();
    spec.joints[0].type = type;
    spec.joints[0].limits.assign(static_cast<std::size_t>(count_v(type)), {-1, 1});
    (type == JointType::planar ? spec.joints[0].limits.back() : spec.joints[0].limits.front()) = {
        lower, upper};
    const Scene scene = Scene::compile(spec).value();
    const CollisionModel model = CollisionModel::make(scene).value();
    const JointId joint = *scene.find_joint("free");
    const auto space = PlanningSpace::make(scene, model, {&joint, 1}, make_neutral(scene));
    return space ? std::string() : space.error().code;
  };
  EXPECT_EQ(code(JointType::planar, -2.5, 2.5), "plan.limits");
  EXPECT_EQ(code(JointType::planar, -1.5, 1.5), "");
  EXPECT_EQ(code(JointType::planar, -kPi, kPi), "");
  EXPECT_EQ(code(JointType::spherical, 0, 2.5), "plan.limits");
  EXPECT_EQ(code(JointType::spherical, 0, 1.5), "");
}

// MV-4: a tether that keeps a bar's origin in a plane: samples and what points stand for lie in it.
TEST(PlanningSpace, PointsOfChainsThatAreClosedByProjectionAreClosed) {
  SceneSpec spec = make_window_world();
  LoopSpec loop;
  loop.name = "tether";
  loop.body_b = "bar";
  loop.constrained = {true, false, false, false, false, false};
  spec.loops.push_back(loop);
  const SpaceRig p(spec);
  EXPECT_TRUE(p.space.has_loops());
  Workspace workspace(p.scene);
  VecX x(p.space.size()), q(p.scene.nq());
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    p.space.sample(rng, x);
    EXPECT_NEAR(x[0], 0, 1e-10);
    const VecX before = x;
    x[0] = rng.uniform(-1, 1);
    ASSERT_TRUE(p.space.complete(x, q, workspace));
    EXPECT_NEAR(q[0], 0, 1e-10);
    EXPECT_NEAR((q.segment(1, 2) - x.segment(1, 2)).norm(), 0, 1e-10);
    ASSERT_TRUE(p.space.close(x));
    EXPECT_LT(p.space.distance(x, before), 1e-6);
  }
}

// Points that are all the same fill leaves that cannot be told apart.
TEST(NearestSet, TellsTheFirstOfEqualPoints) {
  Rng rng(5);
  const SpaceRig p(make_random_world(rng, 4, 0));
  NearestSet set(p.space);
  VecX x(p.space.size()), other(p.space.size());
  p.space.sample(rng, x);
  p.space.sample(rng, other);
  set.add(other);
  for (int k = 0; k < 300; ++k) set.add(x);
  EXPECT_EQ(set.find_nearest(x), 1);
  EXPECT_EQ(set.find_nearest(other), 0);
  std::vector<int> found;
  set.find_nearest(x, 3, found);
  EXPECT_EQ(found, (std::vector<int>{1, 2, 3}));
}

// The nearest of a set, against all distances in double.
TEST(NearestSet, FindsWhatAPlainSearchFinds) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Rng rng(seed);
    const SpaceRig p(make_random_world(rng, 4, 0));
    NearestSet set(p.space);
    // One leaf, several, and more than are bounded at once.
    MatX points(p.space.size(), seed % 10 == 0 ? 5000 : seed % 3 == 0 ? 50 : 300);
    VecX x(p.space.size());
    for (int k = 0; k < points.cols(); ++k) {
      p.space.sample(rng, x);
      points.col(k) = x;
      set.add(x);
    }
    std::vector<int> found;
    for (int i = 0; i < 20; ++i) {
      p.space.sample(rng, x);
      std::vector<double> distances;
      for (int k = 0; k < points.cols(); ++k)
        distances.push_back(p.space.distance(points.col(k), x));
      const double best = *std::min_element(distances.begin(), distances.end());
      EXPECT_NEAR(distances[static_cast<std::size_t>(set.find_nearest(x))], best, 2e-3);
      set.find_nearest(x, 7, found);
      std::vector<double> sorted = distances;
      std::sort(sorted.begin(), sorted.end());
      ASSERT_EQ(found.size(), 7u);
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(distances[static_cast<std::size_t>(found[k])], sorted[k], 2e-3);
    }
  }
}

}  // namespace
}  // namespace geste

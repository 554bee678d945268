#include "geste/planning/key_places.hpp"

#include <gtest/gtest.h>

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

Pose read_pose(const Pose& X_PJ, const VecX& x) {
  return X_PJ * Pose(Quat(x[6], x[3], x[4], x[5]), Vec3(x[0], x[1], x[2]));
}

// The bar lies in the window with two of its sides along the rims, wherever its joint stands.
TEST(KeyPlaces, PutABarIntoAWindow) {
  SceneSpec spec = make_window_world(0.6, 0.12);
  const Pose X_PJ = Pose::from_rpy(Vec3(0.2, -0.1, 0.3), 0.5, 0.2, -1);
  spec.joints[0].X_PJ = X_PJ;
  Playground p(std::move(spec));
  Rng rng(1);
  const KeyPlaces places(p.local.world(), rng);
  ASSERT_FALSE(places.is_empty());
  VecX x(7);
  int drawn = 0;
  for (int k = 0; k < 500; ++k) {
    if (!places.draw(rng, x)) continue;
    ++drawn;
    const Pose X_WB = read_pose(X_PJ, x);
    // Some place in the window is in the bar.
    const Vec3 middle = X_WB.inverse() * Vec3::Zero();
    EXPECT_LE((middle.cwiseAbs() - Vec3(0.3, 0.05, 0.05)).maxCoeff(), 0.09) << k;
    EXPECT_NEAR((X_WB.R.bottomRightCorner<2, 2>().cwiseAbs().maxCoeff()), 1, 1e-6) << k;
  }
  EXPECT_GT(drawn, 400);
}

/// Two plates beside each other and what joins them; between them are 0.2.
void add_clamp(BodySpec& body) {
  for (const double z : {-0.15, 0.15}) {
    body.geometry.emplace_back();
    body.geometry.back().shape = Box{Vec3(0.6, 0.1, 0.1)};
    body.geometry.back().X_BG = Pose::translation(0, 0, z);
  }
  body.geometry.emplace_back();
  body.geometry.back().shape = Box{Vec3(0.1, 0.1, 0.4)};
  body.geometry.back().X_BG = Pose::translation(-0.35, 0, 0);
}

/// How far the middles of the gaps of two clamps are apart, or may be: some point in the middle
/// between the plates of one is nearly that for the other too.
double measure_apart(const Pose& X_WB) {
  double least = kInfinity;
  for (double x = -0.3; x <= 0.3; x += 0.01) {
    for (double y = -0.05; y <= 0.05; y += 0.01) {
      const Vec3 p = X_WB.inverse() * Vec3(x, y, 0);
      least = std::min(least, (p.cwiseAbs() - Vec3(0.3, 0.05, 0)).maxCoeff());
    }
  }
  return least;
}

// What has a gap itself is put around something, into something, or with its gap across the other.
TEST(KeyPlaces, PutGapsAcrossGaps) {
  SceneSpec spec;
  for (const char* name : {"mine", "theirs"}) {
    spec.bodies.push_back({name});
    add_clamp(spec.bodies.back());
  }
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::free;
  joint.child = "mine";
  joint.limits.assign(6, {-1, 1});
  spec.joints.push_back(joint);
  Playground p(std::move(spec), make_plain_options(),
               std::make_unique<LinearSteering, const PlanningSpace&>, [](const Scene& scene) {
                 VecX q = make_neutral(scene);
                 q[1] = 0.8;
                 return q;
               });
  Rng rng(2);
  const KeyPlaces places(p.local.world(), rng);
  VecX x(7);
  int across = 0, along = 0;
  for (int k = 0; k < 500; ++k) {
    if (!places.draw(rng, x)) continue;
    const Pose X_WB = read_pose(Pose(), x);
    // Gaps are along z of each. Across a gap, and not around a neck that lies across it.
    const double turned = std::abs(X_WB.R(2, 2));
    across += turned < 1e-6 && measure_apart(X_WB) < 0.01;
    along += turned > 1 - 1e-6;
  }
  EXPECT_GT(across, 50);
  EXPECT_GT(along, 50);
}

TEST(KeyPlaces, AreForOneLoosePart) {
  EXPECT_TRUE(KeyPlaces::fits(Playground(make_window_world()).space));
  SceneSpec planar = make_window_world();
  planar.joints[0].type = JointType::planar;
  planar.joints[0].axis = Vec3::UnitZ();
  planar.joints[0].limits.resize(3);
  planar.joints[0].limits[2] = {};
  EXPECT_FALSE(KeyPlaces::fits(Playground(std::move(planar)).space));
  SceneSpec two = make_window_world();
  two.bodies.push_back(two.bodies[0]);
  two.bodies.back().name = "other";
  two.joints.push_back(two.joints[0]);
  two.joints.back().name = "other";
  two.joints.back().child = "other";
  EXPECT_FALSE(KeyPlaces::fits(Playground(std::move(two)).space));
}

// In the open nothing is narrow.
TEST(KeyPlaces, AreNoneWhereNothingIsNarrow) {
  SceneSpec spec = make_loose_box("bar", Vec3(0.6, 0.1, 0.1), Vec3(1, 1, 1));
  add_wall(spec, "floor", Vec3(2, 2, 0.1), Vec3(0, 0, -1));
  Playground p(std::move(spec));
  Rng rng(3);
  EXPECT_TRUE(KeyPlaces(p.local.world(), rng).is_empty());
  Playground alone(make_loose_box("bar", Vec3(0.6, 0.1, 0.1), Vec3(1, 1, 1)));
  EXPECT_TRUE(KeyPlaces(alone.local.world(), rng).is_empty());
}

// Rays do not go that far; searches do.
TEST(KeyPlaces, AreNoneInAVastWorld) {
  SceneSpec spec = make_window_world(0.6, 0.12);
  add_wall(spec, "moon", Vec3(1, 1, 1), Vec3(4e6, 0, 0));
  Playground p(std::move(spec));
  Rng rng(4);
  EXPECT_TRUE(KeyPlaces(p.local.world(), rng).is_empty());
  // Far away in its own frame only.
  SceneSpec shifted = make_window_world(0.6, 0.12);
  shifted.bodies[0].geometry[0].X_BG = Pose::translation(2e6, 0, 0);
  shifted.joints[0].X_PJ = Pose::translation(-2e6, 0, 0);
  Playground q(std::move(shifted));
  EXPECT_TRUE(KeyPlaces(q.local.world(), rng).is_empty());
}

}  // namespace
}  // namespace geste

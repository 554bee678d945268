#include <gtest/gtest.h>

#include "geste/geometry/shape_pair.hpp"

#include "proximity/scene_testing.hpp"

namespace geste {
namespace {

using testing::add_box;
using testing::RandomWorld;

/// By every pair of objects, without boxes, hints or limits.
double measure_all_pairs(const RandomWorld& w, BodyId a, BodyId b) {
  QueryScratch scratch;
  double least = kInfinity;
  for (const CollisionObject& i : w.model.objects()) {
    for (const CollisionObject& j : w.model.objects()) {
      if (i.body != a || j.body != b) continue;
      const auto place = [&](const CollisionObject& o) {
        return w.workspace.X_WM()[static_cast<std::size_t>(o.mover)] * o.X_MO;
      };
      const Separation s =
          compute_separation(i.collider, j.collider, place(i).inverse() * place(j), scratch);
      least = std::min(least, s.distance);
    }
  }
  return least;
}

TEST(Clearance, OfAnyTwoBodiesIsThatOfTheirNearestObjects) {
  int apart = 0, deep = 0, fixed = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomWorld w(seed, 0);
    compute_kinematics(w.scene, w.draw(), w.workspace);
    const int n = static_cast<int>(w.scene.bodies().size());
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < a; ++b) {
        const auto found = compute_clearance(w.model, w.workspace, BodyId(a), BodyId(b), w.memory);
        const double expected =
            measure_all_pairs(w, BodyId(std::min(a, b)), BodyId(std::max(a, b)));
        ASSERT_EQ(found.has_value(), expected != kInfinity) << "seed " << seed;
        if (!found) continue;
        EXPECT_NEAR(found->separation.distance, expected,
                    1e-9 + 2e-3 * std::abs(std::min(expected, 0.0)))
            << "seed " << seed << ": " << a << ", " << b;
        EXPECT_EQ(found->a, BodyId(std::min(a, b)));
        const double between = (found->separation.on_a - found->separation.on_b).norm();
        if (expected > 0) EXPECT_NEAR(between, expected, 1e-7);
        apart += expected > 0;
        deep += expected < 0;
        fixed += w.model.rule(BodyId(a), BodyId(b)) == PairRule::fixed;
      }
    }
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(deep, 20);
  EXPECT_GT(fixed, 20) << "bodies fixed to each other are measured too";
}

TEST(Clearance, OfSpheresAndBoxesByHand) {
  SceneSpec spec;
  add_box(spec, "box", Vec3(0, 0, 0), 0.2);
  for (const auto& [name, x] : {std::pair("near", 1.0), std::pair("inside", 0.15)}) {
    BodySpec ball{name};
    ball.geometry.emplace_back();
    ball.geometry.back().shape = Sphere{0.1};
    ball.geometry.back().X_BG = Pose::translation(x, 0, 0);
    spec.bodies.push_back(ball);
  }
  spec.bodies.push_back(BodySpec{"shapeless"});
  const Scene scene = Scene::compile(spec).value();
  const CollisionModel model = CollisionModel::make(scene).value();
  Workspace workspace(scene);
  compute_kinematics(scene, make_neutral(scene), workspace);
  CollisionWorkspace memory(model);
  const auto measure = [&](int a, int b) {
    return compute_clearance(model, workspace, BodyId(a), BodyId(b), memory);
  };
  EXPECT_NEAR(measure(0, 1)->separation.distance, 1.0 - 0.1 - 0.1, 1e-12);
  EXPECT_NEAR(measure(2, 0)->separation.distance, 0.15 - 0.1 - 0.1, 1e-12);
  EXPECT_NEAR(measure(1, 2)->separation.distance, 0.85 - 0.2, 1e-12);
  EXPECT_FALSE(measure(0, 3).has_value());
  EXPECT_THROW(measure(1, 1), std::invalid_argument);

  const auto point = [&](int body, const Vec3& p) {
    return compute_clearance(model, workspace, BodyId(body), p, memory);
  };
  EXPECT_NEAR(point(0, Vec3(0.4, 0.5, 0))->distance, 0.5, 1e-12);
  EXPECT_NEAR((point(0, Vec3(0.4, 0.5, 0))->nearest - Vec3(0.1, 0.1, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR(point(0, Vec3(0.07, 0, 0))->distance, -0.03, 1e-12);
  EXPECT_NEAR(point(1, Vec3(1, 0, 0.25))->distance, 0.15, 1e-12);
  EXPECT_FALSE(point(3, Vec3::Zero()).has_value());
}

// A cube as a mesh and as a box: points do not see the difference.
TEST(Clearance, OfPointsToMeshesKnowsInsideFromOutside) {
  SceneSpec spec;
  for (const char* name : {"box", "mesh"}) {
    BodySpec body{name};
    body.geometry.emplace_back();
    body.geometry.back().shape = Box{Vec3(0.2, 0.3, 0.4)};
    body.geometry.back().X_BG = Pose::from_rpy(Vec3(0.1, 0.2, 0.3), 0.3, 0.2, 0.1);
    spec.bodies.push_back(body);
  }
  GeometrySpec& mesh = spec.bodies[1].geometry[0];
  mesh.shape = std::make_shared<const TriangleMesh>(make_mesh(mesh.shape));
  const Scene scene = Scene::compile(spec).value();
  const CollisionModel model = CollisionModel::make(scene).value();
  Workspace workspace(scene);
  compute_kinematics(scene, make_neutral(scene), workspace);
  CollisionWorkspace memory(model);
  Rng rng(1);
  int inside = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = Vec3(0.1, 0.2, 0.3) + 0.15 * testing::random_vector(rng);
    const auto box = compute_clearance(model, workspace, BodyId(0), p, memory);
    const auto tri = compute_clearance(model, workspace, BodyId(1), p, memory);
    EXPECT_NEAR(box->distance, tri->distance, 1e-9);
    EXPECT_NEAR((p - tri->nearest).norm(), std::abs(tri->distance), 1e-9);
    inside += box->distance < 0;
  }
  EXPECT_GT(inside, 20);
}

}  // namespace
}  // namespace geste

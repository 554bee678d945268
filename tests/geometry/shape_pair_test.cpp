#include "geste/geometry/shape_pair.hpp"

#include <gtest/gtest.h>

#include "random_meshes.hpp"

// Every kind of shape against every other: one answer, whoever asks. MV-8

namespace geste {
namespace {

using testing::random_direction;
using testing::random_placement;
using testing::share;

HullShape make_random_hull() {
  Rng rng(7);
  std::vector<Vec3> points;
  for (int i = 0; i < 40; ++i) points.push_back(random_direction(rng) * rng.uniform(0.2, 0.5));
  return std::make_shared<const ConvexHull>(make_convex_hull(points).value());
}

TriangleMesh make_star_mesh() {
  Rng rng(8);
  return testing::make_star(rng, 16);
}

std::vector<Shape> make_all_kinds() {
  return {Sphere{0.4},    Capsule{0.2, 0.6}, Box{Vec3(0.5, 0.3, 0.8)}, Cylinder{0.3, 0.7},
          Cone{0.4, 0.8}, Torus{0.4, 0.15},  make_random_hull(),       share(make_star_mesh())};
}

class ShapePairs : public ::testing::TestWithParam<std::tuple<int, int>> {
 protected:
  Shape a_shape = make_all_kinds()[static_cast<std::size_t>(std::get<0>(GetParam()))];
  Shape b_shape = make_all_kinds()[static_cast<std::size_t>(std::get<1>(GetParam()))];
  Collider a{a_shape}, b{b_shape};
  QueryScratch scratch;
};

TEST_P(ShapePairs, SwappingChangesNothing) {
  Rng rng(71);
  for (int i = 0; i < 20; ++i) {
    const Pose X_AB = random_placement(rng, 1.4);
    const Separation ab = compute_separation(a, b, X_AB, scratch);
    const Separation ba = compute_separation(b, a, X_AB.inverse(), scratch);
    EXPECT_NEAR(ab.distance, ba.distance, 1e-8 + ab.error + ba.error);
    if (std::abs(ab.distance) > 1e-6) {
      EXPECT_EQ(touches(a, b, X_AB, scratch), ab.distance < 0) << ab.distance;
      EXPECT_EQ(touches(b, a, X_AB.inverse(), scratch), ab.distance < 0);
    }
    EXPECT_NEAR(ab.normal.norm(), 1, 1e-12);
    if (ab.distance > 1e-6) {
      EXPECT_LT((ab.on_b - ab.on_a - ab.distance * ab.normal).norm(), 1e-7);
    }
  }
}

TEST_P(ShapePairs, TrianglesOfTheSameShapesAgreeWithinTheirDeflection) {
  const TriangleMesh ma = make_mesh(a_shape, 24), mb = make_mesh(b_shape, 24);
  const Collider ta{Shape(share(ma))}, tb{Shape(share(mb))};
  const double slack = ma.deflection + mb.deflection + 1e-7;
  Rng rng(72);
  int apart = 0, into = 0;
  for (int i = 0; i < 40; ++i) {
    const Pose X_AB = random_placement(rng, 1.4);
    const double exact = compute_separation(a, b, X_AB, scratch).distance;
    const double meshes = compute_separation(ta, tb, X_AB, scratch).distance;
    if (exact > slack) {
      ++apart;
      EXPECT_GE(meshes, exact - slack);
      EXPECT_LE(meshes, exact + slack);
    } else if (exact < -slack) {
      ++into;
      EXPECT_LT(meshes, slack);  // depth has another meaning there, its sign has not
    }
  }
  EXPECT_GT(apart, 3);
  EXPECT_GT(into, 3);
}

TEST_P(ShapePairs, SlidesThroughContactWithoutAJump) {
  Rng rng(73);
  for (int n = 0; n < 2; ++n) {
    const Vec3 way = random_direction(rng);
    const Pose turn(random_placement(rng, 0).R, Vec3::Zero());
    constexpr double kStep = 0.04;
    double before = std::numeric_limits<double>::infinity();
    double lowest = before;
    for (double x = 1.6; x > 0; x -= kStep) {
      const Separation s = compute_separation(a, b, Pose::translation(x * way) * turn, scratch);
      if (std::isfinite(before)) {
        EXPECT_LE(std::abs(s.distance - before), kStep * 1.001 + s.error + 2e-3) << x;
      }
      before = s.distance;
      lowest = std::min(lowest, before);
    }
    EXPECT_LT(lowest, 0.05);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ShapePairs, ::testing::Combine(::testing::Range(0, 8), ::testing::Range(0, 8)),
    [](const auto& test) {
      const auto name = [](int k) {
        return std::string(shape_name(make_all_kinds()[static_cast<std::size_t>(k)]));
      };
      return name(std::get<0>(test.param)) + "_" + name(std::get<1>(test.param));
    });

TEST(ShapePair, WhatLiesInsideAMeshTouchesIt) {
  QueryScratch scratch;
  const Collider room{Shape(share(make_mesh(Box{Vec3(4, 4, 4)})))};
  for (const Shape& shape : make_all_kinds()) {
    const Collider inside{shape};
    EXPECT_TRUE(touches(room, inside, Pose::translation(0.3, 0, 0), scratch)) << shape_name(shape);
    EXPECT_LT(compute_separation(room, inside, Pose::translation(0.3, 0, 0), scratch).distance,
              -1.0)
        << shape_name(shape);
  }
}

TEST(ShapePair, BallsInABlockAreAsDeepAsTheyLie) {
  QueryScratch scratch;
  const Collider block{Shape(share(make_mesh(Box{Vec3(4, 4, 4)})))};
  const Collider ball{Shape(Sphere{0.3})}, rod{Shape(Capsule{0.1, 1})},
      ring{Shape(Torus{0.5, 0.1})};
  // Centre 0.2 below the upper face.
  const Pose X = Pose::translation(0.1, 0.2, 1.8);
  EXPECT_NEAR(compute_separation(block, ball, X, scratch).distance, -0.5, 1e-12);
  const Separation upright = compute_separation(block, rod, X, scratch);
  EXPECT_NEAR(upright.distance, -(0.7 + 0.1), 1e-3);  // its lower end is 0.7 deep
  EXPECT_GT(upright.normal.z(), 0.99);
  EXPECT_NEAR(compute_separation(block, ring, X, scratch).distance, -0.3, 1e-3);
  EXPECT_NEAR(compute_separation(block, ball, Pose::translation(0, 0, 2.5), scratch).distance, 0.2,
              1e-12);
}

}  // namespace
}  // namespace geste

#include "geste/geometry/mesh_depth.hpp"

#include <gtest/gtest.h>

#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/internal/triangle_pair.hpp"
#include "geste/geometry/mesh_point.hpp"

#include "random_meshes.hpp"

// Inside and outside, nearest points, and signed clearance of closed meshes. MV-8, IM-1

namespace geste {
namespace {

using testing::make_star;
using testing::random_direction;
using testing::random_placement;
using testing::share;

TEST(MeshPoint, NearestAgreesWithEveryTriangle) {
  Rng rng(51);
  QueryScratch scratch;
  const MeshTree star(share(make_star(rng, 16))), soup(share(testing::make_soup(rng, 300)));
  for (const MeshTree* mesh : {&star, &soup}) {
    for (int i = 0; i < 300; ++i) {
      const Vec3 p = random_direction(rng) * rng.uniform(0, 1.5);
      double best = kInfinity;
      for (const Triangle& t : mesh->mesh().triangles) {
        const auto& v = mesh->mesh().vertices;
        best = std::min(
            best, (internal::compute_closest_on_triangle(p, v[t[0]], v[t[1]], v[t[2]]) - p).norm());
      }
      const NearestPoint near = find_nearest(*mesh, p, scratch);
      EXPECT_NEAR(near.distance, best, 1e-13);
      EXPECT_NEAR((near.point - p).norm(), best, 1e-13);
      EXPECT_NEAR(find_nearest(*mesh, p, scratch, 3).distance, best, 1e-13);
      EXPECT_EQ(find_nearest(*mesh, p, scratch, TrianglePair::kNone, 0.9 * best).distance,
                kInfinity);
    }
  }
}

/// Sum of solid angles: the winding number by definition (A. van Oosterom, J. Strackee, 1983).
double solid_angles(const TriangleMesh& mesh, const Vec3& p) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - p, b = mesh.vertices[t[1]] - p,
               c = mesh.vertices[t[2]] - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)),
                          la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (4 * std::numbers::pi);
}

TEST(MeshPoint, WindingIsTheSumOfSolidAngles) {
  Rng rng(52);
  QueryScratch scratch;
  TriangleMesh nested = make_mesh(Sphere{0.6}, 16);  // with a cavity, and a solid in the cavity
  TriangleMesh cavity = make_mesh(Sphere{0.4}, 16);
  for (Triangle& t : cavity.triangles) std::swap(t[0], t[1]);
  append(nested, cavity);
  append(nested, make_mesh(Box{Vec3(0.2, 0.2, 0.2)}, 4));
  TriangleMesh twice = make_mesh(Box{Vec3(1, 1, 1)}, 4);  // two solids that overlap
  append(twice, transformed(make_mesh(Box{Vec3(1, 1, 1)}, 4), Mat3::Identity(), Vec3(0.5, 0.1, 0)));
  for (const TriangleMesh& mesh :
       {make_star(rng, 20), make_mesh(Torus{0.5, 0.2}, 24), nested, twice}) {
    const MeshTree tree(share(mesh));
    ASSERT_TRUE(tree.is_closed());
    for (int i = 0; i < 1000; ++i) {
      const Vec3 p = random_direction(rng) * rng.uniform(0, 1.0);
      EXPECT_EQ(compute_winding(tree, p, scratch), std::lround(solid_angles(mesh, p)));
    }
  }
}

TEST(MeshPoint, RaysThroughCornersAndEdgesCountOnce) {
  QueryScratch scratch;
  const MeshTree ball(share(make_mesh(Sphere{0.5}, 16)));
  const MeshTree box(share(make_mesh(Box{Vec3(1, 1, 1)}, 4)));
  for (const MeshTree* mesh : {&ball, &box}) {
    for (const Vec3& v : mesh->mesh().vertices) {
      // On the ray along x through each vertex: just inside the surface, and far outside.
      const Vec3 inside = 0.9 * v;
      EXPECT_EQ(compute_winding(*mesh, Vec3(inside.x(), inside.y(), inside.z()), scratch), 1);
      for (double x : {-2.0, 2.0})
        EXPECT_EQ(compute_winding(*mesh, Vec3(x, v.y(), v.z()), scratch), 0);
    }
    // Through the diagonals of faces and the poles.
    for (double y : {-0.25, 0.0, 0.25}) {
      EXPECT_EQ(compute_winding(*mesh, Vec3(0.01, y, y), scratch), 1);
      EXPECT_EQ(compute_winding(*mesh, Vec3(-3, y, y), scratch), 0);
    }
  }
}

Separation separate(const MeshTree& a, const MeshTree& b, const Pose& X_AB) {
  QueryScratch scratch;
  return compute_separation(a, b, X_AB, scratch);
}

TEST(MeshDepth, BoxesSunkFlatIntoEachOther) {
  const MeshTree block(share(make_mesh(Box{Vec3(4, 4, 2)}, 4)));
  const MeshTree cube(share(make_mesh(Box{Vec3(1, 1, 1)}, 4)));
  for (double depth : {1e-4, 0.1, 0.3}) {
    // The cube's lower face lies `depth` below the block's upper one.
    const Separation s = separate(block, cube, Pose::translation(0.2, -0.3, 1.5 - depth));
    EXPECT_NEAR(s.distance, -depth, 1e-12);
    EXPECT_LT(s.error, 0.01);
    EXPECT_LT((s.normal - Vec3::UnitZ()).norm(), 1e-9);
  }
  EXPECT_NEAR(separate(block, cube, Pose::translation(0.2, -0.3, 1.7)).distance, 0.2, 1e-15);
  // Wholly inside, without touching: its sides pass the middle of the block, a metre from the top.
  const Separation in = separate(block, cube, Pose::translation(0, 0, 0.3));
  EXPECT_NEAR(in.distance, -1, 1e-3);
}

TEST(MeshDepth, BallsAreAsDeepAsTheirRadiiSay) {
  const MeshTree a(share(make_mesh(Sphere{0.5}, 48))), b(share(make_mesh(Sphere{0.3}, 48)));
  Rng rng(53);
  for (int i = 0; i < 20; ++i) {
    const Vec3 d = random_direction(rng);
    for (double gap : {-0.2, -0.05, -0.01, 0.02}) {
      const Separation s = separate(a, b, Pose::translation((0.8 + gap) * d));
      EXPECT_NEAR(s.distance, gap, 0.005);  // the deflection of the tessellation
      EXPECT_GT(s.normal.dot(d), 0.97);
    }
  }
}

TEST(MeshDepth, IsContinuousThroughContactAndNeverSteeperThanTheMotion) {
  Rng rng(54);
  for (int n = 0; n < 6; ++n) {
    const MeshTree a(share(make_star(rng, 14))), b(share(make_mesh(Torus{0.3, 0.12}, 16)));
    const Vec3 d = random_direction(rng);
    const Pose turn(random_placement(rng, 0).R, Vec3::Zero());
    double before = kInfinity;
    constexpr double kStep = 0.01;
    bool was_apart = false, was_in = false;
    for (double x = 1.6; x > 0; x -= kStep) {
      const Separation s = separate(a, b, Pose::translation(x * d) * turn);
      if (std::isfinite(before)) {
        EXPECT_LE(std::abs(s.distance - before), kStep + 2e-3 * (0.1 + std::abs(before))) << x;
      }
      before = s.distance;
      was_apart = was_apart || s.distance > 0.01;
      was_in = was_in || s.distance < -0.01;
      // The sign is that of overlapping.
      QueryScratch scratch;
      if (std::abs(s.distance) > 1e-5) {
        EXPECT_EQ(overlap(a, b, Pose::translation(x * d) * turn, scratch), s.distance < 0);
      }
    }
    EXPECT_TRUE(was_apart && was_in);
  }
}

TEST(MeshDepth, TheDeepestPointIsThatDeep) {
  Rng rng(55);
  QueryScratch scratch;
  const MeshTree a(share(make_star(rng, 14))), b(share(make_star(rng, 14)));
  int deep = 0;
  for (int i = 0; i < 60; ++i) {
    const Pose X_AB = random_placement(rng, 0.9);
    const Separation s = compute_separation(a, b, X_AB, scratch);
    if (s.distance >= 0) continue;
    ++deep;
    EXPECT_NEAR((s.on_a - s.on_b).norm(), -s.distance, 1e-12);
    // No vertex of either lies deeper, but for the stated error.
    const auto deepest = [&](const MeshTree& surface, const MeshTree& solid, const Pose& X_TS) {
      double most = 0;
      for (const Vec3& v : surface.mesh().vertices) {
        const Vec3 p = X_TS * v;
        if (is_inside(solid, p, scratch))
          most = std::max(most, find_nearest(solid, p, scratch).distance);
      }
      return most;
    };
    const double most = std::max(deepest(a, b, X_AB.inverse()), deepest(b, a, X_AB));
    EXPECT_GE(-s.distance, most - s.error - 1e-12);
  }
  EXPECT_GT(deep, 20);
}

TEST(MeshDepth, SheetsHaveNoInside) {
  TriangleMesh sheet;
  sheet.vertices = {Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(0, 1, 0)};
  sheet.triangles = {{0, 1, 2}};
  const MeshTree open(share(sheet)), ball(share(make_mesh(Sphere{0.3}, 24)));
  // The sheet lies in the ball's middle: it is as deep as the ball is thick there; the ball is not
  // in the sheet.
  EXPECT_NEAR(separate(open, ball, Pose()).distance, -0.3, 2 * ball.mesh().deflection);
  EXPECT_EQ(separate(open, open, Pose()).distance, 0);
}

/// Faces that stick out of each other: the bound closes within the default effort, however shallow.
TEST(MeshDepth, IsProvenWhereFacesLeaveTheSolid) {
  Rng rng(11);
  QueryScratch scratch;
  for (int round = 0; round < 200; ++round) {
    const Vec3 size(rng.uniform(0.5, 2), rng.uniform(0.5, 2), rng.uniform(0.5, 2));
    const MeshTree a(testing::share(make_mesh(Box{size}))), b(testing::share(make_mesh(Box{size})));
    // Face to face, shifted sideways, a little tilted, down to a thousandth of their size deep.
    const double depth = std::pow(10, rng.uniform(-3, -1));
    const Vec3 tilt(rng.uniform(-1e-3, 1e-3), rng.uniform(-1e-3, 1e-3), rng.uniform(-1, 1));
    const Pose X_AB(so3::exp(tilt),
                    Vec3(rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), size.z() - depth));
    const Separation s = compute_separation(a, b, X_AB, scratch);
    if (s.distance >= 0) continue;
    const DepthOptions options;
    EXPECT_LE(s.error, 1.001 * std::max(options.absolute, -options.relative * s.distance)) << round;
    EXPECT_NEAR(-s.distance, depth, 3e-3) << round;
    EXPECT_NEAR((s.on_a - s.on_b).norm(), -s.distance, 1e-9) << round;
  }
}

}  // namespace
}  // namespace geste

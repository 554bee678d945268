#include "geste/geometry/sphere_tree.hpp"

#include <gtest/gtest.h>

#include "geste/geometry/cover_boxes.hpp"
#include "geste/geometry/mesh_point.hpp"

#include "geometry/random_meshes.hpp"

namespace geste {
namespace {

Vec3 draw_on(const TriangleMesh& mesh, Rng& rng) {
  const Triangle& t = mesh.triangles[static_cast<std::size_t>(
      rng.integer(0, static_cast<std::int64_t>(mesh.triangles.size()) - 1))];
  double u = rng.uniform(), v = rng.uniform();
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  return (1 - u - v) * mesh.vertices[t[0]] + u * mesh.vertices[t[1]] + v * mesh.vertices[t[2]];
}

bool holds(const CoverBall& ball, const Vec3& p) {
  return (p - ball.centre).norm() <= ball.radius * (1 + 1e-12);
}

// Every point of the surface lies in a ball of each level, and inner balls lie inside.
TEST(SphereTree, HoldsTheSurfaceOnEveryLevel) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Rng rng(seed);
    const std::vector<Shape> shapes{testing::share(testing::make_star(rng, 12)),
                                    Box{Vec3(0.4, 0.1, 0.02)},
                                    Cylinder{0.1, 0.5},
                                    Sphere{0.2},
                                    Capsule{0.05, 0.4},
                                    Cone{0.1, 0.3},
                                    Torus{0.2, 0.05}};
    const Shape shape = shapes[seed % shapes.size()];
    const Collider collider(shape);
    const Pose X = testing::random_placement(rng, 1);
    const PlacedCollider placed{&collider, X};
    const SphereTree tree = make_sphere_tree({&placed, 1});
    ASSERT_FALSE(tree.balls.empty());
    const TriangleMesh fine = make_mesh(shape, 200);
    const MeshTree surface(testing::share(TriangleMesh(fine)));
    QueryScratch scratch;
    for (int k = 0; k < 2000; ++k) {
      const Vec3 p = X * draw_on(fine, rng);
      EXPECT_TRUE(holds(tree.balls[0], p));
      bool second = false, third = false;
      for (std::size_t b = 1; b < tree.balls.size(); ++b)
        (tree.balls[b].children > 0 ? second : third) |= holds(tree.balls[b], p);
      ASSERT_TRUE(second && third) << "seed " << seed;
    }
    for (const CoverBall& ball : tree.balls) {
      if (ball.inner <= 0) continue;
      const Vec3 p = X.inverse() * ball.centre;
      EXPECT_TRUE(is_inside(surface, p, scratch));
      EXPECT_GE(find_nearest(surface, p, scratch).distance, ball.inner - 1e-3);
    }
  }
}

TEST(SphereTree, NothingForNothing) {
  const Collider empty(Shape(testing::share(TriangleMesh())));
  const PlacedCollider placed{&empty, {}};
  EXPECT_TRUE(make_sphere_tree({&placed, 1}).balls.empty());
  EXPECT_TRUE(make_sphere_tree({}).balls.empty());
}

TEST(CoverBoxes, HoldTheSurface) {
  Rng rng(5);
  const MeshTree mesh(testing::share(testing::make_star(rng, 30)));
  for (const std::size_t most : {std::size_t{1}, std::size_t{40}, std::size_t{100'000}}) {
    const std::vector<OrientedBox> boxes = make_cover_boxes(mesh, 0.1, most);
    EXPECT_LE(boxes.size(), most);
    for (int k = 0; k < 3000; ++k) {
      const Vec3 p = draw_on(mesh.mesh(), rng);
      EXPECT_TRUE(std::any_of(boxes.begin(), boxes.end(), [&](const OrientedBox& b) {
        return ((b.X.inverse() * p).cwiseAbs().array() <= b.half.array()).all();
      }));
    }
  }
}

}  // namespace
}  // namespace geste

#include "geste/geometry/mesh_pair.hpp"

#include <gtest/gtest.h>

#include "geste/geometry/internal/box_tree.hpp"
#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/internal/triangle_pair.hpp"

#include "random_meshes.hpp"

// Touch and distance of meshes against a loop over all pairs of triangles. MV-8

namespace geste {
namespace {

using testing::make_soup;
using testing::make_star;
using testing::random_direction;
using testing::random_placement;
using testing::share;

internal::Triangle3 corners(const TriangleMesh& mesh, std::uint32_t t, const Pose& X) {
  const Triangle& v = mesh.triangles[t];
  return {{X * mesh.vertices[v[0]], X * mesh.vertices[v[1]], X * mesh.vertices[v[2]]}};
}

double brute_force(const TriangleMesh& a, const TriangleMesh& b, const Pose& X_AB) {
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < a.triangles.size(); ++i) {
    const internal::Triangle3 ta = corners(a, i, Pose());
    for (std::uint32_t j = 0; j < b.triangles.size(); ++j)
      best = std::min(best, internal::compute_distance(ta, corners(b, j, X_AB)).squared);
  }
  return std::sqrt(best);
}

struct Kind {
  const char* name;
  TriangleMesh (*make)(Rng&);
};

class MeshPairs : public ::testing::TestWithParam<std::tuple<Kind, Kind>> {};

TEST_P(MeshPairs, AgreeWithEveryPairOfTriangles) {
  const auto& [kind_a, kind_b] = GetParam();
  Rng rng(41);
  QueryScratch scratch;
  int touching = 0;
  for (int n = 0; n < 3; ++n) {
    const MeshTree a(share(kind_a.make(rng))), b(share(kind_b.make(rng)));
    TrianglePair hint, touch_hint;
    for (int i = 0; i < 16; ++i) {
      const Pose X_AB = random_placement(rng, 1.6);
      const double expected = brute_force(a.mesh(), b.mesh(), X_AB);
      const MeshDistance d = compute_distance(a, b, X_AB, scratch);
      const double size = 1 + X_AB.p.norm();
      EXPECT_NEAR(d.distance, expected, 1e-13 * size);
      EXPECT_NEAR((d.on_b - d.on_a).norm(), d.distance, 1e-13 * size);
      EXPECT_EQ(touches(a, b, X_AB, scratch), expected == 0) << expected;
      touching += expected == 0;
      // Hints and the order of the two change nothing.
      EXPECT_NEAR(compute_distance(a, b, X_AB, scratch, &hint).distance, expected, 1e-13 * size);
      EXPECT_EQ(touches(a, b, X_AB, scratch, &touch_hint), expected == 0);
      EXPECT_NEAR(compute_distance(b, a, X_AB.inverse(), scratch).distance, expected, 1e-13 * size);
      // The witnesses lie on the triangles that are named; the normal of a sliver has few digits.
      const auto on = [&](const MeshTree& m, std::uint32_t t, const Pose& X, const Vec3& p) {
        const internal::Triangle3 c = corners(m.mesh(), t, X);
        return (internal::compute_closest_on_triangle(p, c.p[0], c.p[1], c.p[2]) - p).norm();
      };
      EXPECT_LT(on(a, d.triangles.a, Pose(), d.on_a), 1e-9 * size);
      EXPECT_LT(on(b, d.triangles.b, X_AB, d.on_b), 1e-9 * size);
      // A limit below hides it, one above does not.
      if (expected > 1e-6) {
        EXPECT_FALSE(
            compute_distance(a, b, X_AB, scratch, nullptr, 0.99 * expected).triangles.valid());
        EXPECT_NEAR(compute_distance(a, b, X_AB, scratch, nullptr, 1.01 * expected).distance,
                    expected, 1e-13 * size);
      }
    }
  }
  // Single triangles seldom meet.
  const bool single = kind_a.name == std::string("one") || kind_b.name == std::string("one");
  EXPECT_GT(touching, single ? -1 : 3);
  EXPECT_LT(touching, 45);
}

const Kind kKinds[] = {
    {"star", [](Rng& rng) { return make_star(rng, 9); }},
    {"soup", [](Rng& rng) { return make_soup(rng, 100); }},
    {"torus",
     [](Rng&) {
       return make_mesh(Torus{0.4, 0.1}, 14);
     }},
    {"box", [](Rng&) { return make_mesh(Box{Vec3(1, 0.01, 0.4)}, 4); }},
    {"one", [](Rng& rng) { return make_soup(rng, 1); }},
};

INSTANTIATE_TEST_SUITE_P(
    Kinds, MeshPairs, ::testing::Combine(::testing::ValuesIn(kKinds), ::testing::ValuesIn(kKinds)),
    [](const auto& test) {
      return std::string(std::get<0>(test.param).name) + "_" + std::get<1>(test.param).name;
    });

TEST(MeshPair, FarFromTheOriginNothingIsLost) {
  // The same pair a kilometre away: coordinates lose digits, answers do not lose safety.
  Rng rng(42);
  QueryScratch scratch;
  const MeshTree a(share(make_star(rng, 12)));
  TriangleMesh moved = a.mesh();
  const Vec3 far(1000, -2000, 500);
  for (Vec3& v : moved.vertices) v += far;
  const MeshTree b(share(std::move(moved)));
  for (int i = 0; i < 200; ++i) {
    const Pose X = random_placement(rng, 1.3);
    const Pose X_AB = X * Pose::translation(-far);
    const double near = compute_distance(a, a, X, scratch).distance;
    EXPECT_NEAR(compute_distance(a, b, X_AB, scratch).distance, near, 1e-11);
    if (near > 1e-9 || near == 0) {
      EXPECT_EQ(touches(a, b, X_AB, scratch), near == 0);
    }
  }
}

TEST(MeshPair, SliversOfEveryThinnessKeepTheirDistance) {
  Rng rng(44);
  QueryScratch scratch;
  for (int n = 0; n < 300; ++n) {
    const double thin = std::pow(10, rng.uniform(-13, -1));
    const auto make = [&] {
      TriangleMesh mesh;
      for (int i = 0; i < 12; ++i) {
        const Vec3 at = testing::random_direction(rng) * rng.uniform();
        const Vec3 u = testing::random_direction(rng), v = testing::random_direction(rng);
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        mesh.vertices.insert(mesh.vertices.end(),
                             {at, at + u, at + rng.uniform(-0.5, 1.5) * u + thin * v});
        mesh.triangles.push_back({first, first + 1, first + 2});
      }
      return MeshTree(share(std::move(mesh)));
    };
    const MeshTree a = make(), b = make();
    const Pose X_AB = random_placement(rng, 3);
    const double expected = brute_force(a.mesh(), b.mesh(), X_AB);
    EXPECT_NEAR(compute_distance(a, b, X_AB, scratch).distance, expected, 1e-13) << thin;
    EXPECT_EQ(touches(a, b, X_AB, scratch), expected == 0) << thin;
  }
}

TEST(MeshPair, FacesInOnePlaneTouch) {
  QueryScratch scratch;
  const MeshTree box(share(make_mesh(Box{Vec3(1, 1, 1)}, 4)));
  EXPECT_TRUE(touches(box, box, Pose(), scratch));
  EXPECT_TRUE(touches(box, box, Pose::translation(1, 0.3, 0.2), scratch));
  EXPECT_FALSE(touches(box, box, Pose::translation(1 + 1e-9, 0.3, 0.2), scratch));
  EXPECT_NEAR(compute_distance(box, box, Pose::translation(1 + 1e-9, 0.3, 0.2), scratch).distance,
              1e-9, 1e-15);
  // Inside, without touching: surfaces are meant here.
  const MeshTree small(share(make_mesh(Box{Vec3(0.1, 0.1, 0.1)}, 4)));
  EXPECT_FALSE(touches(box, small, Pose(), scratch));
  EXPECT_NEAR(compute_distance(box, small, Pose(), scratch).distance, 0.45, 1e-15);
}

TEST(MeshPair, EmptyMeshesAreInfinitelyFar) {
  QueryScratch scratch;
  const MeshTree none(share(TriangleMesh())), box(share(make_mesh(Box{Vec3(1, 1, 1)}, 4)));
  for (const auto& [a, b] : {std::pair{&none, &box}, {&box, &none}, {&none, &none}}) {
    EXPECT_FALSE(touches(*a, *b, Pose(), scratch));
    EXPECT_EQ(compute_distance(*a, *b, Pose(), scratch).distance, kInfinity);
  }
}

TEST(MeshPair, PosesThatAreNoNumbersThrow) {
  QueryScratch scratch;
  const MeshTree box(share(make_mesh(Box{Vec3(1, 1, 1)}, 4)));
  EXPECT_THROW((void)touches(box, box, Pose::translation(std::nan(""), 0, 0), scratch),
               std::invalid_argument);
  EXPECT_THROW(MeshTree{MeshShape{}}, std::invalid_argument);
  for (const double bad : {std::nan(""), kInfinity, 1e300}) {
    TriangleMesh mesh = make_mesh(Box{Vec3(1, 1, 1)}, 4);
    mesh.vertices[3].y() = bad;
    EXPECT_THROW(MeshTree{share(mesh)}, std::invalid_argument) << bad;
  }
}

TEST(MeshTree, TakesMeshesOfAnySize) {
  QueryScratch scratch;
  Rng first(45);
  const MeshTree unit(share(make_star(first, 24)));
  const double expected =
      compute_distance(unit, unit, Pose::translation(3, 0, 0), scratch).distance;
  for (const double size : {1e-6, 1e-3, 1e3, 1e6}) {
    Rng rng(45);
    TriangleMesh mesh = make_star(rng, 24);
    for (Vec3& v : mesh.vertices) v *= size;
    const MeshTree tree(share(mesh));
    EXPECT_NEAR(
        compute_distance(tree, tree, Pose::translation(3 * size, 0, 0), scratch).distance / size,
        expected, 1e-9);
  }
}

TEST(MeshTree, HoldsEveryTriangleOnce) {
  Rng rng(43);
  for (int count : {1, 7, 8, 9, 100, 5000, 20000}) {
    const MeshTree tree(share(make_soup(rng, count)));
    std::vector<int> seen(static_cast<std::size_t>(count), 0);
    for (const auto& leaf : tree.boxes().leaves) {
      for (std::uint32_t k = 0; k < leaf.count; ++k) ++seen[leaf.triangle[k]];
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), count);
    EXPECT_FALSE(tree.is_closed());
    EXPECT_LT(static_cast<double>(tree.bytes()), 400.0 * count + 2000);
  }
  // All centroids in one place leave nothing to split by.
  TriangleMesh same;
  same.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  same.triangles.assign(1000, Triangle{0, 1, 2});
  EXPECT_EQ(MeshTree(share(same)).boxes().leaves.size() > 100, true);
}

TEST(MeshTree, KnowsClosedMeshesAndPieces) {
  TriangleMesh two = make_mesh(Box{Vec3(1, 1, 1)}, 4);
  append(two, transformed(make_mesh(Sphere{0.3}, 8), Mat3::Identity(), Vec3(3, 0, 0)));
  const MeshTree tree(share(two));
  EXPECT_TRUE(tree.is_closed());
  EXPECT_EQ(tree.pieces().size(), 2u);
  two.triangles.pop_back();
  EXPECT_FALSE(MeshTree(share(two)).is_closed());
}

/// Small triangles far apart share a leaf: rounding goes by their lever, not by their size.
TEST(MeshPair, LongLeversDoNotFoolTheFilter) {
  Rng rng(19);
  QueryScratch scratch;
  const auto make_pair_of_chips = [&](double apart) {
    TriangleMesh mesh;
    for (const double side : {-0.5, 0.5}) {
      const Vec3 at(side * apart, 0, 0);
      const auto n = static_cast<std::uint32_t>(mesh.vertices.size());
      for (int k = 0; k < 3; ++k) mesh.vertices.push_back(at + 0.01 * random_direction(rng));
      mesh.triangles.push_back({n, n + 1, n + 2});
    }
    return share(mesh);
  };
  for (int round = 0; round < 2000; ++round) {
    const double apart = round % 2 ? 10 : 100;
    const MeshTree a(make_pair_of_chips(apart)), b(make_pair_of_chips(apart));
    // Chip on chip, within micrometres of contact.
    Pose X_AB = random_placement(rng, 0);
    X_AB.p = a.mesh().vertices[0] - X_AB * b.mesh().vertices[0] +
             std::pow(10, rng.uniform(-9, -4)) * random_direction(rng);
    double expected = std::numeric_limits<double>::infinity();
    for (const Triangle& ta : a.mesh().triangles) {
      for (const Triangle& tb : b.mesh().triangles) {
        internal::Triangle3 x, y;
        for (std::size_t k = 0; k < 3; ++k) {
          x.p[k] = a.mesh().vertices[ta[k]];
          y.p[k] = X_AB * b.mesh().vertices[tb[k]];
        }
        expected = std::min(expected, std::sqrt(internal::compute_distance(x, y).squared));
      }
    }
    EXPECT_NEAR(compute_distance(a, b, X_AB, scratch).distance, expected, 1e-12) << round;
    EXPECT_EQ(touches(a, b, X_AB, scratch), expected == 0) << round;
  }
}

}  // namespace
}  // namespace geste

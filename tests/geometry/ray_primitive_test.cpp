#include <gtest/gtest.h>

#include "geste/geometry/internal/quartic.hpp"
#include "geste/geometry/point_distance.hpp"
#include "geste/geometry/ray_scene.hpp"

#include "random_meshes.hpp"

// First hits of primitives. The witness is the signed distance of points along the segment. CH-6

namespace geste {
namespace {

using testing::random_direction;
using testing::random_placement;

PrimitiveShape make_primitive(Rng& rng, int kind, double size) {
  const auto length = [&] { return size * std::pow(10, rng.uniform(-1.5, 0)); };
  switch (kind) {
    case 0:
      return Sphere{length()};
    case 1:
      return Capsule{length(), length()};
    case 2:
      return Box{Vec3(length(), length(), length())};
    case 3:
      return Cylinder{length(), length()};
    case 4:
      return Cone{length(), length()};
    case 5:
      return Torus{length(), length()};
    default: {
      std::vector<Vec3> points;
      for (int i = 0; i < 12; ++i) points.push_back(random_direction(rng) * length());
      return std::make_shared<const ConvexHull>(*make_convex_hull(points));
    }
  }
}

Shape to_shape(const PrimitiveShape& primitive) {
  return std::visit([](const auto& s) { return Shape(s); }, primitive);
}

struct Probe {
  PrimitiveShape shape;
  Pose X_SW;
  Vec3 from;
  Vec3 direction;
  double length;
  [[nodiscard]] double distance(double t) const {
    return compute_point_separation(shape, X_SW * Vec3(from + t * direction)).distance;
  }
};

/// Where the surface is first met: marched, each step no longer than the distance to the surface;
/// stops this side of `close`. -1 where it never is.
double march(const Probe& probe, double close) {
  double t = 0;
  for (int step = 0; step < 200000 && t <= probe.length; ++step) {
    const double gap = std::abs(probe.distance(t));
    if (gap < close) return t;
    t += gap;
  }
  return -1;
}

void expect_first(const Probe& probe, const RayScene& scene, double size, int& hits) {
  const Vec3 to = probe.from + probe.length * probe.direction;
  const auto hit = find_first_hit(scene, probe.from, to);
  EXPECT_EQ(is_free(scene, probe.from, to), !hit.has_value());
  if (!hit) {  // then all of it lies on one side
    const bool is_in = probe.distance(0) < 0;
    for (int k = 1; k <= 100; ++k) EXPECT_EQ(probe.distance(probe.length * k / 100) < 0, is_in);
    return;
  }
  const double near = march(probe, 1e-7 * size);
  ++hits;
  EXPECT_NEAR(probe.distance(hit->distance), 0, 1e-12 * (size + probe.from.norm()));
  ASSERT_GE(near, 0);
  EXPECT_LE(near, hit->distance + 1e-12 * (size + probe.from.norm()));
  // Between where the march stopped and the hit nothing changes side: it is the first.
  for (int k = 1; k < 20; ++k) {
    const double t = near + (hit->distance - near) * k / 20;
    if (std::abs(probe.distance(t)) > 1e-12 * (size + probe.from.norm())) {
      EXPECT_EQ(probe.distance(t) < 0, probe.distance(near) < 0);
    }
  }
  // The normal is the slope of the distance.
  const Vec3 q = probe.X_SW * hit->point, n = probe.X_SW.R * hit->normal;
  const double h = 1e-6 * size;
  const double rise = compute_point_separation(probe.shape, q + h * n).distance;
  EXPECT_NEAR(rise / h, 1, 1e-3);
  EXPECT_NEAR(n.norm(), 1, 1e-14);
}

TEST(RayPrimitive, FirstHitIsWhereTheDistanceVanishesFirst) {
  Rng rng(81);
  for (int kind = 0; kind < 7; ++kind) {
    int hits = 0, total = 0;
    for (int n = 0; n < 300; ++n) {
      const double size = std::pow(10, rng.uniform(-3, 2));
      const PrimitiveShape shape = make_primitive(rng, kind, size);
      const Pose X_WS = random_placement(rng, 3 * size);
      const RayScene scene(std::vector<PlacedShape>{{to_shape(shape), X_WS}});
      for (int k = 0; k < 10; ++k, ++total) {
        const Vec3 from = X_WS.p + random_direction(rng) * 2.5 * size * rng.uniform();
        const Vec3 to = X_WS.p + random_direction(rng) * 2 * size * rng.uniform();
        const Probe probe{shape, X_WS.inverse(), from, (to - from).normalized(),
                          (to - from).norm()};
        expect_first(probe, scene, size, hits);
      }
    }
    EXPECT_GT(hits, total / 20) << kind;
    EXPECT_LT(hits, total) << kind;
  }
}

/// A closed surface is crossed in, out, in, out: continuing behind each hit visits all crossings,
/// and the normals tell which is which.
TEST(RayPrimitive, TorusIsEnteredAndLeftUpToTwice) {
  Rng rng(82);
  int twice = 0;
  for (int n = 0; n < 3000; ++n) {
    const Torus torus{rng.uniform(0.2, 1), rng.uniform(0.02, 0.6)};
    const Pose X_WS = random_placement(rng, 2);
    const RayScene scene(std::vector<PlacedShape>{{torus, X_WS}});
    const Vec3 from = X_WS * Vec3(random_direction(rng) * 4);
    const Vec3 through = X_WS * Vec3(random_direction(rng) * 0.5 * rng.uniform());
    const Vec3 to = from + 2 * (through - from);
    const Vec3 d = (to - from).normalized();
    int crossings = 0;
    double at = 0;
    while (const auto hit = find_first_hit(scene, Vec3(from + at * d), to)) {
      EXPECT_EQ(hit->normal.dot(d) < 0, crossings % 2 == 0) << n;
      ++crossings;
      at += hit->distance + 1e-7;
      ASSERT_LE(crossings, 4);
    }
    EXPECT_EQ(crossings % 2, 0) << n;
    twice += crossings == 4;
  }
  EXPECT_GT(twice, 100);
}

/// Primitives and fine meshes of them see each other's hits within the deflection.
TEST(RayPrimitive, AgreesWithItsTessellation) {
  Rng rng(83);
  for (int kind = 0; kind < 6; ++kind) {
    const Shape shape = to_shape(make_primitive(rng, kind, 1));
    const TriangleMesh mesh = make_mesh(shape, 256);
    const RayScene exact(std::vector<PlacedShape>{{shape, Pose()}});
    const RayScene facets(std::vector<PlacedShape>{{testing::share(mesh), Pose()}});
    int differ = 0;
    for (int n = 0; n < 2000; ++n) {
      const Vec3 from = random_direction(rng) * 3, to = random_direction(rng) * rng.uniform();
      const auto a = find_first_hit(exact, from, to), b = find_first_hit(facets, from, to);
      const bool same = a && b ? std::abs(a->distance - b->distance) < 30 * mesh.deflection + 1e-9
                               : a.has_value() == b.has_value();
      differ += !same;  // grazing
    }
    EXPECT_LT(differ, 20) << kind;
  }
}

TEST(RayPrimitive, DistancesByHand) {
  const auto first = [](const Shape& shape, const Vec3& from, const Vec3& to) {
    return find_first_hit(RayScene(std::vector<PlacedShape>{{shape, Pose()}}), from, to);
  };
  EXPECT_NEAR(first(Sphere{0.5}, {0, 0, 3}, {0, 0, -3})->distance, 2.5, 1e-15);
  EXPECT_NEAR(first(Capsule{0.5, 2}, {0, 0, 3}, {0, 0, -3})->distance, 1.5, 1e-15);
  EXPECT_NEAR(first(Capsule{0.5, 2}, {3, 0, 0.3}, {-3, 0, 0.3})->distance, 2.5, 1e-15);
  EXPECT_NEAR(first(Cylinder{0.5, 2}, {0.2, 0, 3}, {0.2, 0, -3})->distance, 2, 1e-15);
  EXPECT_NEAR(first(Cone{1, 2}, {3, 0, 0}, {-3, 0, 0})->distance, 2.5, 1e-15);
  EXPECT_NEAR(first(Cone{1, 2}, {0.25, 0, 3}, {0.25, 0, -3})->distance, 2.5, 1e-15);
  EXPECT_NEAR(first(Cone{1, 2}, {0.25, 0, -3}, {0.25, 0, 3})->distance, 2, 1e-15);
  EXPECT_NEAR(first(Cone{1, 2}, {0, 0, 3}, {0, 0, -3})->distance, 2, 1e-15);  // its apex
  EXPECT_NEAR(first(Torus{1, 0.25}, {3, 0, 0}, {-3, 0, 0})->distance, 1.75, 1e-15);
  EXPECT_NEAR(first(Torus{1, 0.25}, {0, 0, 0}, {-3, 0, 0})->distance, 0.75, 1e-15);
  EXPECT_NEAR(first(Torus{1, 0.25}, {1, 0, 3}, {1, 0, -3})->distance, 2.75, 1e-15);
  EXPECT_FALSE(first(Torus{1, 0.25}, {0, 0, 3}, {0, 0, -3}));  // through the hole
  // Where the tube is thicker than the circle is wide there is no hole, and nothing inside.
  EXPECT_NEAR(first(Torus{0.3, 0.5}, {0, 0, 3}, {0, 0, -3})->distance, 2.6, 1e-15);
  EXPECT_NEAR(first(Torus{0.3, 0.5}, {0, 0, 0}, {3, 0, 0})->distance, 0.8, 1e-15);
  EXPECT_NEAR(first(Torus{0.3, 0.5}, {0, 0, 0}, {0, 0, 3})->distance, 0.4, 1e-15);
}

TEST(RayPrimitive, ShapesOfNoSizeAreNoTrouble) {
  for (const Shape& shape : std::vector<Shape>{
           Sphere{}, Capsule{}, Box{}, Cylinder{}, Cone{}, Torus{}, Cone{0.5, 0}, Cone{0, 0.5},
           Cylinder{0.5, 0}, Torus{0.5, 0}, Torus{0, 0.5}, Capsule{0, 1}}) {
    const RayScene scene(std::vector<PlacedShape>{{shape, Pose()}});
    EXPECT_TRUE(is_free(scene, {1, 1, -2}, {1, 1, 2}));
    const auto hit = find_first_hit(scene, {0, 0, -2}, {0.1, 0, 2});
    if (hit) {
      EXPECT_TRUE(hit->normal.allFinite());
      EXPECT_NEAR(hit->normal.norm(), 1, 1e-14);
    }
  }
  EXPECT_FALSE(is_free(RayScene(std::vector<PlacedShape>{{Cylinder{0.5, 0}, Pose()}}),
                       {0.1, 0.2, -1}, {0.1, 0.2, 1}));
  EXPECT_FALSE(is_free(RayScene(std::vector<PlacedShape>{{Torus{0, 0.5}, Pose()}}), {0.1, 0.2, -1},
                       {0.1, 0.2, 1}));
}

/// Made from its roots, a + b + c + d = 0.
TEST(Quartic, FindsTheRootsItWasMadeFrom) {
  Rng rng(84);
  for (int n = 0; n < 3000; ++n) {
    std::array<double, 4> x{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), 0};
    if (n % 3 == 0) x[1] = x[0];  // a touch
    x[3] = -x[0] - x[1] - x[2];
    std::sort(x.begin(), x.end());
    const double b =
        x[0] * x[1] + x[0] * x[2] + x[0] * x[3] + x[1] * x[2] + x[1] * x[3] + x[2] * x[3];
    const double c =
        -(x[0] * x[1] * x[2] + x[0] * x[1] * x[3] + x[0] * x[2] * x[3] + x[1] * x[2] * x[3]);
    const auto roots = internal::find_roots({b, c, x[0] * x[1] * x[2] * x[3]}, -4, 4);
    ASSERT_GE(roots.count, 1u);
    for (std::size_t i = 1; i < roots.count; ++i) EXPECT_LE(roots.root[i - 1], roots.root[i]);
    for (const double root : x) {
      double nearest = 1;
      for (std::size_t i = 0; i < roots.count; ++i)
        nearest = std::min(nearest, std::abs(roots.root[i] - root));
      EXPECT_LT(nearest, 1e-6)
          << n;  // of a touch: the square root of rounding, and worse if threefold
    }
  }
}

}  // namespace
}  // namespace geste

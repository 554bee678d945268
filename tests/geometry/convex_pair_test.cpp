#include "geste/geometry/convex_pair.hpp"

#include <cmath>

#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/internal/triangle_pair.hpp"

#include "convex_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::compute_gap;
using testing::kPrimitiveKinds;
using testing::kTorus;
using testing::name_pair;
using testing::random_pose;
using testing::random_primitive;

/// The largest gap near a direction. It is flat there, so a normal that is 1e-7 off is no worse;
/// the steps only make up for corners far apart.
double climb_gap(const PrimitiveShape& a, const PrimitiveShape& b, const Pose& X_AB, Vec3 d) {
  double best = compute_gap(a, b, X_AB, d);
  for (double step = 1e-6; step > 1e-11; step /= 2) {
    for (const Vec3 e : {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()}) {
      for (const double sign : {-1.0, 1.0}) {
        const Vec3 other = (d + sign * step * e).normalized();
        const double gap = compute_gap(a, b, X_AB, other);
        if (gap > best) best = gap, d = other;
      }
    }
  }
  return best;
}

/// Both bounds of a signed distance. From above (apart): two points of the solids that are so far
/// apart. From below: the planes across the normal. Inside, the planes say that the translation
/// separates, and no other of many directions does with less.
void expect_right(const PrimitiveShape& a, const PrimitiveShape& b, const Pose& X_AB, Rng& rng) {
  const Separation s = compute_primitive_separation(a, b, X_AB);
  ASSERT_NEAR(s.normal.norm(), 1, 1e-12);
  ASSERT_LT(s.error, 1e-8);
  ASSERT_LT((s.on_b - s.on_a - s.distance * s.normal).norm(), 2e-9);
  const Pose X_BA = X_AB.inverse();
  ASSERT_NEAR(compute_point_separation(a, s.on_a).distance, 0, 1e-8);
  ASSERT_NEAR(compute_point_separation(b, X_BA * s.on_b).distance, 0, 1e-8);
  ASSERT_NEAR(compute_gap(a, b, X_AB, s.normal), s.distance, 1e-9);
  if (std::abs(s.distance) > 1e-9) {
    ASSERT_EQ(touch_primitives(a, b, X_AB), s.distance < 0);
  }
  for (int i = 0; i < 200; ++i) {
    Vec3 d = testing::random_unit(rng);
    if (i % 2) d = (s.normal + 0.05 * d).normalized();
    ASSERT_LE(compute_gap(a, b, X_AB, d), s.distance + 1e-9);
  }
}

TEST(ConvexPair, IsTheLargestGapOverAllDirections) {
  Rng rng(1);
  for (std::size_t i = 0; i < kPrimitiveKinds; ++i) {
    for (std::size_t j = 0; j < kPrimitiveKinds; ++j) {
      if (i == kTorus || j == kTorus) continue;
      for (int run = 0; run < 200; ++run) {
        const PrimitiveShape a = random_primitive(rng, i), b = random_primitive(rng, j);
        const Pose X_AB = random_pose(rng, run % 2 ? 0.4 : 1.5);
        expect_right(a, b, X_AB, rng);
        if (HasFatalFailure()) FAIL() << name_pair(i, j) << " run " << run;
      }
    }
  }
}

TEST(ConvexPair, SwappingAndMovingBothChangesNothing) {
  Rng rng(2);
  for (std::size_t i = 0; i < kPrimitiveKinds; ++i) {
    for (std::size_t j = 0; j < kPrimitiveKinds; ++j) {
      for (int run = 0; run < 40; ++run) {
        const PrimitiveShape a = random_primitive(rng, i), b = random_primitive(rng, j);
        const Pose X_AB = random_pose(rng, 0.8);
        const Separation s = compute_primitive_separation(a, b, X_AB);
        const Separation r = compute_primitive_separation(b, a, X_AB.inverse());
        EXPECT_NEAR(s.distance, r.distance, 1e-9) << name_pair(i, j);
        const Pose X_WA = random_pose(rng, 1);
        const Pose X_WB = X_WA * X_AB;
        const Separation m = compute_primitive_separation(a, b, X_WA.inverse() * X_WB);
        EXPECT_NEAR(s.distance, m.distance, 1e-9) << name_pair(i, j);
        // Witness and normal are unique almost everywhere, so they agree, too.
        if (s.distance > 1e-3) {
          EXPECT_LT((s.normal - m.normal).norm(), 1e-5) << name_pair(i, j);
          EXPECT_LT((s.normal + X_AB.R * r.normal).norm(), 1e-4) << name_pair(i, j);
        }
      }
    }
  }
}

TEST(ConvexPair, MovesThroughContactContinuouslyWithSlopeAtMostOne) {
  Rng rng(3);
  for (std::size_t i = 0; i < kPrimitiveKinds; ++i) {
    for (std::size_t j = 0; j < kPrimitiveKinds; ++j) {
      const PrimitiveShape a = random_primitive(rng, i), b = random_primitive(rng, j);
      const Pose X = random_pose(rng, 0.02);
      const Vec3 along = testing::random_unit(rng);
      double before = NAN, smallest = 1, largest = -1;
      for (int k = -300; k <= 300; ++k) {
        const Pose X_AB(X.R, X.p + k * 5e-3 * along);
        const double d = compute_primitive_separation(a, b, X_AB).distance;
        if (k > -300) {
          ASSERT_LE(std::abs(d - before), 5e-3 + 1e-9) << name_pair(i, j) << " " << k;
        }
        before = d;
        smallest = std::min(smallest, d);
        largest = std::max(largest, d);
      }
      if (i != kTorus && j != kTorus) {  // else the way may lead through the hole
        EXPECT_LT(smallest, 0) << name_pair(i, j);
      }
      EXPECT_GT(largest, 0) << name_pair(i, j);
    }
  }
}

TEST(ConvexPair, DepthIsTheTranslationThatSeparates) {
  Rng rng(4);
  int inside = 0;
  for (int run = 0; run < 3000; ++run) {
    auto i = static_cast<std::size_t>(rng.integer(0, 5)),
         j = static_cast<std::size_t>(rng.integer(0, 5));
    if (i == kTorus) i = 6;
    if (j == kTorus) j = 6;
    const PrimitiveShape a = random_primitive(rng, i), b = random_primitive(rng, j);
    const Pose X_AB = random_pose(rng, 0.5);
    const Separation s = compute_primitive_separation(a, b, X_AB);
    if (s.distance > -1e-3) continue;
    ++inside;
    const auto moved = [&](double part) {
      return Pose(X_AB.R, X_AB.p - part * s.distance * s.normal);
    };
    EXPECT_FALSE(touch_primitives(a, b, moved(1 + 1e-6))) << name_pair(i, j);
    EXPECT_TRUE(touch_primitives(a, b, moved(0.9))) << name_pair(i, j);
    EXPECT_NEAR(compute_primitive_separation(a, b, moved(0.5)).distance, s.distance / 2, 1e-9);
    EXPECT_NEAR(compute_primitive_separation(a, b, moved(1.5)).distance, -s.distance / 2, 1e-9);
  }
  EXPECT_GT(inside, 1000);
}

TEST(ConvexPair, KnownValues) {
  const Box cube{Vec3(2, 2, 2)};
  const auto at = [](const PrimitiveShape& a, const PrimitiveShape& b, const Pose& X_AB) {
    return compute_primitive_separation(a, b, X_AB);
  };
  EXPECT_NEAR(at(cube, cube, Pose()).distance, -2, 1e-12);
  EXPECT_NEAR(at(cube, cube, Pose::translation(5, 0, 0)).distance, 3, 1e-12);
  EXPECT_NEAR(at(cube, cube, Pose::translation(5, 6, 0)).distance, 5, 1e-12);
  EXPECT_NEAR(at(cube, cube, Pose::translation(2, 0.3, 0)).distance, 0, 1e-12);
  EXPECT_NEAR(at(cube, cube, Pose::translation(2, 2, 2)).distance, 0, 1e-12);
  const Separation deep = at(cube, cube, Pose::translation(0, -1.5, 0.2));
  EXPECT_NEAR(deep.distance, -0.5, 1e-12);
  EXPECT_LT((deep.normal + Vec3::UnitY()).norm(), 1e-12);
  // A cube on its edge above a cube.
  const Pose tilted(Eigen::AngleAxisd(M_PI / 4, Vec3::UnitX()).toRotationMatrix(), Vec3(0, 0, 3));
  EXPECT_NEAR(at(cube, cube, tilted).distance, 2 - std::sqrt(2), 1e-12);
  // Coaxial cylinders: by the side or by the end, whichever is nearer.
  EXPECT_NEAR(at(Cylinder{1, 10}, Cylinder{0.5, 12}, Pose()).distance, -1.5, 1e-9);
  EXPECT_NEAR(at(Cylinder{1, 2}, Cylinder{5, 2}, Pose::translation(0, 0, 1.75)).distance, -0.25,
              1e-12);
  EXPECT_NEAR(at(Cylinder{1, 2}, Cylinder{1, 2}, Pose::translation(2.5, 0, 0)).distance, 0.5,
              1e-12);
  EXPECT_NEAR(at(Cone{1, 2}, Cone{1, 2}, Pose::translation(0, 0, 3)).distance, 1, 1e-12);
  // Nearly coaxial, shifted or tilted: the depth hardly depends on the direction.
  for (const double shift : {1e-9, 1e-6, 1e-4, 1e-2, 0.1}) {
    const Pose X_AB = Pose::translation(0.6 * shift, 0.8 * shift, 0);
    EXPECT_NEAR(at(Cylinder{1, 10}, Cylinder{0.5, 12}, X_AB).distance, -1.5 + shift, 1e-8) << shift;
    EXPECT_NEAR(at(Cylinder{1, 10}, Capsule{0.5, 12}, X_AB).distance, -1.5 + shift, 1e-8) << shift;
  }
  for (const double tilt : {1e-6, 1e-4, 1e-2}) {
    const Pose X_AB = Pose::rotation(Vec3::UnitX(), tilt);
    EXPECT_NEAR(at(Cylinder{1, 10}, Cylinder{0.5, 12}, X_AB).distance, -1.5, 1e-8) << tilt;
  }
  EXPECT_NEAR(at(Cone{1, 4}, Cone{1, 4}, Pose()).distance, -4 / std::hypot(2, 0.5), 1e-9);
  // Axes that cross, coincide, or meet end to end.
  const Capsule rod{0.1, 2};
  const Pose across(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()).toRotationMatrix(), Vec3::Zero());
  EXPECT_NEAR(at(rod, rod, across).distance, -0.2, 1e-15);
  EXPECT_NEAR(std::abs(at(rod, rod, across).normal.x()), 1, 1e-12);
  EXPECT_NEAR(at(rod, rod, Pose()).distance, -0.2, 1e-15);
  EXPECT_NEAR(at(rod, rod, Pose::translation(0, 0, 2.1)).distance, -0.1, 1e-12);
  EXPECT_NEAR(at(Sphere{1}, Sphere{0.5}, Pose()).distance, -1.5, 1e-15);
  EXPECT_NEAR(at(Sphere{1}, cube, Pose::translation(0.4, 0, 0)).distance, -1.6, 1e-15);
}

TEST(ConvexPair, HoldsItsAccuracyAtEverySize) {
  Rng rng(5);
  for (const double size_a : {1e-6, 1e-3, 1.0, 1e3}) {
    for (const double size_b : {1e-6, 1.0, 1e3}) {
      const double larger = std::max(size_a, size_b);
      for (int run = 0; run < 200; ++run) {
        const Box a{size_a * Vec3(rng.uniform(0.1, 1), rng.uniform(0.1, 1), rng.uniform(0.1, 1))};
        const PrimitiveShape b = run % 2 ? PrimitiveShape(Box{size_b * Vec3(1, 0.3, 0.6)})
                                         : PrimitiveShape(Cylinder{size_b / 2, size_b});
        const Pose X_AB = random_pose(rng, larger * (run % 4 < 2 ? 1.5 : 0.5));
        const Separation s = compute_primitive_separation(a, b, X_AB);
        ASSERT_NEAR(climb_gap(a, b, X_AB, s.normal), s.distance, 1e-9 * larger);
        ASSERT_NEAR(compute_gap(a, b, X_AB, s.normal), s.distance, 1e-7 * larger);
        for (int i = 0; i < 50; ++i) {
          const Vec3 d = (s.normal + 0.1 * testing::random_unit(rng)).normalized();
          ASSERT_LE(compute_gap(a, b, X_AB, d), s.distance + 1e-9 * larger);
        }
      }
    }
  }
  const Separation far = compute_primitive_separation(
      Box{Vec3(1e-6, 1e-6, 1e-6)}, Box{Vec3(1, 1, 1)}, Pose::translation(1e4, 0, 0));
  EXPECT_NEAR(far.distance, 1e4 - 0.5000005, 1e-11);
}

TEST(ConvexPair, ExactContactAndParallelFaces) {
  Rng rng(6);
  for (int run = 0; run < 500; ++run) {
    const Box a{Vec3(rng.uniform(0.1, 1), rng.uniform(0.1, 1), rng.uniform(0.1, 1))};
    const Box b{Vec3(rng.uniform(0.1, 1), rng.uniform(0.1, 1), rng.uniform(0.1, 1))};
    for (const double gap : {0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-10, -1e-10, 1e-6, -1e-6}) {
      const double z = a.size.z() / 2 + b.size.z() / 2 + gap;
      // At most half the way to the edge: the shortest way out stays z.
      const Vec3 p(a.size.x() * rng.uniform(-0.4, 0.4), a.size.y() * rng.uniform(-0.4, 0.4), z);
      const Mat3 R = Eigen::AngleAxisd(rng.uniform(0, 6), Vec3::UnitZ()).toRotationMatrix();
      const Separation s = compute_primitive_separation(a, b, Pose(R, p));
      ASSERT_NEAR(s.distance, gap, 2e-11);
      ASSERT_NEAR(s.normal.z(), 1, 1e-6) << gap;
    }
  }
}

TEST(ConvexPair, DegenerateShapesGiveFiniteAnswers) {
  const std::vector<PrimitiveShape> shapes = {
      Sphere{0},          Capsule{0, 0},  Capsule{0, 1},  Box{Vec3(0, 0, 0)}, Box{Vec3(1, 0, 0)},
      Box{Vec3(1, 1, 0)}, Cylinder{0, 0}, Cylinder{1, 0}, Cylinder{0, 1},     Cone{1, 0},
      Cone{0, 1},         Torus{1, 0},    Torus{0, 1},    Torus{0, 0},        Box{Vec3(1, 1, 1)}};
  Rng rng(7);
  for (const auto& a : shapes) {
    for (const auto& b : shapes) {
      for (const Pose& X : {Pose(), Pose::translation(0.5, 0, 0), random_pose(rng, 0.5)}) {
        const Separation s = compute_primitive_separation(a, b, X);
        ASSERT_TRUE(std::isfinite(s.distance) && s.on_a.allFinite() && s.on_b.allFinite());
        ASSERT_NEAR(s.normal.norm(), 1, 1e-9);
        ASSERT_LT((s.on_b - s.on_a - s.distance * s.normal).norm(), 1e-9)
            << a.index() << " " << b.index() << " " << s.distance;
        if (std::abs(s.distance) > 1e-9) {
          ASSERT_EQ(touch_primitives(a, b, X), s.distance < 0);
        }
      }
    }
  }
  const Pose broken(Mat3::Identity(), Vec3(NAN, 0, 0));
  for (const auto& a : shapes) {
    for (const auto& b : shapes) compute_primitive_separation(a, b, broken);  // ends
  }
}

TEST(ConvexPair, WarmStartChangesNothing) {
  Rng rng(8);
  for (int run = 0; run < 50; ++run) {
    const PrimitiveShape a = random_primitive(rng, run % 2 ? 6 : 3), b = random_primitive(rng, 6);
    ConvexWarmStart warm;
    Pose X_AB = random_pose(rng, 1);
    for (int step = 0; step < 50; ++step) {
      X_AB = X_AB * Pose::from_rpy(testing::random_vector(rng, 0.02), 0.02, -0.03, 0.01);
      const double cold = compute_primitive_separation(a, b, X_AB).distance;
      EXPECT_NEAR(compute_primitive_separation(a, b, X_AB, &warm).distance, cold, 1e-9);
      if (std::abs(cold) > 1e-9) {
        EXPECT_EQ(touch_primitives(a, b, X_AB, &warm), cold < 0);
      }
    }
  }
}

std::array<Vec3, 3> random_triangle(Rng& rng) {
  return {testing::random_vector(rng, 0.5), testing::random_vector(rng, 0.5),
          testing::random_vector(rng, 0.5)};
}

TEST(ConvexTriangle, AgreesWithEdgesAndFacesOneByOne) {
  Rng rng(9);
  int apart = 0;
  for (int run = 0; run < 5000; ++run) {
    const auto a = random_triangle(rng), b = random_triangle(rng);
    const Pose X_AB = random_pose(rng, 0.5);
    const internal::Triangle3 ta{a[0], a[1], a[2]}, tb{X_AB * b[0], X_AB * b[1], X_AB * b[2]};
    const double brute = std::sqrt(internal::compute_distance(ta, tb).squared);
    const ConvexShape va(a[0], a[1], a[2]), vb(b[0], b[1], b[2]);
    const double d = compute_convex_separation(va, vb, X_AB).distance;
    if (brute > 1e-9) {
      ASSERT_NEAR(d, brute, 1e-11);
    }
    if (brute == 0) {
      ASSERT_LE(d, 1e-11);
    }
    if (std::abs(d) > 1e-9) {
      ASSERT_EQ(touches_convex(va, vb, X_AB), brute == 0);
    }
    apart += brute > 0;
    // A segment is a triangle whose third corner lies between the others.
    const internal::Triangle3 needle{tb.p[0], tb.p[1], 0.5 * (tb.p[0] + tb.p[1])};
    const auto pair =
        internal::compute_closest_segment_triangle(tb.p[0], tb.p[1], a[0], a[1], a[2]);
    ASSERT_NEAR(std::sqrt(pair.squared), std::sqrt(internal::compute_distance(ta, needle).squared),
                1e-11);
  }
  EXPECT_GT(apart, 1000);
  EXPECT_LT(apart, 4900);
}

TEST(ConvexTriangle, BoxesAgreeWithTheirTwelveTriangles) {
  Rng rng(10);
  for (int run = 0; run < 300; ++run) {
    const PrimitiveShape a = random_primitive(rng, 2), b = random_primitive(rng, 2);
    const Pose X_AB = random_pose(rng, 1.2);
    const TriangleMesh ma = make_mesh(std::get<Box>(a)), mb = make_mesh(std::get<Box>(b));
    double brute = 1e300, by_triangle = 1e300;
    for (const Triangle& t : ma.triangles) {
      const Vec3 &p = ma.vertices[t[0]], &q = ma.vertices[t[1]], &r = ma.vertices[t[2]];
      by_triangle = std::min(
          by_triangle,
          compute_convex_separation(ConvexShape(p, q, r), ConvexShape(std::get<Box>(b)), X_AB)
              .distance);
      for (const Triangle& u : mb.triangles) {
        const internal::Triangle3 tb{X_AB * mb.vertices[u[0]], X_AB * mb.vertices[u[1]],
                                     X_AB * mb.vertices[u[2]]};
        brute = std::min(brute, internal::compute_distance({p, q, r}, tb).squared);
      }
    }
    const double d = compute_primitive_separation(a, b, X_AB).distance;
    if (brute > 0) {
      ASSERT_NEAR(d < 0 ? 0 : d, d < 0 ? 0 : std::sqrt(brute), 1e-11);
    }
    if (brute == 0) {
      ASSERT_LE(d, 1e-11);
    }
    if (d > 0) {
      ASSERT_NEAR(by_triangle, d, 1e-11);
    }
  }
}

}  // namespace
}  // namespace geste

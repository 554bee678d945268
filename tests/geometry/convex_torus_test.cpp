#include <cmath>

#include "geste/geometry/torus_pair.hpp"

#include "convex_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::kPrimitiveKinds;
using testing::kTorus;
using testing::random_pose;
using testing::random_primitive;

/// The definition: the least signed distance of b along a's circle, less the tube radius. Sampled
/// densely, then by golden sections around each sample that is below its neighbours.
template <class Function>
double find_least(const Function& f) {
  constexpr int kSamples = 720;
  const double step = 2 * M_PI / kSamples;
  double least = 1e300;
  for (int i = 0; i < kSamples; ++i) {
    const double t = i * step;
    if (f(t) > f(t - step) || f(t) > f(t + step)) continue;
    double low = t - step, high = t + step;
    for (int k = 0; k < 60; ++k) {
      const double m = low + 0.381966 * (high - low), n = low + 0.618034 * (high - low);
      (f(m) < f(n) ? high : low) = f(m) < f(n) ? n : m;
    }
    least = std::min(least, f(0.5 * (low + high)));
  }
  return least;
}

double compute_by_definition(const Torus& a, const PrimitiveShape& b, const Pose& X_AB) {
  const Pose X_BA = X_AB.inverse();
  return find_least([&](double t) {
           const Vec3 p_A = a.radius * Vec3(std::cos(t), std::sin(t), 0);
           return compute_point_separation(b, X_BA * p_A).distance;
         }) -
         a.tube_radius;
}

TEST(TorusPair, IsTheLeastDistanceAlongTheCircle) {
  Rng rng(1);
  for (std::size_t kind = 0; kind < kPrimitiveKinds; ++kind) {
    for (int run = 0; run < 60; ++run) {
      const Torus a = std::get<Torus>(random_primitive(rng, kTorus));
      const PrimitiveShape b = random_primitive(rng, kind);
      const Pose X_AB = random_pose(rng, run % 2 ? 0.3 : 1.2);
      const Separation s = compute_primitive_separation(a, b, X_AB);
      ASSERT_NEAR(s.distance, compute_by_definition(a, b, X_AB), 1e-10) << kind << " " << run;
      ASSERT_LT((s.on_b - s.on_a - s.distance * s.normal).norm(), 1e-10);
      const double off_tube = compute_point_separation(PrimitiveShape(a), s.on_a).distance;
      ASSERT_LT(off_tube, 1e-10);
      if (s.distance > -a.tube_radius) {  // the circle stays outside b
        ASSERT_GT(off_tube, -1e-10);
      }
      ASSERT_NEAR(compute_point_separation(b, X_AB.inverse() * s.on_b).distance, 0, 1e-10);
      ASSERT_LT(s.error, 1e-4);
      if (std::abs(s.distance) > 1e-9) {
        ASSERT_EQ(touch_primitives(a, b, X_AB), s.distance < 0);
        ASSERT_EQ(touch_primitives(b, a, X_AB.inverse()), s.distance < 0);
      }
    }
  }
}

TEST(TorusPair, TriangleIsAsNearAsItsNearestPoint) {
  Rng rng(2);
  for (int run = 0; run < 200; ++run) {
    const Torus a = std::get<Torus>(random_primitive(rng, kTorus));
    const Vec3 p = testing::random_vector(rng, 0.5), q = testing::random_vector(rng, 0.5),
               r = testing::random_vector(rng, 0.5);
    const Pose X_AB = random_pose(rng, 0.6);
    const ConvexShape triangle(p, q, r);
    const Separation s = compute_torus_separation(a, triangle, X_AB);
    double least = 1e300;
    constexpr int kSteps = 60;
    for (int i = 0; i <= kSteps; ++i) {
      for (int j = 0; i + j <= kSteps; ++j) {
        const Vec3 x = (i * p + j * q + (kSteps - i - j) * r) / kSteps;
        least = std::min(least, compute_point_separation(PrimitiveShape(a), X_AB * x).distance);
      }
    }
    ASSERT_LE(s.distance, least + 1e-10);
    ASSERT_GE(s.distance, least - 2.0 / kSteps);
  }
}

TEST(TorusPair, KnownValues) {
  const Torus ring{2, 0.5};
  const auto at = [&](const PrimitiveShape& b, const Pose& X_AB) {
    return compute_primitive_separation(ring, b, X_AB);
  };
  // A shaft through the ring, in the middle and beside it.
  EXPECT_NEAR(at(Cylinder{1, 10}, Pose()).distance, 0.5, 1e-12);
  EXPECT_NEAR(at(Cylinder{1.75, 10}, Pose()).distance, -0.25, 1e-12);
  EXPECT_NEAR(at(Cylinder{1, 10}, Pose::translation(0.2, 0, 0)).distance, 0.3, 1e-10);
  EXPECT_NEAR(at(Cylinder{1, 10}, Pose::translation(1e-7, 0, 0)).distance, 0.5 - 1e-7, 1e-10);
  EXPECT_NEAR(at(Capsule{1, 10}, Pose::translation(0, 0.2, 1)).distance, 0.3, 1e-10);
  EXPECT_NEAR(at(Sphere{0.5}, Pose()).distance, 1, 1e-15);
  EXPECT_NEAR(at(Sphere{0.5}, Pose::translation(0, 2, 0)).distance, -1, 1e-15);
  EXPECT_NEAR(at(Box{Vec3(1, 1, 1)}, Pose::translation(0, 0, 3)).distance,
              std::hypot(2.5, 2 - std::sqrt(0.5)) - 0.5, 1e-10);
  // Rings: side by side, on each other, linked like a chain, the same.
  EXPECT_NEAR(at(ring, Pose::translation(6, 0, 0)).distance, 1, 1e-10);
  EXPECT_NEAR(at(ring, Pose::translation(0, 0, 3)).distance, 2, 1e-10);
  const Mat3 upright = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()).toRotationMatrix();
  EXPECT_NEAR(at(ring, Pose(upright, Vec3(2, 0, 0))).distance, 1, 1e-10);
  EXPECT_NEAR(at(ring, Pose(upright, Vec3(4, 0, 0))).distance, -1, 1e-10);
  EXPECT_NEAR(at(ring, Pose()).distance, -1, 1e-10);
  const Separation beside = at(ring, Pose::translation(6, 0, 0));
  EXPECT_LT((beside.normal - Vec3::UnitX()).norm(), 1e-6);
  EXPECT_LT((beside.on_a - Vec3(2.5, 0, 0)).norm(), 1e-6);
}

}  // namespace
}  // namespace geste

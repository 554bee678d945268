#include <cmath>

#include "geste/geometry/point_distance.hpp"

#include "convex_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::kPrimitiveKinds;

/// Inside or outside, written from shape.hpp without distances.
bool holds(const PrimitiveShape& shape, const Vec3& p) {
  const double rho = std::hypot(p.x(), p.y());
  if (const auto* s = std::get_if<Sphere>(&shape)) return p.norm() <= s->radius;
  if (const auto* s = std::get_if<Capsule>(&shape)) {
    return std::hypot(rho, std::max(0.0, std::abs(p.z()) - s->length / 2)) <= s->radius;
  }
  if (const auto* s = std::get_if<Box>(&shape)) {
    return (p.cwiseAbs() - s->size / 2).maxCoeff() <= 0;
  }
  if (const auto* s = std::get_if<Cylinder>(&shape)) {
    return rho <= s->radius && std::abs(p.z()) <= s->length / 2;
  }
  if (const auto* s = std::get_if<Cone>(&shape)) {
    return p.z() >= -s->length / 2 && rho <= s->radius * (0.5 - p.z() / s->length);
  }
  if (const auto* s = std::get_if<Torus>(&shape)) {
    return std::hypot(rho - s->radius, p.z()) <= s->tube_radius;
  }
  const ConvexHull& hull = *std::get<HullShape>(shape);
  for (const Triangle& t : hull.faces) {
    const Vec3& o = hull.vertices[t[0]];
    if ((hull.vertices[t[1]] - o).cross(hull.vertices[t[2]] - o).dot(p - o) > 0) return false;
  }
  return true;
}

/// From a surface point into the solid. At a sharp rim the way against the normal leads outside.
Vec3 find_inwards(const PrimitiveShape& shape, const PointSeparation& s) {
  if (std::holds_alternative<Torus>(shape)) return -s.normal;
  const auto* hull = std::get_if<HullShape>(&shape);
  return (hull ? (*hull)->centre : Vec3(Vec3::Zero())) - s.nearest;
}

/// The answer is right when its ball touches the surface and holds none of it: the nearest point
/// lies on the surface, and no ray from p changes sides before |distance|.
void expect_right(const PrimitiveShape& shape, const Vec3& p, Rng& rng) {
  const PointSeparation s = compute_point_separation(shape, p);
  const bool is_inside = holds(shape, p);
  ASSERT_TRUE(std::isfinite(s.distance));
  if (std::abs(s.distance) > 1e-12) {
    ASSERT_EQ(s.distance < 0, is_inside);
  }
  ASSERT_NEAR(s.normal.norm(), 1, 1e-12);
  ASSERT_LT((s.nearest + s.distance * s.normal - p).norm(), 1e-12);
  ASSERT_FALSE(holds(shape, s.nearest + 1e-9 * s.normal));
  ASSERT_TRUE(holds(shape, s.nearest + 1e-9 * find_inwards(shape, s)));
  for (int i = 0; i < 40; ++i) {
    const Vec3 q = p + 0.999999 * std::abs(s.distance) * testing::random_unit(rng);
    ASSERT_EQ(holds(shape, q), is_inside) << s.distance;
  }
}

TEST(PointDistance, BallAroundThePointTouchesTheSurfaceAndHoldsNoneOfIt) {
  Rng rng(1);
  for (std::size_t kind = 0; kind < kPrimitiveKinds; ++kind) {
    for (int run = 0; run < 400; ++run) {
      const PrimitiveShape shape = testing::random_primitive(rng, kind);
      expect_right(shape, testing::random_vector(rng, run % 2 ? 0.3 : 1), rng);
      if (HasFatalFailure()) FAIL() << testing::name_pair(kind, kind) << " run " << run;
    }
  }
}

TEST(PointDistance, IsDefinedOnAxesAndAtCentres) {
  Rng rng(2);
  for (std::size_t kind = 0; kind < kPrimitiveKinds; ++kind) {
    const PrimitiveShape shape = testing::random_primitive(rng, kind);
    for (const double z : {-2.0, -0.1, -1e-9, 0.0, 1e-9, 0.1, 2.0}) {
      expect_right(shape, Vec3(0, 0, z), rng);
      if (kind != testing::kTorus) expect_right(shape, Vec3(z, 0, 0), rng);
      expect_right(shape, Vec3(z, z, z), rng);
      if (HasFatalFailure()) FAIL() << testing::name_pair(kind, kind) << " z " << z;
    }
  }
}

TEST(PointDistance, KnownValues) {
  const auto at = [](const auto& shape, double x, double y, double z) {
    return compute_point_separation(shape, Vec3(x, y, z)).distance;
  };
  EXPECT_EQ(at(Sphere{2}, 0, 0, 0), -2);
  EXPECT_EQ(at(Capsule{1, 4}, 0, 0, 5), 2);
  EXPECT_EQ(at(Capsule{1, 4}, 0, 0, 2), -1);
  EXPECT_EQ(at(Box{Vec3(2, 4, 6)}, 0, 0, 0), -1);
  EXPECT_EQ(at(Box{Vec3(2, 4, 6)}, 4, 6, 0), 5);
  EXPECT_EQ(at(Cylinder{1, 6}, 0, 0, 2.5), -0.5);
  EXPECT_EQ(at(Cylinder{1, 6}, 4, 0, 7), 5);
  EXPECT_NEAR(at(Cone{3, 4}, 0, 0, -1), -1, 1e-15);
  EXPECT_EQ(at(Cone{3, 4}, 0, 0, 4), 2);
  EXPECT_EQ(at(Torus{3, 1}, 0, 0, 4), 4);
  EXPECT_EQ(at(Torus{3, 1}, 3, 0, 0), -1);
  const Vec3 side = compute_point_separation(Cylinder{1, 6}, Vec3(0.9, 0, 0)).normal;
  EXPECT_EQ(side, Vec3(1, 0, 0));
}

TEST(PointDistance, FlatShapesHaveNoInside) {
  for (const Vec3& p :
       {Vec3(0, 0, 1), Vec3(0.2, 0, 0), Vec3(0, 0, -1), Vec3(0, 2, 0), Vec3(1, 1, 1)}) {
    EXPECT_GE(compute_point_separation(Cylinder{0, 0}, p).distance, 0);
    EXPECT_GE(compute_point_separation(Cylinder{0, 1}, p).distance, 0);
    EXPECT_GE(compute_point_separation(Cylinder{1, 0}, p).distance, 0);
    EXPECT_GE(compute_point_separation(Cone{1, 0}, p).distance, 0);
    EXPECT_GE(compute_point_separation(Cone{0, 0}, p).distance, 0);
    EXPECT_GE(compute_point_separation(Box{Vec3(1, 1, 0)}, p).distance, 0);
    EXPECT_NEAR(compute_point_separation(Cylinder{0, 0}, p).distance, p.norm(), 1e-15);
    EXPECT_NEAR(compute_point_separation(Cone{0, 0}, p).distance, p.norm(), 1e-15);
  }
}

}  // namespace
}  // namespace geste

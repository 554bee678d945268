#include "geste/geometry/collision_line.hpp"

#include <gtest/gtest.h>

#include "geste/math/se3.hpp"

#include "random_meshes.hpp"

// Where surfaces cross, and how the length changes with a small motion. CH-4

namespace geste {
namespace {

using testing::make_star;
using testing::random_placement;
using testing::share;

CollisionLine cross(const MeshTree& a, const MeshTree& b, const Pose& X_AB) {
  QueryScratch scratch;
  CollisionLine line;
  compute_collision_line(a, b, X_AB, scratch, line);
  return line;
}

TEST(CollisionLine, AcrossABarIsItsOutline) {
  const MeshTree wall(share(make_mesh(Box{Vec3(4, 4, 0.1)}, 4)));
  const MeshTree bar(share(make_mesh(Box{Vec3(0.5, 0.3, 2)}, 4)));
  const CollisionLine line = cross(wall, bar, Pose::translation(0.113, -0.27, 0.2));
  // Both sides of the wall, one ring each.
  EXPECT_NEAR(line.length, 2 * 2 * (0.5 + 0.3), 1e-12);
  ASSERT_EQ(line.polylines.size(), 2u);
  for (const auto& ring : line.polylines) {
    EXPECT_TRUE(ring.closed);
    for (std::uint32_t k = 0; k < ring.count; ++k) {
      const auto& s = line.segments[ring.first + k];
      const auto& next = line.segments[ring.first + (k + 1) % ring.count];
      EXPECT_LT((s.q - next.p).norm(), 1e-12);
      EXPECT_NEAR(std::abs(s.p.z()), 0.05, 1e-12);
    }
  }
  EXPECT_EQ(cross(wall, bar, Pose::translation(0, 0, 3)).length, 0);
}

TEST(CollisionLine, RingsOfBallsAreCircles) {
  const MeshTree ball(share(make_mesh(Sphere{0.5}, 96)));
  const CollisionLine line = cross(ball, ball, Pose::translation(0.3, 0.2, 0.35));
  const double apart = Vec3(0.3, 0.2, 0.35).norm();
  const double radius = std::sqrt(0.25 - apart * apart / 4);
  EXPECT_NEAR(line.length, 2 * std::numbers::pi * radius, 0.01);
  ASSERT_EQ(line.polylines.size(), 1u);
  EXPECT_TRUE(line.polylines[0].closed);
}

TEST(CollisionLine, OfClosedMeshesIsClosed) {
  Rng rng(61);
  int crossing = 0;
  for (int i = 0; i < 100; ++i) {
    const MeshTree a(share(make_star(rng, 12))), b(share(make_star(rng, 12)));
    const CollisionLine line = cross(a, b, random_placement(rng, 1.0));
    double length = 0;
    std::size_t count = 0;
    for (const auto& p : line.polylines) {
      EXPECT_TRUE(p.closed);
      count += p.count;
    }
    for (const auto& s : line.segments) length += (s.q - s.p).norm();
    EXPECT_EQ(count, line.segments.size());
    EXPECT_NEAR(length, line.length, 1e-12);
    crossing += count > 0;
  }
  EXPECT_GT(crossing, 60);
}

TEST(CollisionLine, GradientIsTheDerivativeOfTheLength) {
  Rng rng(62);
  int compared = 0;
  for (int i = 0; i < 60; ++i) {
    // The larger one first, or last.
    const MeshTree a(share(make_star(rng, i % 2 ? 10 : 20))),
        b(share(make_mesh(Torus{0.4, 0.15}, 12)));
    ASSERT_EQ(a.mesh().triangles.size() > b.mesh().triangles.size(), i % 2 == 0);
    const Pose X_AB = random_placement(rng, 0.8);
    const CollisionLine line = cross(a, b, X_AB);
    if (line.segments.empty()) continue;
    for (int k = 0; k < 6; ++k) {
      constexpr double h = 1e-7;
      const auto moved = [&](double step) {
        const Vec6 motion = step * Vec6::Unit(k);
        // The motion of B at A's origin, in A's axes, goes in front.
        const Pose X(so3::exp(Vec3(motion.tail<3>())), motion.head<3>());
        return cross(a, b, X * X_AB);
      };
      const CollisionLine ahead = moved(h), behind = moved(-h);
      // The derivative jumps where a corner passes a face.
      if (ahead.segments.size() != behind.segments.size()) continue;
      const double slope = (ahead.length - behind.length) / (2 * h);
      EXPECT_NEAR(line.gradient[k], slope, 1e-4 * (1 + std::abs(slope)));
      ++compared;
    }
  }
  EXPECT_GT(compared, 150);
}

TEST(CollisionLine, IsTheSameSeenFromEither) {
  Rng rng(63);
  for (int i = 0; i < 40; ++i) {
    const MeshTree a(share(make_star(rng, 16))), b(share(make_star(rng, 8)));
    const Pose X_AB = random_placement(rng, 0.8);
    const CollisionLine one = cross(a, b, X_AB), other = cross(b, a, X_AB.inverse());
    EXPECT_NEAR(one.length, other.length, 1e-9);
    ASSERT_EQ(one.segments.size(), other.segments.size());
    for (const auto& s : one.segments) {
      const bool found =
          std::any_of(other.segments.begin(), other.segments.end(), [&](const auto& o) {
            return o.triangles.a == s.triangles.b && o.triangles.b == s.triangles.a &&
                   std::min((X_AB * o.p - s.p).norm(), (X_AB * o.p - s.q).norm()) < 1e-9;
          });
      EXPECT_TRUE(found);
    }
  }
}

TEST(CollisionLine, FacesInOnePlaneDoNoHarm) {
  const MeshTree box(share(make_mesh(Box{Vec3(1, 1, 1)}, 4)));
  EXPECT_TRUE(std::isfinite(cross(box, box, Pose::translation(1, 0, 0)).length));
  EXPECT_TRUE(std::isfinite(cross(box, box, Pose()).length));
}

}  // namespace
}  // namespace geste

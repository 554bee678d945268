#include "geste/geometry/sight_cone.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <thread>

#include "random_meshes.hpp"

namespace geste {
namespace {

using testing::random_direction;
using testing::random_placement;
using testing::share;

/// What the header promises of n rays and one outline.
double error_of(int rays) { return 2 * std::pow(rays, -0.75); }

Sight look(const std::vector<PlacedShape>& shapes, const SightCone& cone, int rays = 256) {
  Sight sight;
  compute_sight(RayScene(shapes), cone, {.rays = rays}, {}, sight);
  return sight;
}

Sight look_at(const std::vector<PlacedShape>& shapes, const SightCone& cone, std::uint32_t target,
              int rays = 256) {
  Sight sight;
  compute_sight(RayScene(shapes), cone, target, {.rays = rays}, {}, sight);
  return sight;
}

void expect_sum(const Sight& sight) {
  double sum = sight.seen;
  for (const auto& blocker : sight.blockers) sum += blocker.share;
  EXPECT_NEAR(sum, sight.facing, 1e-12);
  for (std::size_t i = 1; i < sight.blockers.size(); ++i) {
    const auto &a = sight.blockers[i - 1], &b = sight.blockers[i];
    EXPECT_TRUE(a.share > b.share || (a.share == b.share && a.shape < b.shape));
  }
}

/// From the eye at the origin along z to a base 2 m away, the whole brought anywhere.
struct Setting {
  Pose X_WE;
  double half_angle;
  [[nodiscard]] SightCone cone() const { return {X_WE.p, X_WE * Vec3(0, 0, 2), half_angle}; }
  /// A flat cylinder at depth z, `off` from the axis, that hides a disc of `radius` in the base.
  [[nodiscard]] PlacedShape disc(double z, double radius, double off = 0) const {
    return {Cylinder{radius * z / 2, 0}, X_WE * Pose::translation(off * z / 2, 0, z)};
  }
  /// Reaches from `edge` (in the base) to +x, without end.
  [[nodiscard]] PlacedShape half_plane(double z, double edge) const {
    return {Box{Vec3(100, 100, 0)}, X_WE * Pose::translation(50 + edge * z / 2, 0, z)};
  }
};

Setting make_setting(Rng& rng) { return {random_placement(rng, 20), rng.uniform(0.02, 1.2)}; }

// CH-6: a half plane blocks what it covers of the disc.
TEST(SightCone, HalfPlaneBlocksItsSegment) {
  Rng rng(91);
  for (const int rays : {64, 256, 1024, 4096}) {
    for (int n = 0; n < 60; ++n) {
      const Setting setting = make_setting(rng);
      const double radius = 2 * std::tan(setting.half_angle), h = rng.uniform(-1, 1);
      const Sight sight =
          look({setting.half_plane(rng.uniform(0.1, 1.9), h * radius)}, setting.cone(), rays);
      const double covered = (std::acos(h) - h * std::sqrt(1 - h * h)) / kPi;
      EXPECT_NEAR(sight.seen, 1 - covered, error_of(rays));
      expect_sum(sight);
      EXPECT_EQ(sight.facing, 1);
    }
  }
}

// CH-6: a disc on the axis blocks (r / R)^2 of the area of the base, wherever it stands; a disc
// beside the axis as much.
TEST(SightCone, DiscBlocksItsArea) {
  Rng rng(92);
  for (const int rays : {64, 256, 1024, 4096}) {
    for (int n = 0; n < 60; ++n) {
      const Setting setting = make_setting(rng);
      const double R = 2 * std::tan(setting.half_angle), share = rng.uniform(0, 0.9);
      const double z = rng.uniform(0.05, 1.95);
      EXPECT_NEAR(look({setting.disc(z, share * R)}, setting.cone(), rays).seen, 1 - share * share,
                  error_of(rays));
      const double off = rng.uniform(0, 1 - share);
      EXPECT_NEAR(look({setting.disc(z, share * R, off * R)}, setting.cone(), rays).seen,
                  1 - share * share, error_of(rays));
    }
  }
}

// CH-6: about the axis each ray has its ring of the same area, so that a disc there is counted to
// half a ray; and no ray leaves the base.
TEST(SightCone, DiscsOnTheAxisAreCountedToHalfARay) {
  Rng rng(97);
  for (int n = 0; n < 200; ++n) {
    const Setting setting = make_setting(rng);
    const double R = 2 * std::tan(setting.half_angle), share = rng.uniform(0, 1);
    const int rays = static_cast<int>(rng.integer(1, 500));
    EXPECT_NEAR(look({setting.disc(1, share * R)}, setting.cone(), rays).seen, 1 - share * share,
                0.5 / rays + 1e-9);
    EXPECT_EQ(look({setting.disc(1, R)}, setting.cone(), rays).seen, 0);
  }
}

// CH-6: through a hole one sees the hole. The plate is a ring of triangles.
TEST(SightCone, HoleLetsItsAreaThrough) {
  Rng rng(93);
  for (int n = 0; n < 30; ++n) {
    const Setting setting = make_setting(rng);
    const double R = 2 * std::tan(setting.half_angle), hole = rng.uniform(0.2, 0.9);
    TriangleMesh plate;
    constexpr std::uint32_t kSides = 256;
    for (std::uint32_t i = 0; i < kSides; ++i) {
      const double angle = 2 * kPi * i / kSides;
      for (const double r : {hole * R / 2, 2 * R})
        plate.vertices.emplace_back(r * std::cos(angle), r * std::sin(angle), 1);
      const std::uint32_t a = 2 * i, b = 2 * ((i + 1) % kSides);
      plate.triangles.push_back({a, a + 1, b + 1});
      plate.triangles.push_back({a, b + 1, b});
    }
    const Sight sight = look({{share(plate), setting.X_WE}}, setting.cone(), 1024);
    EXPECT_NEAR(sight.seen, hole * hole, error_of(1024) + 2e-4);  // the hole is a polygon
  }
}

// CH-6: blockers are named with their shares, what hides behind another is not.
TEST(SightCone, NamesWhatBlocks) {
  const Setting setting{Pose(), 0.3};
  const double R = 2 * std::tan(0.3);
  const Sight sight = look({setting.disc(1.5, 0.9 * R),                 // wide, in the middle
                            setting.disc(1.0, 0.5 * R),                 // before it
                            setting.disc(1.8, 0.4 * R),                 // hidden by both
                            {Sphere{1}, Pose::translation(0, 0, 4)},    // behind the base
                            {Sphere{1}, Pose::translation(0, 0, -3)}},  // behind the eye
                           setting.cone(), 4096);
  ASSERT_EQ(sight.blockers.size(), 2u);
  EXPECT_EQ(sight.blockers[0].shape, 0u);
  EXPECT_NEAR(sight.blockers[0].share, 0.81 - 0.25, 2 * error_of(4096));
  EXPECT_EQ(sight.blockers[1].shape, 1u);
  EXPECT_NEAR(sight.blockers[1].share, 0.25, error_of(4096));
  EXPECT_NEAR(sight.seen, 0.19, error_of(4096));
  expect_sum(sight);
}

// CH-6: of a ball that fits into the cone one sees the disc that its tangent cone cuts from the
// base.
TEST(SightCone, TargetFacesWithItsOutline) {
  Rng rng(94);
  for (int n = 0; n < 60; ++n) {
    const Setting setting = make_setting(rng);
    const double R = 2 * std::tan(setting.half_angle);
    const double half = rng.uniform(0.3, 0.9) * setting.half_angle, z = rng.uniform(1, 6);
    const PlacedShape ball{Sphere{z * std::sin(half)}, setting.X_WE * Pose::translation(0, 0, z)};
    const double outline = std::pow(2 * std::tan(half) / R, 2);
    const Sight alone = look_at({ball}, setting.cone(), 0, 1024);
    EXPECT_NEAR(alone.facing, outline, error_of(1024));
    EXPECT_EQ(alone.seen, alone.facing);
    EXPECT_TRUE(alone.blockers.empty());
    // A disc before it hides its own share of the outline and nothing else.
    const double hidden = rng.uniform(0.5, 0.9);
    const Sight behind =
        look_at({setting.disc(0.1, hidden * 2 * std::tan(half)), ball, setting.disc(9.5, R)},
                setting.cone(), 1, 1024);
    EXPECT_EQ(behind.facing, alone.facing);
    EXPECT_NEAR(behind.seen, outline * (1 - hidden * hidden), 2 * error_of(1024));
    ASSERT_EQ(behind.blockers.size(), 1u);
    EXPECT_EQ(behind.blockers[0].shape, 0u);
    expect_sum(behind);
  }
}

// CH-6: what covers the target exactly does not block it, a hair before it does.
TEST(SightCone, AtTheTargetsSurfaceNothingBlocks) {
  const SightCone cone{Vec3(0, 0, 0), Vec3(0, 0, 2), 0.1};
  const MeshShape box = share(make_mesh(Box{Vec3(1, 1, 1)}, 4));
  const PlacedShape target{box, Pose::translation(0, 0, 2)};
  EXPECT_EQ(look_at({target, target}, cone, 1).seen, 1);
  EXPECT_EQ(look_at({target, target}, cone, 0).seen, 1);
  EXPECT_EQ(look_at({target, {box, Pose::translation(0, 0, 2 - 1e-9)}}, cone, 0).seen, 0);
}

// CH-6: laws. More in the way never shows more; a move of everything changes nothing but what lies
// at the edge of an outline; whoever is ignored is not there.
TEST(SightCone, LawsOfSight) {
  Rng rng(95);
  for (int n = 0; n < 40; ++n) {
    std::vector<PlacedShape> shapes;
    for (int i = 0; i < 6; ++i) {
      const MeshShape star = share(testing::make_star(rng, 10));
      const Pose X_WS(random_placement(rng, 0).R, random_direction(rng) * 1.5 + Vec3(0, 0, 3));
      shapes.push_back(i % 2 == 0 ? PlacedShape{star, X_WS} : PlacedShape{Torus{0.4, 0.1}, X_WS});
    }
    const SightCone cone{Vec3(0, 0, 0), Vec3(0, 0, 6), 0.3};
    const Sight all = look(shapes, cone);
    expect_sum(all);
    EXPECT_GT(all.seen, 0);

    std::vector<std::uint8_t> ignored(6, 0);
    ignored[2] = ignored[3] = 1;
    std::vector<PlacedShape> fewer = shapes;
    fewer.erase(fewer.begin() + 2, fewer.begin() + 4);
    Sight through;
    compute_sight(RayScene(shapes), cone, {}, ignored, through);
    const Sight without = look(fewer, cone);
    EXPECT_EQ(through.seen, without.seen);
    ASSERT_EQ(through.blockers.size(), without.blockers.size());
    EXPECT_GE(through.seen, all.seen);

    const Pose move = random_placement(rng, 50);
    std::vector<PlacedShape> moved = shapes;
    for (PlacedShape& shape : moved) shape.X_WS = move * shape.X_WS;
    const Sight there = look(moved, {move * cone.apex, move * cone.target, cone.half_angle}, 4096);
    EXPECT_NEAR(there.seen, look(shapes, cone, 4096).seen, 4 * error_of(4096));

    // Every ray by itself: the sum of first hits.
    const Sight again = look(shapes, cone);
    EXPECT_EQ(again.seen, all.seen);
  }
}

// CH-6: a cone of no width is the axis; an eye on the target sees all.
TEST(SightCone, NarrowestAndShortest) {
  const std::vector<PlacedShape> ball{{Sphere{0.5}, Pose()}};
  EXPECT_EQ(look(ball, {Vec3(0, 0, -2), Vec3(0, 0, 2), 0}).seen, 0);
  EXPECT_EQ(look(ball, {Vec3(1, 0, -2), Vec3(1, 0, 2), 0}).seen, 1);
  EXPECT_EQ(look(ball, {Vec3(0, 0, 0.5), Vec3(0, 0, 0.5), 0.3}).seen, 1);
  EXPECT_EQ(look(ball, {Vec3(0, 0, -2), Vec3(0, 0, 2), 0}, 1).blockers.front().share, 1);
}

// CH-6
TEST(SightCone, SameBytesOnTwoThreadsAndInTheSameMemory) {
  Rng rng(96);
  std::vector<PlacedShape> shapes;
  for (int i = 0; i < 20; ++i)
    shapes.push_back({share(testing::make_soup(rng, 100)), random_placement(rng, 2)});
  const RayScene scene(shapes);
  const SightCone cone{Vec3(0, 0, -4), Vec3(0, 0, 4), 0.4};
  Sight alone, first, second;
  compute_sight(scene, cone, {}, {}, alone);
  const auto* memory = alone.blockers.data();
  compute_sight(scene, cone, {}, {}, alone);
  EXPECT_EQ(alone.blockers.data(), memory);
  std::thread a([&] { compute_sight(scene, cone, {}, {}, first); });
  std::thread b([&] { compute_sight(scene, cone, {}, {}, second); });
  a.join();
  b.join();
  for (const Sight* other : {&first, &second}) {
    EXPECT_EQ(other->seen, alone.seen);
    ASSERT_EQ(other->blockers.size(), alone.blockers.size());
    for (std::size_t i = 0; i < alone.blockers.size(); ++i) {
      EXPECT_EQ(other->blockers[i].shape, alone.blockers[i].shape);
      EXPECT_EQ(other->blockers[i].share, alone.blockers[i].share);
    }
  }
}

// CH-6
TEST(SightCone, RefusesWhatIsNoCone) {
  const RayScene scene(std::vector<PlacedShape>{{Sphere{1}, Pose()}});
  Sight sight;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const SightCone good{Vec3(0, 0, -3), Vec3(0, 0, 3), 0.2};
  for (const double angle : {-0.1, kPi / 2, nan})
    EXPECT_THROW(compute_sight(scene, {good.apex, good.target, angle}, {}, {}, sight),
                 std::invalid_argument);
  EXPECT_THROW(compute_sight(scene, {Vec3(nan, 0, 0), good.target, 0.2}, {}, {}, sight),
               std::invalid_argument);
  EXPECT_THROW(compute_sight(scene, good, {.rays = 0}, {}, sight), std::invalid_argument);
  EXPECT_THROW(compute_sight(scene, good, 1, {}, {}, sight), std::invalid_argument);
}

}  // namespace
}  // namespace geste

#include "geste/geometry/surface_spans.hpp"

#include <gtest/gtest.h>

namespace geste {
namespace {

constexpr int kRays = 2000;

/// Bars of 0.1 by 0.1 that cross, 0.2 apart.
std::vector<PlacedShape> make_cross() {
  return {{Box{Vec3(1, 0.1, 0.1)}, Pose()}, {Box{Vec3(0.1, 1, 0.1)}, Pose::translation(0, 0, 0.3)}};
}

// The gap of two bars that cross is where they cross, and as wide as they are apart.
TEST(SurfaceSpans, FindsTheGapBetweenBars) {
  Rng rng(1);
  const SurfaceSpans spans = find_spans(make_cross(), 1, kRays, rng);
  ASSERT_FALSE(spans.gaps.empty());
  for (const SurfaceSpan& gap : spans.gaps) {
    EXPECT_NEAR(gap.length(), 0.2, 1e-9);
    EXPECT_NEAR(std::abs(gap.axis().z()), 1, 1e-9);
    EXPECT_NEAR(gap.middle().z(), 0.15, 1e-9);
    EXPECT_LE(gap.middle().head<2>().cwiseAbs().maxCoeff(), 0.05 + 1e-9);
  }
}

// Round bars that cross askew: rays straight off one meet the other anywhere, and are led to the
// common perpendicular, which is known.
TEST(SurfaceSpans, LeadsGapsToWhereTheyAreShortest) {
  const Pose askew = Pose::translation(0.02, -0.1, 0.3) * Pose::rotation(Vec3::UnitZ(), 1.1) *
                     Pose::rotation(Vec3::UnitY(), kPi / 2);
  const std::vector<PlacedShape> shapes = {
      {Cylinder{0.05, 1}, Pose::rotation(Vec3::UnitY(), kPi / 2)}, {Cylinder{0.05, 1}, askew}};
  Rng rng(2);
  const SurfaceSpans spans = find_spans(shapes, 1, kRays, rng);
  ASSERT_FALSE(spans.gaps.empty());
  // Where the axes cross, seen from above: y = 0 on (0.02, -0.1) + t (cos 1.1, sin 1.1).
  const double x = 0.02 + 0.1 / std::tan(1.1);
  for (const SurfaceSpan& gap : spans.gaps) {
    EXPECT_NEAR(gap.length(), 0.2, 2e-3);
    EXPECT_NEAR((gap.middle() - Vec3(x, 0, 0.15)).norm(), 0, 0.02);
  }
}

TEST(SurfaceSpans, MeasuresHowThickThingsAre) {
  const PlacedShape box{Box{Vec3(0.1, 0.2, 0.3)}, Pose()};
  Rng rng(3);
  const SurfaceSpans spans = find_spans({&box, 1}, 1, kRays, rng);
  EXPECT_TRUE(spans.gaps.empty());
  EXPECT_EQ(spans.necks.size(), kRays);
  for (const SurfaceSpan& neck : spans.necks) {
    Eigen::Index side = 0;
    EXPECT_NEAR(neck.axis().cwiseAbs().maxCoeff(&side), 1, 1e-9);
    EXPECT_NEAR(neck.length(), (Vec3(0.1, 0.2, 0.3)[side]), 1e-9);
    EXPECT_NEAR(neck.middle()[side], 0, 1e-9);
  }
}

// Of a large wall the rim of a window is a small part, and all that matters. Faces with which the
// boxes of the wall lie on each other are no gaps.
TEST(SurfaceSpans, FindsAWindowInALargeWall) {
  const std::vector<PlacedShape> walls = {
      {Box{Vec3(0.02, 10, 20)}, Pose::translation(0, -5.1, 0)},
      {Box{Vec3(0.02, 10, 20)}, Pose::translation(0, 5.1, 0)},
      {Box{Vec3(0.02, 0.2, 10)}, Pose::translation(0, 0, -5.15)},
      {Box{Vec3(0.02, 0.2, 10)}, Pose::translation(0, 0, 5.15)}};
  Rng rng(4);
  const SurfaceSpans spans = find_spans(walls, 0.5, kRays, rng);
  ASSERT_FALSE(spans.gaps.empty());
  for (const SurfaceSpan& gap : spans.gaps) {
    const bool is_height = std::abs(gap.length() - 0.3) < 1e-3;
    EXPECT_TRUE(is_height || std::abs(gap.length() - 0.2) < 1e-3) << gap.length();
    EXPECT_LE((gap.middle().cwiseAbs() - Vec3(0.01, 0.1, 0.15)).maxCoeff(), 1e-9);
  }
}

// A mesh that is turned inside out has the same gaps and necks.
TEST(SurfaceSpans, TurnsWhatIsInsideOut) {
  const auto make = [](bool is_turned) {
    TriangleMesh mesh = make_mesh(Box{Vec3(0.1, 0.2, 0.3)});
    if (is_turned)
      for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return PlacedShape{std::make_shared<const TriangleMesh>(mesh), Pose::translation(5, 0, 0)};
  };
  for (const bool is_turned : {false, true}) {
    const PlacedShape shape = make(is_turned);
    Rng rng(5);
    const SurfaceSpans spans = find_spans({&shape, 1}, 1, kRays, rng);
    EXPECT_TRUE(spans.gaps.empty()) << is_turned;
    EXPECT_EQ(spans.necks.size(), kRays) << is_turned;
  }
}

// A law: what is moved has its spans moved, with the same random numbers.
TEST(SurfaceSpans, GoWithTheShapes) {
  const Pose X = Pose::from_rpy(Vec3(0.3, -2, 1), 0.4, -1.2, 2);
  std::vector<PlacedShape> moved = make_cross();
  for (PlacedShape& s : moved) s.X_WS = X * s.X_WS;
  Rng first(6), second(6);
  const SurfaceSpans here = find_spans(make_cross(), 1, 200, first);
  const SurfaceSpans there = find_spans(moved, 1, 200, second);
  ASSERT_EQ(here.necks.size(), there.necks.size());
  for (std::size_t i = 0; i < here.necks.size(); ++i) {
    EXPECT_LT((X * here.necks[i].a - there.necks[i].a).norm(), 1e-9);
    EXPECT_LT((X * here.necks[i].b - there.necks[i].b).norm(), 1e-9);
  }
}

TEST(SurfaceSpans, OfNothingAreNone) {
  const PlacedShape empty{std::make_shared<const TriangleMesh>(), Pose()};
  Rng rng(7);
  EXPECT_TRUE(find_spans({}, 1, kRays, rng).necks.empty());
  EXPECT_TRUE(find_spans({&empty, 1}, 1, kRays, rng).necks.empty());
}

}  // namespace
}  // namespace geste

#include "geste/geometry/convex_hull.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "geste/geometry/internal/exact_side.hpp"
#include "geste/geometry/mesh_report.hpp"

#include "convex_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using internal::compute_side;

/// Closed, one piece, every given point inside or on every face: by definition the hull.
void expect_hull_of(const ConvexHull& hull, const std::vector<Vec3>& points) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> runs;
  for (const Triangle& t : hull.faces) {
    for (std::size_t i = 0; i < 3; ++i) ++runs[{t[i], t[(i + 1) % 3]}];
    for (const Vec3& p : points) {
      ASSERT_LE(compute_side(hull.vertices[t[0]], hull.vertices[t[1]], hull.vertices[t[2]], p), 0);
    }
  }
  for (const auto& [edge, count] : runs) {
    ASSERT_EQ(count, 1);
    ASSERT_EQ(runs.count({edge.second, edge.first}), 1u);
  }
  ASSERT_EQ(hull.faces.size(), 2 * hull.vertices.size() - 4);  // Euler, for a sphere of triangles
  for (const Vec3& v : hull.vertices) {
    ASSERT_NE(std::find(points.begin(), points.end(), v), points.end());
  }
  ASSERT_EQ(hull.neighbours.size(), 3 * hull.faces.size());
}

TEST(ConvexHull, HoldsEveryPointOfRandomClouds) {
  Rng rng(1);
  for (int run = 0; run < 200; ++run) {
    std::vector<Vec3> points;
    const auto n = static_cast<int>(rng.integer(4, 80));
    for (int i = 0; i < n; ++i) points.push_back(testing::random_vector(rng, 1));
    const auto hull = make_convex_hull(points);
    ASSERT_TRUE(hull);
    expect_hull_of(*hull, points);
  }
}

TEST(ConvexHull, SurvivesGridsDuplicatesAndNoise) {
  Rng rng(2);
  for (const double noise : {0.0, 1e-17, 1e-16, 1e-14, 1e-9}) {
    const Mat3 R = testing::random_pose(rng, 0).R;
    std::vector<Vec3> points;
    for (int x = 0; x < 4; ++x) {
      for (int y = 0; y < 4; ++y) {
        for (int z = 0; z < 4; ++z) {
          const Vec3 p = (noise > 0 ? R : Mat3(Mat3::Identity())) * Vec3(x, y, z);
          points.push_back(p + testing::random_vector(rng, noise));
          points.push_back(points.back());
        }
      }
    }
    const auto hull = make_convex_hull(points);
    ASSERT_TRUE(hull);
    expect_hull_of(*hull, points);
    const TriangleMesh mesh{hull->vertices, hull->faces, 0};
    EXPECT_NEAR(compute_volume(mesh), 27, 1e-6);
  }
}

TEST(ConvexHull, RoundBodiesAndManyPoints) {
  Rng rng(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 20000; ++i)
    points.push_back(std::cbrt(rng.uniform()) * testing::random_unit(rng));
  const auto hull = make_convex_hull(points);
  ASSERT_TRUE(hull);
  EXPECT_NEAR(compute_volume({hull->vertices, hull->faces, 0}), 4.18879, 0.15);
  std::vector<Vec3> ring;  // a drum: two caps of 64 points in one plane each, but for rounding
  for (int i = 0; i < 64; ++i) {
    const double angle = 2 * M_PI * i / 64;
    ring.emplace_back(std::cos(angle), std::sin(angle), -1);
    ring.emplace_back(std::cos(angle), std::sin(angle), 1);
  }
  const auto drum = make_convex_hull(ring);
  ASSERT_TRUE(drum);
  expect_hull_of(*drum, ring);
  EXPECT_EQ(drum->vertices.size(), 128u);
}

TEST(ConvexHull, RefusesWhatHasNoInside) {
  Rng rng(4);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(make_convex_hull({}));
  EXPECT_FALSE(make_convex_hull(std::vector<Vec3>(3, Vec3::UnitX())));
  EXPECT_FALSE(make_convex_hull(std::vector<Vec3>(50, Vec3(0.1, 0.2, 0.3))));
  std::vector<Vec3> line, plane, tilted, broken, infinite;
  const Mat3 R = testing::random_pose(rng, 0).R;
  for (int i = 0; i < 50; ++i) {
    line.emplace_back(i * Vec3(0.1, 0.7, -0.3));
    plane.emplace_back(rng.uniform(), rng.uniform(), 0.25);
    tilted.push_back(R * plane.back());
    broken.push_back(testing::random_vector(rng, 1));
  }
  infinite = broken;
  broken[17].y() = nan;
  infinite[3].z() = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(make_convex_hull(line));
  EXPECT_FALSE(make_convex_hull(plane));
  EXPECT_FALSE(make_convex_hull(tilted));
  EXPECT_FALSE(make_convex_hull(broken));
  EXPECT_FALSE(make_convex_hull(infinite));
}

TEST(ConvexHull, ClimbsToTheFarthestVertex) {
  Rng rng(5);
  const HullShape hull = testing::random_hull(rng, 200, 1);
  for (int run = 0; run < 2000; ++run) {
    const Vec3 d = testing::random_unit(rng);
    double farthest = -1;
    for (const Vec3& v : hull->vertices) farthest = std::max(farthest, d.dot(v));
    const auto start = static_cast<std::uint32_t>(
        rng.integer(0, static_cast<std::int64_t>(hull->vertices.size()) - 1));
    EXPECT_EQ(d.dot(hull->vertices[find_farthest_vertex(*hull, d, start)]), farthest);
  }
}

TEST(ExactSide, SeesWhatRoundingHides) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  EXPECT_EQ(compute_side(a, b, c, Vec3(0.3, 0.3, 1e-80)), 1);
  EXPECT_EQ(compute_side(a, b, c, Vec3(0.3, 0.3, -1e-80)), -1);
  EXPECT_EQ(compute_side(a, b, c, Vec3(0.3, 0.3, 0)), 0);
  // Points of the plane x + y + z = 3 u in exact binary: one unit in the last place decides.
  const Vec3 p(12, 0.5, 24), q(24, 12, 0.5), r(0.5, 24, 12);
  const Vec3 s(12.25, 12.25, 12);
  EXPECT_EQ(compute_side(p, q, r, s), 0);
  const int up = compute_side(p, q, r, Vec3(12.25, 12.25, std::nextafter(12.0, 13.0)));
  const int down = compute_side(p, q, r, Vec3(12.25, 12.25, std::nextafter(12.0, 11.0)));
  EXPECT_EQ(up * down, -1);
  EXPECT_EQ(up, compute_side(p, q, r, Vec3(20, 20, 20)));
}

}  // namespace
}  // namespace geste

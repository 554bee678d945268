#include "geste/geometry/height_field.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "geste/geometry/mesh_report.hpp"
#include "geste/geometry/ray_scene.hpp"
#include "geste/geometry/shape_pair.hpp"

#include "random_meshes.hpp"

namespace geste {
namespace {

using testing::random_direction;
using testing::share;

template <class Height>
HeightField make_field(int nx, int ny, const Vec2& spacing, const Vec2& origin,
                       const Height& height) {
  HeightField field{nx, ny, spacing, origin, {}};
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      field.heights.push_back(height(origin.x() + i * spacing.x(), origin.y() + j * spacing.y()));
  return field;
}

HeightField make_rough(Rng& rng, double size) {
  const int nx = static_cast<int>(rng.integer(2, 20)), ny = static_cast<int>(rng.integer(2, 20));
  const Vec2 spacing(size * rng.uniform(0.5, 2), size * rng.uniform(0.5, 2));
  const Vec2 origin(100 * rng.normal(), 100 * rng.normal());
  return make_field(nx, ny, spacing, origin, [&](double, double) { return size * rng.normal(); });
}

TEST(HeightField, IsAClosedSolidWithNothingToClean) {
  Rng rng(101);
  for (int n = 0; n < 60; ++n) {
    TriangleMesh mesh = make_height_field(make_rough(rng, std::pow(10, rng.uniform(-2, 1))), 0.5);
    const TriangleMesh before = mesh;
    const MeshReport report = clean_mesh(mesh);
    EXPECT_TRUE(report.closed);
    EXPECT_EQ(report.components, 1u);
    EXPECT_EQ(report.welded_vertices + report.degenerate_triangles + report.duplicate_triangles +
                  report.unused_vertices + report.flipped_triangles + report.inward_components,
              0u)
        << report.to_text();
    EXPECT_EQ(mesh.triangles, before.triangles);
    EXPECT_GT(compute_volume(mesh), 0);
  }
}

TEST(HeightField, LongAndNarrowStaysClean) {
  TriangleMesh mesh = make_height_field(make_field(2, 10000, Vec2(0.1, 0.1), Vec2(0, 0),
                                                   [](double, double y) { return std::sin(y); }));
  EXPECT_EQ(clean_mesh(mesh).degenerate_triangles, 0u);
}

/// Below a linear height lies the height of the middle times the area.
TEST(HeightField, VolumeOfAPlane) {
  Rng rng(102);
  for (int n = 0; n < 60; ++n) {
    const Vec2 slope(rng.normal(), rng.normal()), spacing(rng.uniform(0.1, 1), rng.uniform(0.1, 1));
    const Vec2 origin(rng.normal(), rng.normal());
    const int nx = static_cast<int>(rng.integer(2, 9)), ny = static_cast<int>(rng.integer(2, 9));
    const auto plane = [&](double x, double y) { return 3 + slope.x() * x + slope.y() * y; };
    const HeightField field = make_field(nx, ny, spacing, origin, plane);
    const double depth = rng.uniform(0.1, 2);
    const double base = *std::min_element(field.heights.begin(), field.heights.end()) - depth;
    const Vec2 size((nx - 1) * spacing.x(), (ny - 1) * spacing.y());
    const Vec2 middle = origin + 0.5 * size;
    const double volume = size.prod() * (plane(middle.x(), middle.y()) - base);
    EXPECT_NEAR(compute_volume(make_height_field(field, depth)), volume, 1e-12 * (1 + volume) * 10);
    EXPECT_NEAR(compute_box(make_height_field(field, depth)).min.z(), base, 1e-12);
  }
}

TEST(HeightField, HeightIsThatOfAVerticalRay) {
  Rng rng(103);
  for (int n = 0; n < 40; ++n) {
    const double size = std::pow(10, rng.uniform(-2, 1));
    const HeightField field = make_rough(rng, size);
    const RayScene scene(std::vector<PlacedShape>{{share(make_height_field(field)), Pose()}});
    const auto cells = static_cast<std::uint32_t>((field.nx - 1) * (field.ny - 1));
    for (int k = 0; k < 50; ++k) {
      const double u = rng.uniform(0, field.nx - 1), v = rng.uniform(0, field.ny - 1);
      const double x = field.origin.x() + u * field.spacing.x(),
                   y = field.origin.y() + v * field.spacing.y();
      const auto hit = find_first_hit(scene, {x, y, 100 * size}, {x, y, -100 * size});
      ASSERT_TRUE(hit);
      EXPECT_NEAR(hit->point.z(), compute_height(field, x, y), 1e-9 * size);
      EXPECT_LT(hit->triangle, 2 * cells);
      EXPECT_EQ(hit->triangle / 2,
                static_cast<std::uint32_t>(v) * static_cast<std::uint32_t>(field.nx - 1) +
                    static_cast<std::uint32_t>(u));
    }
  }
}

TEST(HeightField, HeightsOfThePointsAndBeyondTheRim) {
  Rng rng(104);
  const HeightField field =
      make_field(4, 5, Vec2(0.5, 0.25), Vec2(-1, 2), [&](double, double) { return rng.normal(); });
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(compute_height(field, -1 + 0.5 * i, 2 + 0.25 * j),
                field.heights[static_cast<std::size_t>(4 * j + i)]);
  EXPECT_EQ(compute_height(field, -50, -50), field.heights.front());
  EXPECT_EQ(compute_height(field, 50, 50), field.heights.back());
  EXPECT_EQ(compute_height(field, -50, 2.6), compute_height(field, -1, 2.6));
}

TEST(HeightField, DiagonalsFollowTheRidge) {
  // A ridge along one diagonal, then along the other: its height is kept in the middle of the
  // cells.
  const HeightField rising = make_field(3, 3, Vec2(1, 1), Vec2(0, 0),
                                        [](double x, double y) { return x == y ? 1.0 : 0.0; });
  const HeightField falling = make_field(3, 3, Vec2(1, 1), Vec2(0, 0),
                                         [](double x, double y) { return x + y == 2 ? 1.0 : 0.0; });
  EXPECT_EQ(compute_height(rising, 0.5, 0.5), 1);
  EXPECT_EQ(compute_height(rising, 1.5, 1.5), 1);
  EXPECT_EQ(compute_height(falling, 0.5, 1.5), 1);
  EXPECT_EQ(compute_height(falling, 1.5, 0.5), 1);
}

TEST(HeightField, MirroredFieldsHaveMirroredHeights) {
  Rng rng(106);
  for (int n = 0; n < 20; ++n) {
    const HeightField field = make_field(5, 4, Vec2(1, 1), Vec2(0, 0), [&](double, double) {
      return static_cast<double>(rng.integer(0, 2));  // with many ties
    });
    const HeightField mirrored = make_field(5, 4, Vec2(1, 1), Vec2(0, 0), [&](double x, double y) {
      return compute_height(field, 4 - x, y);
    });
    for (int k = 0; k < 50; ++k) {
      const double x = rng.uniform(0, 4), y = rng.uniform(0, 3);
      EXPECT_NEAR(compute_height(field, x, y), compute_height(mirrored, 4 - x, y), 1e-14);
    }
  }
}

TEST(HeightField, BallIsAsFarAsThePlaneSays) {
  Rng rng(105);
  QueryScratch scratch;
  for (int n = 0; n < 40; ++n) {
    const Vec2 slope(0.5 * rng.normal(), 0.5 * rng.normal());
    const HeightField field =
        make_field(21, 17, Vec2(0.5, 0.625), Vec2(-5, -5),
                   [&](double x, double y) { return slope.x() * x + slope.y() * y; });
    const Collider ground(MeshShape(share(make_height_field(field, 3))));
    const Vec3 normal = Vec3(-slope.x(), -slope.y(), 1).normalized();
    const double radius = rng.uniform(0.05, 0.5);
    for (const double gap : {-0.04, 0.0, 0.02, 0.3}) {
      // Foot near the middle, so that the rim is farther than the plane.
      const Vec2 at(rng.uniform(-1, 1), rng.uniform(-1, 1));
      const Vec3 foot(at.x(), at.y(), slope.dot(at));
      const Pose X_GB = Pose::translation(foot + (radius + gap) * normal);
      const Separation s = compute_separation(ground, Collider(Sphere{radius}), X_GB, scratch);
      EXPECT_NEAR(s.distance, gap, 1e-9);
      if (gap != 0) {
        EXPECT_EQ(touches(ground, Collider(Sphere{radius}), X_GB, scratch), gap < 0);
      }
    }
  }
}

std::string refusal(const HeightField& field, double depth = 1) {
  try {
    static_cast<void>(make_height_field(field, depth));
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(HeightField, SaysWhatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const HeightField good{3, 2, Vec2(1, 1), Vec2(0, 0), {0, 1, 2, 3, 4, 5}};
  EXPECT_EQ(refusal(good), "");
  HeightField bad = good;
  bad.nx = 1;
  EXPECT_NE(refusal(bad).find("1 x 2"), std::string::npos);
  bad = good;
  bad.ny = -2;
  EXPECT_NE(refusal(bad).find("3 x -2"), std::string::npos);
  bad = good;
  bad.heights.pop_back();
  EXPECT_NE(refusal(bad).find("5 heights"), std::string::npos);
  EXPECT_THROW(static_cast<void>(compute_height(bad, 0, 0)), std::invalid_argument);
  bad = good;
  bad.heights[4] = nan;
  EXPECT_NE(refusal(bad).find("(1, 1)"), std::string::npos);
  for (const double spacing : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    bad = good;
    bad.spacing.y() = spacing;
    EXPECT_NE(refusal(bad).find("along y"), std::string::npos);
  }
  bad = good;
  bad.origin.x() = nan;
  EXPECT_NE(refusal(bad).find("origin"), std::string::npos);
  bad = good;
  bad.origin.x() = 1e20;
  EXPECT_NE(refusal(bad).find("lost"), std::string::npos);
  for (const double depth : {0.0, -1.0, nan})
    EXPECT_NE(refusal(good, depth).find("depth"), std::string::npos);
  EXPECT_THROW(static_cast<void>(compute_height(good, nan, 0)), std::invalid_argument);
}

}  // namespace
}  // namespace geste

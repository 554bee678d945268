#include "geste/geometry/thin_shape.hpp"

#include <gtest/gtest.h>

#include "geste/core/rng.hpp"
#include "geste/geometry/collider.hpp"
#include "geste/geometry/mesh_point.hpp"
#include "geste/geometry/point_distance.hpp"

namespace geste {
namespace {

/// m, negative inside; of the solid as it is given, whatever its kind.
double measure(const Collider& collider, const Vec3& p) {
  if (const PrimitiveShape* primitive = collider.primitive())
    return compute_point_separation(*primitive, p).distance;
  QueryScratch scratch;
  const double distance = find_nearest(*collider.mesh(), p, scratch).distance;
  return is_inside(*collider.mesh(), p, scratch) ? -distance : distance;
}

std::vector<Shape> make_solids() {
  const std::vector<Vec3> corners = {
      {0, 0, 0.1}, {0.1, 0, 0}, {-0.1, 0.05, 0}, {-0.05, -0.1, 0}, {0, 0, -0.1}};
  return {Sphere{0.05},
          Capsule{0.04, 0.1},
          Box{Vec3(0.1, 0.2, 0.15)},
          Cylinder{0.05, 0.12},
          Cone{0.08, 0.2},
          Torus{0.1, 0.03},
          std::make_shared<const TriangleMesh>(make_mesh(Torus{0.1, 0.04}, 24)),
          std::make_shared<const TriangleMesh>(make_mesh(Box{Vec3(0.1, 0.2, 0.15)})),
          std::make_shared<const ConvexHull>(*make_convex_hull(corners))};
}

// GX-2: what lies deep in a solid lies in the thin one too, by distances that know nothing of it.
// And the faces have moved: what is just inside them is left out.
TEST(ThinShape, KeepsWhatLiesDeepAndLeavesOutWhatIsNearTheSurface) {
  constexpr double kBy = 0.004;
  Rng rng(3);
  for (const Shape& shape : make_solids()) {
    const auto thin = make_thinner(shape, kBy);
    ASSERT_TRUE(thin) << shape_name(shape);
    const Collider whole(shape), inner(thin->shape);
    const AxisBox box = compute_box(shape);
    int deep = 0, near = 0, left_out = 0;
    for (int i = 0; i < 2000; ++i) {
      Vec3 p;
      for (int k = 0; k < 3; ++k) p[k] = rng.uniform(box.min[k], box.max[k]);
      const double before = measure(whole, p), after = measure(inner, thin->X_ST.inverse() * p);
      if (before < -kThinReach * kBy) {
        ++deep;
        EXPECT_LT(after, 1e-9) << shape_name(shape) << " at " << p.transpose();
      }
      if (before > -kBy / 2 && before < 0) {
        ++near;
        left_out += after > 0;
      }
      EXPECT_TRUE(before < 1e-9 || after > 0) << shape_name(shape);
    }
    EXPECT_GT(deep, 50) << shape_name(shape);
    EXPECT_GT(near, 5) << shape_name(shape);
    EXPECT_GT(left_out, 0.95 * near) << shape_name(shape);
  }
}

TEST(ThinShape, MovesEveryFaceOfABoxAsFarAsThoseOfItsMesh) {
  const Box box{Vec3(0.1, 0.2, 0.15)};
  const auto thin = make_thinner(box, 0.01);
  const auto mesh = make_thinner(std::make_shared<const TriangleMesh>(make_mesh(box)), 0.01);
  for (const auto* each : {&*thin, &*mesh})
    EXPECT_NEAR((compute_box(each->shape).size() - Vec3(0.08, 0.18, 0.13)).norm(), 0, 1e-6);
}

TEST(ThinShape, LeavesNothingOfWhatIsNotThicker) {
  EXPECT_FALSE(make_thinner(Sphere{0.05}, 0.05));
  EXPECT_FALSE(make_thinner(Box{Vec3(1, 1, 0.02)}, 0.01));
  EXPECT_FALSE(make_thinner(Cone{0.1, 0.1}, 0.05));
  EXPECT_TRUE(make_thinner(Cone{0.1, 0.1}, 0.04));
  EXPECT_THROW(static_cast<void>(make_thinner(Sphere{1}, -0.1)), std::invalid_argument);
}

TriangleMesh join(const TriangleMesh& a, const TriangleMesh& b) {
  TriangleMesh both = a;
  const auto first = static_cast<std::uint32_t>(a.vertices.size());
  both.vertices.insert(both.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Triangle& t : b.triangles)
    both.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return both;
}

Vec3 measure_slim(const Shape& shape, double share) {
  return compute_box(make_slimmer(shape, share)->shape).size();
}

// Long parts stay long: a bar loses half of its thickness, and as much of its length.
TEST(SlimShape, LosesAShareOfItsThickness) {
  const Box bar{Vec3(0.4, 0.1, 0.1)};
  const Vec3 expected(0.35, 0.05, 0.05);
  EXPECT_NEAR((measure_slim(bar, 0.5) - expected).norm(), 0, 1e-12);
  const auto mesh = std::make_shared<const TriangleMesh>(make_mesh(bar));
  EXPECT_NEAR((measure_slim(mesh, 0.5) - expected).norm(), 0, 1e-6);
  const auto hull = std::make_shared<const ConvexHull>(*make_convex_hull(mesh->vertices));
  EXPECT_NEAR((measure_slim(hull, 0.5) - expected).norm(), 0, 1e-6);
  EXPECT_NEAR(measure_slim(Sphere{0.1}, 0.25).x(), 0.15, 1e-12);
  EXPECT_NEAR(measure_slim(mesh, 0).x(), 0.4, 0);
}

// A thin plate beside a thick block: moved as far as the block's faces it would be inside out.
TEST(SlimShape, KeepsThinPlacesRightSideOut) {
  const auto plate =
      transformed(make_mesh(Box{Vec3(0.3, 0.3, 0.01)}), Mat3::Identity(), Vec3(1, 0, 0));
  const TriangleMesh both = join(make_mesh(Box{Vec3(0.4, 0.4, 0.4)}), plate);
  const auto slim = make_slimmer(std::make_shared<const TriangleMesh>(both), 0.8);
  const TriangleMesh& mesh = *std::get<MeshShape>(slim->shape);
  double low = kInfinity, high = -kInfinity;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (both.vertices[i].x() < 0.5) continue;
    if (both.vertices[i].z() < 0) low = std::min(low, mesh.vertices[i].z());
    if (both.vertices[i].z() > 0) high = std::max(high, mesh.vertices[i].z());
  }
  EXPECT_NEAR(high - low, 0.002, 1e-6);
}

// GX-2: nothing of the slim solid is outside of the whole one, by distances that know nothing of
// it.
TEST(SlimShape, LiesWithinTheWhole) {
  Rng rng(4);
  for (const Shape& shape : make_solids()) {
    for (const double share : {0.3, 0.6, 0.9}) {
      const auto slim = make_slimmer(shape, share);
      ASSERT_TRUE(slim) << shape_name(shape);
      const Collider whole(shape), inner(slim->shape);
      const AxisBox box = compute_box(shape);
      int within = 0;
      for (int i = 0; i < 500; ++i) {
        Vec3 p;
        for (int k = 0; k < 3; ++k) p[k] = rng.uniform(box.min[k], box.max[k]);
        if (measure(inner, slim->X_ST.inverse() * p) > 0) continue;
        ++within;
        EXPECT_LT(measure(whole, p), 1e-9) << shape_name(shape) << " " << share;
      }
      EXPECT_TRUE(within > 0 || share > 0.5) << shape_name(shape);
    }
  }
}

TEST(SlimShape, LeavesAloneWhatHasNoThickness) {
  const auto sheet = std::make_shared<const TriangleMesh>(
      TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  EXPECT_EQ(std::get<MeshShape>(make_slimmer(sheet, 0.9)->shape)->vertices, sheet->vertices);
  const auto huge = std::make_shared<const TriangleMesh>(make_mesh(Box{Vec3::Constant(4e6)}));
  EXPECT_EQ(std::get<MeshShape>(make_slimmer(huge, 0.5)->shape)->vertices, huge->vertices);
  const auto nothing = std::make_shared<const TriangleMesh>();
  EXPECT_TRUE(std::get<MeshShape>(make_slimmer(nothing, 0.5)->shape)->vertices.empty());
  EXPECT_THROW(static_cast<void>(make_slimmer(Sphere{1}, 1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(make_slimmer(Sphere{1}, -0.1)), std::invalid_argument);
}

}  // namespace
}  // namespace geste

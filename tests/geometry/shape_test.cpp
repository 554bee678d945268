#include "geste/geometry/shape.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include "geste/geometry/mesh_report.hpp"

#include "testing.hpp"

namespace geste {
namespace {

struct Case {
  const char* name;
  Shape shape;
  double volume;
};

std::vector<Case> make_cases() {
  return {
      {"sphere", Sphere{0.7}, 4.0 / 3 * kPi * std::pow(0.7, 3)},
      {"capsule", Capsule{0.2, 1.1}, kPi * 0.04 * 1.1 + 4.0 / 3 * kPi * 0.008},
      {"cylinder", Cylinder{0.3, 1.7}, kPi * 0.09 * 1.7},
      {"cone", Cone{0.4, 0.9}, kPi * 0.16 * 0.9 / 3},
      {"torus", Torus{1.2, 0.3}, 2 * kPi * kPi * 1.2 * 0.09},
  };
}

/// Signed distance to the surface, written from the definitions in shape.hpp.
double distance(const Shape& shape, const Vec3& p) {
  const double rho = std::hypot(p.x(), p.y());
  if (const auto* s = std::get_if<Sphere>(&shape)) return p.norm() - s->radius;
  if (const auto* c = std::get_if<Capsule>(&shape)) {
    const double z = std::max(0.0, std::abs(p.z()) - c->length / 2);
    return std::hypot(rho, z) - c->radius;
  }
  if (const auto* t = std::get_if<Torus>(&shape)) {
    return std::hypot(rho - t->radius, p.z()) - t->tube_radius;
  }
  if (const auto* c = std::get_if<Cylinder>(&shape)) {
    return std::max(rho - c->radius, std::abs(p.z()) - c->length / 2);
  }
  const Cone& c = std::get<Cone>(shape);
  const double side =
      (rho - c.radius * (0.5 - p.z() / c.length)) / std::hypot(1.0, c.radius / c.length);
  return std::max(side, -c.length / 2 - p.z());
}

TEST(Shape, MeshesAreClosedAndPointOutwards) {
  for (const Case& c : make_cases()) {
    for (const int segments : {3, 4, 7, 32}) {
      TriangleMesh mesh = make_mesh(c.shape, segments);
      const auto triangles = mesh.triangles;
      const MeshReport report = clean_mesh(mesh);
      EXPECT_TRUE(report.closed) << c.name << " " << segments << ": " << report.to_text();
      EXPECT_EQ(report.to_text(), "closed, 1 piece") << c.name << " " << segments;
      EXPECT_EQ(mesh.triangles, triangles);
      EXPECT_GT(compute_volume(mesh), 0);
    }
  }
}

TEST(Shape, VolumesConvergeWithTheSquareOfTheSegments) {
  for (const Case& c : make_cases()) {
    const double coarse = c.volume - compute_volume(make_mesh(c.shape, 64));
    const double fine = c.volume - compute_volume(make_mesh(c.shape, 128));
    EXPECT_GT(fine, 0) << c.name;
    EXPECT_LT(fine, 3e-3 * c.volume) << c.name;
    EXPECT_NEAR(coarse / fine, 4, 0.05) << c.name;
  }
}

TEST(Shape, VerticesLieOnTheSurfaceAndTheDeflectionHolds) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const Case& c : make_cases()) {
    for (const int segments : {5, 12, 33}) {
      const TriangleMesh mesh = make_mesh(c.shape, segments);
      for (const Vec3& v : mesh.vertices) EXPECT_NEAR(distance(c.shape, v), 0, 1e-12) << c.name;
      double deepest = 0;
      for (const Triangle& t : mesh.triangles) {
        for (int k = 0; k < 20; ++k) {
          double a = unit(random), b = unit(random);
          if (a + b > 1) a = 1 - a, b = 1 - b;
          const Vec3& o = mesh.vertices[t[0]];
          const Vec3 p = o + a * (mesh.vertices[t[1]] - o) + b * (mesh.vertices[t[2]] - o);
          deepest = std::max(deepest, std::abs(distance(c.shape, p)));
        }
      }
      EXPECT_LE(deepest, mesh.deflection + 1e-12) << c.name << " " << segments;
      EXPECT_GT(deepest, 0.5 * mesh.deflection) << c.name << " " << segments;
    }
  }
}

TEST(Shape, BoxIsExact) {
  const TriangleMesh mesh = make_mesh(Box{{1, 2, 3}});
  EXPECT_NEAR(compute_volume(mesh), 6, 1e-14);
  EXPECT_NEAR(compute_area(mesh), 22, 1e-14);
  EXPECT_EQ(mesh.deflection, 0);
  TriangleMesh copy = mesh;
  EXPECT_EQ(clean_mesh(copy).to_text(), "closed, 1 piece");
}

TEST(Shape, ThickTorusHasOnlyItsOutside) {
  // A tube wider than its circle: a sphere in the limit of radius 0.
  TriangleMesh mesh = make_mesh(Torus{0, 0.5}, 128);
  EXPECT_TRUE(clean_mesh(mesh).closed);
  EXPECT_NEAR(compute_volume(mesh), 4.0 / 3 * kPi * 0.125, 1e-3);
  TriangleMesh spindle = make_mesh(Torus{0.3, 0.5}, 64);
  EXPECT_EQ(clean_mesh(spindle).to_text(), "closed, 1 piece");
  for (const Vec3& v : spindle.vertices) EXPECT_NEAR(distance(Torus{0.3, 0.5}, v), 0, 1e-12);
}

TEST(Shape, BoxesAreTightAndContainTheMesh) {
  for (const Case& c : make_cases()) {
    // Segments divisible by 4 put vertices on the extremes of every axis.
    const AxisBox exact = compute_box(c.shape);
    const AxisBox meshed = compute_box(make_mesh(c.shape, 64));
    EXPECT_TRUE(exact.min.isApprox(meshed.min, 1e-12)) << c.name;
    EXPECT_TRUE(exact.max.isApprox(meshed.max, 1e-12)) << c.name;
  }
  EXPECT_EQ(compute_box(Shape(Box{{1, 2, 3}})).max, Vec3(0.5, 1, 1.5));
  EXPECT_TRUE(compute_box(Shape(MeshShape{})).empty());
}

TEST(Shape, NamesAndMisuse) {
  for (const Case& c : make_cases()) EXPECT_STREQ(shape_name(c.shape), c.name);
  EXPECT_STREQ(shape_name(Box{}), "box");
  EXPECT_STREQ(shape_name(MeshShape{}), "mesh");
  EXPECT_THROW(make_mesh(Sphere{1}, 2), std::invalid_argument);
}

}  // namespace
}  // namespace geste

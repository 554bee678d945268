#include "geste/geometry/mesh_pieces.hpp"

#include <gtest/gtest.h>

#include "geometry/random_meshes.hpp"

// MV-8: CAD objects that group far-apart pieces are split by where they are.

namespace geste {
namespace {

TriangleMesh at(const Vec3& place, double size) {
  return transformed(make_mesh(Box{Vec3::Constant(size)}), Mat3::Identity(), place);
}

TEST(MeshPieces, FourWheelsAreFourParts) {
  TriangleMesh car;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-0.7, 0.7}) append(car, at({x, y, 0}, 0.3));
  }
  const MeshShape whole = testing::share(car);
  const auto parts = split_by_place(whole);
  ASSERT_EQ(parts.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(parts[k]->triangles.size(), 12u);
    EXPECT_EQ(parts[k]->vertices.size(), 8u);
    EXPECT_NEAR(compute_volume(*parts[k]), 0.027, 1e-12);
    EXPECT_EQ(compute_box(*parts[k]).centre(), Vec3(k < 2 ? -1 : 1, k % 2 ? 0.7 : -0.7, 0));
  }
  EXPECT_EQ(split_by_place(whole, 10).size(), 1u);
}

TEST(MeshPieces, WhatIsInOnePlaceStaysTheSameObject) {
  TriangleMesh bolts = at({0, 0, 0}, 1);
  append(bolts, at({1.1, 0, 0}, 1));  // nearly touching
  const MeshShape mesh = testing::share(bolts);
  const auto parts = split_by_place(mesh);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0], mesh);
}

TEST(MeshPieces, ACavityStaysWithItsSolid) {
  TriangleMesh shell = at({0, 0, 0}, 1);
  TriangleMesh cavity = at({0, 0, 0}, 0.01);
  for (Triangle& t : cavity.triangles) std::swap(t[1], t[2]);
  append(shell, cavity);
  append(shell, at({5, 0, 0}, 1));
  const auto parts = split_by_place(testing::share(shell));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0]->triangles.size(), 24u);
  EXPECT_NEAR(compute_volume(*parts[0]), 1 - 1e-6, 1e-12);
}

/// Laws: nothing is lost or changed, boxes of parts are apart, parts are sorted by their first
/// triangle.
TEST(MeshPieces, PartsAreThePiecesAndLieApart) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    TriangleMesh mesh;
    const int pieces = static_cast<int>(rng.integer(1, 40));
    for (int i = 0; i < pieces; ++i)
      append(mesh, at(10 * testing::random_direction(rng) * rng.uniform(), rng.uniform(0.01, 2)));
    const auto parts = split_by_place(testing::share(mesh));
    std::size_t triangles = 0, vertices = 0;
    double volume = 0;
    for (const MeshShape& part : parts) {
      triangles += part->triangles.size();
      vertices += part->vertices.size();
      volume += compute_volume(*part);
    }
    EXPECT_EQ(triangles, mesh.triangles.size()) << seed;
    EXPECT_EQ(vertices, mesh.vertices.size()) << seed;
    EXPECT_NEAR(volume, compute_volume(mesh), 1e-9) << seed;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const AxisBox a = compute_box(*parts[i]);
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        const AxisBox b = compute_box(*parts[j]);
        const Vec3 gap = (a.min - b.max).cwiseMax(b.min - a.max);
        EXPECT_GT(gap.maxCoeff(), 0.1 * (a.size().norm() + b.size().norm())) << seed;
      }
    }
  }
}

TEST(MeshPieces, BadInputThrows) {
  EXPECT_THROW(split_by_place(nullptr), std::invalid_argument);
  EXPECT_THROW(split_by_place(testing::share(at({0, 0, 0}, 1)), -1), std::invalid_argument);
  EXPECT_EQ(split_by_place(testing::share({})).size(), 1u);
}

}  // namespace
}  // namespace geste

#include "geste/formats/internal/shaded_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace geste {
namespace {

constexpr double kCrease = 0.6;

TriangleMesh make_cube() {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k) mesh.vertices.emplace_back(k & 1, (k >> 1) & 1, (k >> 2) & 1);
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

/// A closed prism over a regular polygon, axis along z, radius 1, height 2.
TriangleMesh make_prism(std::uint32_t sides) {
  TriangleMesh mesh;
  for (std::uint32_t k = 0; k < sides; ++k) {
    const double a = 2 * M_PI * k / sides;
    mesh.vertices.emplace_back(std::cos(a), std::sin(a), -1);
    mesh.vertices.emplace_back(std::cos(a), std::sin(a), 1);
  }
  for (std::uint32_t k = 0; k < sides; ++k) {
    const std::uint32_t b0 = 2 * k, t0 = b0 + 1, b1 = 2 * ((k + 1) % sides), t1 = b1 + 1;
    mesh.triangles.push_back({b0, b1, t1});
    mesh.triangles.push_back({b0, t1, t0});
    if (k > 0 && k + 1 < sides) {
      mesh.triangles.push_back({0, b1, b0});
      mesh.triangles.push_back({1, t0, t1});
    }
  }
  return mesh;
}

Vec3 to_vec(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

/// Every triangle is where it was, in the same order and the same sense.
void expect_same_triangles(const TriangleMesh& mesh, const ShadedMesh& shaded) {
  ASSERT_EQ(shaded.indices.size(), 3 * mesh.triangles.size());
  for (std::size_t c = 0; c < shaded.indices.size(); ++c) {
    const Vec3 p = shaded.centre + to_vec(shaded.positions[shaded.indices[c]]);
    EXPECT_LT((p - mesh.vertices[mesh.triangles[c / 3][c % 3]]).norm(), 1e-6);
  }
}

TEST(ShadedMesh, ACubeKeepsItsEdges) {
  const TriangleMesh cube = make_cube();
  ASSERT_NEAR(compute_volume(cube), 1, 1e-12);
  const ShadedMesh shaded = make_shaded_mesh(cube, kCrease);
  EXPECT_EQ(shaded.positions.size(), 24u);
  expect_same_triangles(cube, shaded);
  for (std::size_t c = 0; c < shaded.indices.size(); ++c) {
    const Vec3 n = to_vec(shaded.normals[shaded.indices[c]]);
    const Vec3 p = to_vec(shaded.positions[shaded.indices[c]]);
    EXPECT_NEAR(n.cwiseAbs().maxCoeff(), 1, 1e-7);  // along an axis
    EXPECT_NEAR(n.dot(p), 0.5, 1e-7);               // the face it stands on, seen from outside
  }
}

TEST(ShadedMesh, ACylinderIsSmoothAroundAndSharpAtItsRims) {
  const TriangleMesh prism = make_prism(32);
  const ShadedMesh shaded = make_shaded_mesh(prism, kCrease);
  EXPECT_EQ(shaded.positions.size(), 2 * prism.vertices.size());
  expect_same_triangles(prism, shaded);
  for (std::size_t v = 0; v < shaded.positions.size(); ++v) {
    const Vec3 n = to_vec(shaded.normals[v]);
    const Vec3 p = to_vec(shaded.positions[v]);
    const Vec3 around = Vec3(p.x(), p.y(), 0).normalized();
    const Vec3 along(0, 0, p.z() > 0 ? 1 : -1);
    EXPECT_GT(std::max(n.dot(around), n.dot(along)), 1 - 1e-6);
  }
}

TEST(ShadedMesh, TheCreaseAngleDecides) {
  const TriangleMesh prism = make_prism(8);  // its sides meet at 45 degrees
  EXPECT_EQ(make_shaded_mesh(prism, 44 * M_PI / 180).positions.size(), 3 * 16u);
  EXPECT_EQ(make_shaded_mesh(prism, 46 * M_PI / 180).positions.size(), 2 * 16u);
}

TEST(ShadedMesh, APartFarFromItsOriginLosesNothing) {
  TriangleMesh mesh = make_cube();
  const Vec3 far(123456.789, -98765.4321, 5e5);
  for (Vec3& p : mesh.vertices) p = 0.01 * p + far;
  const ShadedMesh shaded = make_shaded_mesh(mesh, kCrease);
  EXPECT_LT((shaded.centre - far - Vec3::Constant(0.005)).norm(), 1e-9);
  for (std::size_t c = 0; c < shaded.indices.size(); ++c) {
    const Vec3 p = shaded.centre + to_vec(shaded.positions[shaded.indices[c]]);
    EXPECT_LT((p - mesh.vertices[mesh.triangles[c / 3][c % 3]]).norm(), 1e-9);
  }
}

TEST(ShadedMesh, AMirroredPartStillFacesOutwards) {
  const Mat3 mirror = Vec3(1, -1, 1).asDiagonal();
  const TriangleMesh mesh = transformed(make_prism(16), mirror, Vec3(1, 2, 3));
  const ShadedMesh shaded = make_shaded_mesh(mesh, kCrease);
  expect_same_triangles(mesh, shaded);
  for (std::size_t v = 0; v < shaded.positions.size(); ++v) {
    EXPECT_GT(to_vec(shaded.normals[v]).dot(to_vec(shaded.positions[v])), 0);
  }
}

TEST(ShadedMesh, ALargeFaceStaysFlatBesideANarrowBevel) {
  TriangleMesh mesh;  // a square metre, and a centimetre bent down by 20 degrees
  const double bend = 20 * M_PI / 180;
  const Vec3 out(1 + 0.01 * std::cos(bend), 0, -0.01 * std::sin(bend));
  mesh.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0),
                   Vec3(0, 1, 0), out,           Vec3(out + Vec3::UnitY())};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}};
  const ShadedMesh shaded = make_shaded_mesh(mesh, kCrease);
  ASSERT_EQ(shaded.positions.size(), 6u);  // smooth across the edge
  const double tilt = std::acos(to_vec(shaded.normals[1]).z());
  EXPECT_GT(tilt, 0);
  EXPECT_LT(tilt, 1 * M_PI / 180);
}

TEST(ShadedMesh, TrianglesWithoutAreaAreDropped) {
  TriangleMesh mesh = make_cube();
  mesh.vertices.emplace_back(100, 100, 100);  // used by nothing that shows
  mesh.triangles.push_back({0, 0, 8});
  mesh.triangles.push_back({8, 8, 8});
  const ShadedMesh shaded = make_shaded_mesh(mesh, kCrease);
  EXPECT_EQ(shaded.indices.size(), 36u);
  EXPECT_LT((shaded.centre - Vec3::Constant(0.5)).norm(), 1e-12);

  mesh.triangles = {{0, 0, 8}};
  EXPECT_TRUE(make_shaded_mesh(mesh, kCrease).indices.empty());
  EXPECT_TRUE(make_shaded_mesh({}, kCrease).indices.empty());
}

TEST(ShadedMesh, OppositeSheetsDoNotCancelEachOther) {
  TriangleMesh mesh;
  mesh.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  mesh.triangles = {{0, 1, 2}, {0, 2, 1}};
  const ShadedMesh shaded = make_shaded_mesh(mesh, M_PI);
  for (const auto& n : shaded.normals) EXPECT_NEAR(to_vec(n).norm(), 1, 1e-6);
}

TEST(ShadedMesh, ManyTrianglesOnOneEdgeStayCheap) {
  TriangleMesh mesh;
  mesh.vertices = {Vec3(0, 0, 0), Vec3(0, 0, 1)};
  for (std::uint32_t k = 0; k < 200000; ++k) {
    const double a = 1e-5 * k;
    mesh.vertices.emplace_back(std::cos(a), std::sin(a), 0.5);
    mesh.triangles.push_back({0, 1, k + 2});
  }
  EXPECT_EQ(make_shaded_mesh(mesh, kCrease).indices.size(), 600000u);
}

TEST(ShadedMesh, SizesBeyondFloatAreRefused) {
  TriangleMesh mesh = make_cube();
  for (Vec3& p : mesh.vertices) p *= 1e50;
  EXPECT_THROW(make_shaded_mesh(mesh, kCrease), std::logic_error);
}

}  // namespace
}  // namespace geste

#include "geste/geometry/mesh.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <limits>
#include <stdexcept>

namespace geste {

AxisBox compute_box(const TriangleMesh& mesh) {
  AxisBox box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  return box;
}

double compute_area(const TriangleMesh& mesh) {
  double twice = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3& a = mesh.vertices[t[0]];
    twice += (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).norm();
  }
  return twice / 2;
}

double compute_volume(const TriangleMesh& mesh) {
  if (mesh.vertices.empty()) return 0;
  // Tetrahedra over a vertex of the mesh rather than the origin: far from it the terms cancel
  // badly.
  const Vec3 o = mesh.vertices.front();
  double six_volumes = 0;
  for (const Triangle& t : mesh.triangles) {
    six_volumes +=
        (mesh.vertices[t[0]] - o).dot((mesh.vertices[t[1]] - o).cross(mesh.vertices[t[2]] - o));
  }
  return six_volumes / 6;
}

TriangleMesh transformed(TriangleMesh mesh, const Mat3& A, const Vec3& t) {
  for (Vec3& v : mesh.vertices) v = A * v + t;
  if (A.determinant() < 0) {
    for (Triangle& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  }
  if (mesh.deflection > 0) {
    mesh.deflection *= Eigen::JacobiSVD<Mat3>(A).singularValues()[0];
  }
  return mesh;
}

void append(TriangleMesh& mesh, const TriangleMesh& other) {
  const std::size_t total = mesh.vertices.size() + other.vertices.size();
  if (total > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("append: more vertices than a 32-bit index can name");
  }
  const auto offset = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  mesh.triangles.reserve(mesh.triangles.size() + other.triangles.size());
  for (const Triangle& t : other.triangles) {
    mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
  mesh.deflection = std::max(mesh.deflection, other.deflection);
}

}  // namespace geste

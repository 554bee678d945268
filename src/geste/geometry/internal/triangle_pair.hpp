#pragma once

#include "geste/geometry/mesh.hpp"

/// Two triangles in double: what the float lanes leave undecided, and the answers' figures.
namespace geste::internal {

struct Triangle3 {
  Vec3 p[3];
};

inline Triangle3 get_corners(const TriangleMesh& mesh, std::uint32_t t) {
  const Triangle& v = mesh.triangles[t];
  return {{mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]}};
}

struct TriangleDistance {
  double squared = 0;  ///< 0 where they meet
  Vec3 on_a = Vec3::Zero();
  Vec3 on_b = Vec3::Zero();
};

/// Nearest points of two triangles, which may be slivers or points. Nine pairs of edges, six
/// corners over faces, and edges through faces.
TriangleDistance compute_distance(const Triangle3& a, const Triangle3& b);

}  // namespace geste::internal

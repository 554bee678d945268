#pragma once

#include "geste/math/types.hpp"

/// Two triangles in double: what the float lanes leave undecided, and the answers' figures.
namespace geste::internal {

struct Triangle3 {
  Vec3 p[3];
};

struct TriangleDistance {
  double squared = 0;  ///< 0 where they meet
  Vec3 on_a = Vec3::Zero();
  Vec3 on_b = Vec3::Zero();
};

/// Nearest points of two triangles, which may be slivers or points. Nine pairs of edges, six
/// corners over faces, and edges through faces.
TriangleDistance compute_distance(const Triangle3& a, const Triangle3& b);

}  // namespace geste::internal

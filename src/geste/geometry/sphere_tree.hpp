#pragma once

#include <limits>
#include <span>

#include "geste/geometry/collider.hpp"
#include "geste/math/pose.hpp"

namespace geste {

/// A ball of a sphere tree: holds a part of the surface.
struct CoverBall {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
  /// The ball of this radius about the same centre lies inside the solid; 0 where there is none.
  double inner = 0;
  int first_child = 0;
  int children = 0;  ///< 0: a leaf
};

/// Balls that hold the surface of a body on three levels: one, up to eight, up to 64. Each triangle
/// lies within one ball of each level. Centres lie inside the body as far as they can, so that
/// balls stick out little.
struct SphereTree {
  std::vector<CoverBall> balls;  ///< balls[0] holds all; siblings follow each other
  /// m; what holds a ball of this radius cannot be inside the solid without meeting a leaf.
  double hole = std::numeric_limits<double>::infinity();
};

struct PlacedCollider {
  const Collider* collider = nullptr;
  Pose X;
};

/// Of shapes that are fixed to each other. Takes about a tenth of a second. Without any triangle
/// there is no ball.
SphereTree make_sphere_tree(std::span<const PlacedCollider> shapes);

}  // namespace geste

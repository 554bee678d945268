#pragma once

#include "geste/math/types.hpp"

namespace geste {

/// How two shapes lie to each other: apart by `distance` > 0, or into each other by -distance.
/// Continuous in the pose, zero exactly at contact.
///
/// What "into each other" measures:
/// - convex shapes (sphere, capsule, box, cylinder, cone, hull): the shortest translation that
/// takes
///   them apart;
/// - sphere, capsule, torus against anything: their radius less the signed distance of their core
///   (point, segment, circle) to the other;
/// - where a triangle mesh is one of the two: how deep the deepest point of either surface lies
///   inside the other. A mesh that is not closed has no inside and adds nothing.
struct Separation {
  double distance = 0;       ///< m, signed
  Vec3 on_a = Vec3::Zero();  ///< nearest points, or the deepest ones
  Vec3 on_b = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< unit, from a to b: moving b along it takes them apart
  double error = 0;  ///< bound on how far `distance` may be off when negative: search tolerance and
                     ///< deflection of tessellated primitives
};

}  // namespace geste

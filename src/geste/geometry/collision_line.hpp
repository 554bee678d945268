#pragma once

#include "geste/geometry/mesh_pair.hpp"

namespace geste {

/// Where two surfaces cross: polylines, in A's frame. Faces that lie in one plane have no line in
/// common; doubled faces count twice.
///
/// The length is what the repulsion of parts descends (CH-4). Its gradient is exact: each end of a
/// segment is an edge of one mesh in the plane of a triangle of the other, and slides along that
/// edge as the plane moves.
struct CollisionLine {
  struct Segment {
    Vec3 p;
    Vec3 q;
    TrianglePair triangles;
  };
  /// `count` segments from `first` on, each beginning where the one before it ends.
  struct Polyline {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    bool closed = false;
  };
  std::vector<Segment> segments;
  std::vector<Polyline> polylines;
  double length = 0;
  /// d length / d motion of B against A: linear velocity at A's origin, then angular velocity, in
  /// A's axes.
  Vec6 gradient = Vec6::Zero();
};

/// `line` is overwritten; its memory is used again.
void compute_collision_line(const MeshTree& a, const MeshTree& b, const Pose& X_AB,
                            QueryScratch& scratch, CollisionLine& line);

}  // namespace geste

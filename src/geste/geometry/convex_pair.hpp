#pragma once

#include "geste/geometry/convex_shape.hpp"
#include "geste/geometry/separation.hpp"
#include "geste/math/pose.hpp"

namespace geste {

/// What a query leaves for the next one between the same two shapes at a similar pose: it then ends
/// after a step or two. Belongs to the caller; a fresh one is always right.
struct ConvexWarmStart {
  Vec3 direction = Vec3::Zero();                             ///< from b to a, in A's frame
  std::uint32_t vertex_a = kNoVertex, vertex_b = kNoVertex;  ///< of hulls: where a search starts
};

/// Signed separation of two convex shapes, in A's frame; negative by the shortest translation that
/// takes them apart. on_b - on_a = distance * normal.
///
/// Accuracy of `distance`, as a part of the larger shape's size:
/// - a sphere with anything, two capsules: closed forms, 1e-13;
/// - capsules, boxes, hulls, triangles with each other: 1e-11, apart and inside; both searches end
///   on a corner, an edge or a face. Nearer than 1e-11 to contact the sign may be wrong;
/// - cylinders and cones: 1e-9 apart; 1e-10 inside, proven by `error`, except where the depth
///   hardly depends on the direction, as for a shaft in its bore: then 1e-8, and `error` stays at
///   some 1e-4.
/// Normals are good to 1e-5 rad where a curve is involved.
///
/// Allocates nothing. A triangle has no inside but a depth: the translation that frees it.
Separation compute_convex_separation(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                                     ConvexWarmStart* warm_start = nullptr);

/// Whether they share a point; ends as soon as it is known. Within 1e-11 of the size of contact the
/// answer is rounding's.
bool touches_convex(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                    ConvexWarmStart* warm_start = nullptr);

/// The same answer seen from b: shapes swapped, in B's frame. `s` is in A's.
Separation swapped(const Separation& s, const Pose& X_BA);
/// Given in A's frame, seen from where A is at X_WA.
Separation placed(const Separation& s, const Pose& X_WA);

}  // namespace geste

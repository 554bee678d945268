#pragma once

#include "geste/geometry/collider.hpp"
#include "geste/geometry/convex_pair.hpp"
#include "geste/geometry/mesh_depth.hpp"

namespace geste {

// Any two shapes, at a relative pose, in A's frame. Solids are meant: what lies wholly inside a
// closed mesh touches it.

/// What the caller keeps of a pair from one pose to the next.
struct PairHint {
  TrianglePair triangles;
  ConvexWarmStart convex;
};

bool touches(const Collider& a, const Collider& b, const Pose& X_AB, QueryScratch& scratch,
             PairHint* hint = nullptr);

/// Distance of the surfaces, or of the solids where both are primitives; infinite where it is
/// `limit` or more, never negative.
double compute_gap(const Collider& a, const Collider& b, const Pose& X_AB, QueryScratch& scratch,
                   PairHint* hint, double limit);

/// Whether two touch, or are nearer than `margin`.
bool comes_within(const Collider& a, const Collider& b, const Pose& X_AB, double margin,
                  QueryScratch& scratch, PairHint* hint = nullptr);

/// Signed clearance (separation.hpp).
Separation compute_separation(const Collider& a, const Collider& b, const Pose& X_AB,
                              QueryScratch& scratch, PairHint* hint = nullptr,
                              const DepthOptions& options = {});

}  // namespace geste

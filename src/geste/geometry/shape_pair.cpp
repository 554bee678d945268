#include "geste/geometry/shape_pair.hpp"

#include "geste/geometry/internal/hull_gap.hpp"
#include "geste/geometry/mesh_primitive.hpp"
#include "geste/geometry/primitive_pair.hpp"

namespace geste {

using namespace internal;

namespace {

/// m; covers the rounding of poses and distances, for shapes up to some tens of metres.
constexpr double kRounding = 1e-8;

}  // namespace

bool touches(const Collider& a, const Collider& b, const Pose& X_AB, QueryScratch& scratch,
             PairHint* hint) {
  if (a.mesh() && b.mesh())
    return overlap(*a.mesh(), *b.mesh(), X_AB, scratch, hint ? &hint->triangles : nullptr);
  if (a.mesh()) return touches(*a.mesh(), *b.primitive(), X_AB, scratch);
  if (b.mesh()) return touches(*b.mesh(), *a.primitive(), X_AB.inverse(), scratch);
  return touch_primitives(*a.primitive(), *b.primitive(), X_AB, hint ? &hint->convex : nullptr);
}

Separation compute_separation(const Collider& a, const Collider& b, const Pose& X_AB,
                              QueryScratch& scratch, PairHint* hint, const DepthOptions& options) {
  if (a.mesh() && b.mesh())
    return compute_separation(*a.mesh(), *b.mesh(), X_AB, scratch,
                              hint ? &hint->triangles : nullptr, options);
  if (a.mesh())
    return compute_separation(*a.mesh(), *b.primitive(), b.surface(), X_AB, scratch, options);
  if (b.mesh()) {
    const Separation s = compute_separation(*b.mesh(), *a.primitive(), a.surface(), X_AB.inverse(),
                                            scratch, options);
    return swapped(s, X_AB);
  }
  return compute_primitive_separation(*a.primitive(), *b.primitive(), X_AB,
                                      hint ? &hint->convex : nullptr);
}

bool comes_within(const Collider& a, const Collider& b, const Pose& X_AB, double margin,
                  QueryScratch& scratch, PairHint* hint) {
  return touches(a, b, X_AB, scratch, hint) ||
         (margin > 0 && compute_gap(a, b, X_AB, scratch, hint, margin) < margin);
}

double compute_gap(const Collider& a, const Collider& b, const Pose& X_AB, QueryScratch& scratch,
                   PairHint* hint, double limit) {
  const auto bound = [&](double distance) {
    return distance < limit ? std::max(distance, 0.0) : std::numeric_limits<double>::infinity();
  };
  if (!a.mesh() && !b.mesh())
    return bound(compute_primitive_separation(*a.primitive(), *b.primitive(), X_AB,
                                              hint ? &hint->convex : nullptr)
                     .distance);
  if (limit < std::numeric_limits<double>::infinity() && !get_torus(a) && !get_torus(b)) {
    const auto hull_a = view_hull(a), hull_b = view_hull(b);
    const double far = limit + kRounding;
    const auto gap = hull_a && hull_b ? find_hull_gap(*hull_a, *hull_b, X_AB, far) : std::nullopt;
    if (gap && gap->distance > far) return std::numeric_limits<double>::infinity();
  }
  const MeshTree *surface_a = get_flat_surface(a), *surface_b = get_flat_surface(b);
  if (surface_a && surface_b)
    return bound(compute_distance(*surface_a, *surface_b, X_AB, scratch,
                                  hint ? &hint->triangles : nullptr, limit)
                     .distance);
  const Separation s =
      a.mesh() ? find_nearest_triangle(*a.mesh(), *b.primitive(), X_AB, scratch, limit)
               : find_nearest_triangle(*b.mesh(), *a.primitive(), X_AB.inverse(), scratch, limit);
  return bound(s.distance);
}

}  // namespace geste

#include "geste/geometry/shape_pair.hpp"

#include "geste/geometry/mesh_primitive.hpp"
#include "geste/geometry/primitive_pair.hpp"

namespace geste {

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

}  // namespace geste

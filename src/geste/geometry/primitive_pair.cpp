#include "geste/geometry/primitive_pair.hpp"

#include "geste/geometry/torus_pair.hpp"

namespace geste {
namespace {

/// Every primitive but the torus, which the caller has dealt with.
ConvexShape view_convex(const PrimitiveShape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return ConvexShape(*s);
  if (const auto* s = std::get_if<Capsule>(&shape)) return ConvexShape(*s);
  if (const auto* s = std::get_if<Box>(&shape)) return ConvexShape(*s);
  if (const auto* s = std::get_if<Cylinder>(&shape)) return ConvexShape(*s);
  if (const auto* s = std::get_if<Cone>(&shape)) return ConvexShape(*s);
  return ConvexShape(*std::get<HullShape>(shape));
}

}  // namespace

Separation compute_primitive_separation(const PrimitiveShape& a, const PrimitiveShape& b,
                                        const Pose& X_AB, ConvexWarmStart* warm_start) {
  const auto *torus_a = std::get_if<Torus>(&a), *torus_b = std::get_if<Torus>(&b);
  if (torus_a && torus_b) return compute_torus_separation(*torus_a, *torus_b, X_AB);
  if (torus_a) return compute_torus_separation(*torus_a, view_convex(b), X_AB);
  if (torus_b) {
    return swapped(compute_torus_separation(*torus_b, view_convex(a), X_AB.inverse()), X_AB);
  }
  return compute_convex_separation(view_convex(a), view_convex(b), X_AB, warm_start);
}

bool touch_primitives(const PrimitiveShape& a, const PrimitiveShape& b, const Pose& X_AB,
                      ConvexWarmStart* warm_start) {
  const auto *torus_a = std::get_if<Torus>(&a), *torus_b = std::get_if<Torus>(&b);
  if (torus_a && torus_b) return touches_torus(*torus_a, *torus_b, X_AB);
  if (torus_a) return touches_torus(*torus_a, view_convex(b), X_AB);
  if (torus_b) return touches_torus(*torus_b, view_convex(a), X_AB.inverse());
  return touches_convex(view_convex(a), view_convex(b), X_AB, warm_start);
}

}  // namespace geste

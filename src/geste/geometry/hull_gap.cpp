#include "geste/geometry/internal/hull_gap.hpp"

#include "geste/core/overloaded.hpp"
#include "geste/geometry/internal/gjk.hpp"
#include "geste/geometry/internal/support.hpp"

namespace geste::internal {

const Torus* get_torus(const Collider& c) {
  return c.primitive() ? std::get_if<Torus>(c.primitive()) : nullptr;
}

const MeshTree* get_flat_surface(const Collider& c) {
  return c.mesh() || c.faces() ? c.surface() : nullptr;
}

ConvexShape view_convex(const PrimitiveShape& shape) {
  return std::visit(Overloaded{[](const HullShape& hull) { return ConvexShape(*hull); },
                               [](const Torus&) -> ConvexShape {
                                 throw std::logic_error("view_convex: a torus is not convex");
                               },
                               [](const auto& s) { return ConvexShape(s); }},
                    shape);
}

std::optional<ConvexShape> view_hull(const Collider& c) {
  if (c.primitive()) return view_convex(*c.primitive());
  return c.hull() ? std::optional<ConvexShape>(*c.hull()) : std::nullopt;
}

std::optional<HullGap> find_hull_gap(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                                     double enough) {
  const double radii = a.radius + b.radius;
  CoreDifference difference(a, b, X_AB);
  const CoreDistance core =
      compute_core_distance(difference, difference.centre(), {.above = enough + radii});
  if (core.do_meet) return std::nullopt;
  return HullGap{core.lower_bound - radii, -core.v.normalized()};
}

}  // namespace geste::internal

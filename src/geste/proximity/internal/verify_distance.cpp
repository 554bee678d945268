#include "geste/proximity/internal/verify_distance.hpp"

#include <algorithm>
#include <stdexcept>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/placed_box.hpp"

namespace geste::internal {
namespace {

bool holds_piece(const VerifyShape& outer, const VerifyShape& inner, const Pose& X_OI) {
  if (!outer.is_closed) return false;
  return std::any_of(inner.piece_points.begin(), inner.piece_points.end(), [&](const Vec3& p) {
    const Vec3 at = X_OI * p;
    return compute_gap(outer.box, {at, at}) <= 0 && outer.tree->winds_around(at);
  });
}

}  // namespace

ConvexShape view_primitive(const PrimitiveShape& shape) {
  return std::visit(Overloaded{[](const Torus&) -> ConvexShape {
                                 throw std::logic_error("view_primitive: a torus is not convex");
                               },
                               [](const HullShape& hull) { return ConvexShape(*hull); },
                               [](const auto& convex) { return ConvexShape(convex); }},
                    shape);
}

VerifyShape::VerifyShape(const Collider& collider, std::shared_ptr<const TriangleTree> mesh_tree)
    : primitive(collider.primitive()), tree(std::move(mesh_tree)), box(collider.box()) {
  if (primitive) tree = std::make_shared<const TriangleTree>(box);
  if (const MeshTree* mesh = collider.mesh()) {
    is_closed = mesh->is_closed();
    if (is_empty()) return;
    for (const std::uint32_t v : mesh->pieces()) piece_points.push_back(mesh->mesh().vertices[v]);
    centre = box.centre();
    for (const Vec3& v : mesh->mesh().vertices) radius = std::max(radius, (v - centre).norm());
  } else if (const auto* torus = std::get_if<Torus>(primitive)) {
    piece_points = {Vec3(torus->radius, 0, 0)};
    radius = torus->radius + torus->tube_radius;
  } else {
    const ConvexShape convex = view_primitive(*primitive);
    centre = convex.centre;
    radius = convex.extent + convex.radius;
    piece_points = {centre};
  }
}

double bound_gap(const VerifyShape& a, const VerifyShape& b, const Pose& X_AB) {
  const double balls = (X_AB * b.centre - a.centre).norm() - a.radius - b.radius;
  return std::max({balls, compute_gap(a.box, place_box(X_AB, b.box)),
                   compute_gap(place_box(X_AB.inverse(), a.box), b.box)});
}

bool lies_inside(const VerifyShape& a, const VerifyShape& b, const Pose& X_AB) {
  return holds_piece(a, b, X_AB) || holds_piece(b, a, X_AB.inverse());
}

}  // namespace geste::internal

#include "geste/geometry/mesh_primitive.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/convex_pair.hpp"
#include "geste/geometry/internal/core_depth.hpp"
#include "geste/geometry/internal/triangle_walk.hpp"
#include "geste/geometry/mesh_point.hpp"
#include "geste/geometry/torus_pair.hpp"

namespace geste {
namespace {

using namespace internal;

AxisBox compute_primitive_box(const PrimitiveShape& primitive) {
  return std::visit([](const auto& shape) { return compute_box(Shape(shape)); }, primitive);
}

/// The primitive against one triangle after the other.
class Walk {
 public:
  Walk(const MeshTree& mesh, const PrimitiveShape& primitive, const Pose& X_MP,
       QueryScratch& scratch)
      : mesh_(mesh),
        primitive_(primitive),
        X_MP_(X_MP),
        triangles_(mesh, compute_primitive_box(primitive), X_MP, scratch) {}

  bool find_touch() {
    return triangles_.find_meeting([&](std::uint32_t t) { return touches_triangle(t); });
  }

  /// The least separation from any triangle; what is deeper than contact is of no interest here.
  Separation find_nearest_triangle(double farthest) {
    Separation best;
    best.distance = std::numeric_limits<double>::infinity();
    triangles_.find_nearer(farthest, [&](std::uint32_t t) {
      const Separation s = separate_triangle(t);
      if (s.distance < best.distance) best = s;
      return best.distance > 0 ? std::min(best.distance, farthest) : -1.0;
    });
    return best;
  }

 private:
  [[nodiscard]] ConvexShape triangle(std::uint32_t t) const {
    const Triangle& v = mesh_.mesh().triangles[t];
    const auto& p = mesh_.mesh().vertices;
    return {p[v[0]], p[v[1]], p[v[2]]};
  }

  [[nodiscard]] bool touches_triangle(std::uint32_t t) const {
    return std::visit(
        Overloaded{
            [&](const Torus& torus) { return touches_torus(torus, triangle(t), X_MP_.inverse()); },
            [&](const HullShape& hull) {
              return touches_convex(triangle(t), ConvexShape(*hull), X_MP_);
            },
            [&](const auto& s) { return touches_convex(triangle(t), ConvexShape(s), X_MP_); }},
        primitive_);
  }

  [[nodiscard]] Separation separate_triangle(std::uint32_t t) const {
    return std::visit(
        Overloaded{[&](const Torus& torus) {
                     const Separation s =
                         compute_torus_separation(torus, triangle(t), X_MP_.inverse());
                     return swapped(s, X_MP_);
                   },
                   [&](const HullShape& hull) {
                     return compute_convex_separation(triangle(t), ConvexShape(*hull), X_MP_);
                   },
                   [&](const auto& s) {
                     return compute_convex_separation(triangle(t), ConvexShape(s), X_MP_);
                   }},
        primitive_);
  }

  const MeshTree& mesh_;
  const PrimitiveShape& primitive_;
  const Pose& X_MP_;
  TriangleWalk triangles_;
};

/// A point of the primitive.
Vec3 find_inner_point(const PrimitiveShape& primitive) {
  return std::visit(Overloaded{[](const Torus& t) { return Vec3(t.radius, 0, 0); },
                               [](const HullShape& h) { return h->centre; },
                               [](const auto&) { return Vec3(Vec3::Zero()); }},
                    primitive);
}

std::optional<RoundCore> find_core(const PrimitiveShape& primitive, const Pose& X_MP) {
  using Found = std::optional<RoundCore>;
  return std::visit(
      Overloaded{[&](const Sphere& s) {
                   return Found({RoundCore::Kind::point, X_MP, 0, s.radius});
                 },
                 [&](const Capsule& s) {
                   return Found({RoundCore::Kind::segment, X_MP, s.length / 2, s.radius});
                 },
                 [&](const Torus& s) {
                   return Found({RoundCore::Kind::circle, X_MP, s.radius, s.tube_radius});
                 },
                 [](const auto&) { return Found(); }},
      primitive);
}

}  // namespace

bool touches(const MeshTree& mesh, const PrimitiveShape& primitive, const Pose& X_MP,
             QueryScratch& scratch) {
  return Walk(mesh, primitive, X_MP, scratch).find_touch() ||
         (mesh.is_closed() && is_inside(mesh, X_MP * find_inner_point(primitive), scratch));
}

Separation find_nearest_triangle(const MeshTree& mesh, const PrimitiveShape& primitive,
                                 const Pose& X_MP, QueryScratch& scratch, double limit) {
  return Walk(mesh, primitive, X_MP, scratch).find_nearest_triangle(limit);
}

Separation compute_separation(const MeshTree& mesh, const PrimitiveShape& primitive,
                              const MeshTree* surface, const Pose& X_MP, QueryScratch& scratch,
                              const DepthOptions& options) {
  const bool in = mesh.is_closed() && is_inside(mesh, X_MP * find_inner_point(primitive), scratch);
  if (!in) {
    const Separation s = Walk(mesh, primitive, X_MP, scratch).find_nearest_triangle(options.limit);
    if (s.distance > 0) return s;
  }
  if (const auto core = find_core(primitive, X_MP))
    return compute_core_depth(mesh, *core, scratch, options);
  Separation s = compute_separation(mesh, *surface, X_MP, scratch, nullptr, options);
  // The triangles of a round primitive may be short of the contact that the solid has.
  s.distance = std::min(s.distance, 0.0);
  s.error += surface->mesh().deflection;
  return s;
}

}  // namespace geste

#include "geste/geometry/collider.hpp"

#include <stdexcept>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/internal/mesh_features.hpp"

namespace geste {
namespace {

/// The hull of a larger mesh takes long to make.
constexpr std::size_t kMostForHull = 200'000;
/// Segments per turn of cylinders and cones where their depth in a mesh is asked for.
constexpr int kSegments = 64;

std::shared_ptr<const ConvexHull> make_hull(const TriangleMesh& mesh) {
  if (mesh.triangles.empty() || mesh.triangles.size() > kMostForHull) return nullptr;
  std::vector<Vec3> corners;
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t v : t) corners.push_back(mesh.vertices[v]);
  }
  std::optional<ConvexHull> hull = make_convex_hull(corners);
  return hull ? std::make_shared<const ConvexHull>(std::move(*hull)) : nullptr;
}

std::shared_ptr<const MeshTree> make_tree(TriangleMesh mesh) {
  return std::make_shared<const MeshTree>(std::make_shared<const TriangleMesh>(std::move(mesh)));
}

}  // namespace

Collider::Collider(const Shape& shape) {
  std::visit(Overloaded{[&](const MeshShape& mesh) {
                          surface_ = std::make_shared<const MeshTree>(mesh);
                          box_ = surface_->box();
                          hull_ = make_hull(*mesh);
                        },
                        [&](const HullShape& hull) {
                          if (!hull) throw std::invalid_argument("Collider: there is no hull");
                          primitive_ = hull;
                          surface_ = make_tree(make_mesh(shape));
                          box_ = surface_->box();
                        },
                        [&](const auto& primitive) {
                          using Kind = std::decay_t<decltype(primitive)>;
                          primitive_ = primitive;
                          box_ = compute_box(shape);
                          if constexpr (!std::is_same_v<Kind, Sphere> &&
                                        !std::is_same_v<Kind, Capsule> &&
                                        !std::is_same_v<Kind, Torus>)
                            surface_ = make_tree(make_mesh(shape, kSegments));
                        }},
             shape);
  const bool is_polyhedron =
      std::holds_alternative<Box>(shape) || std::holds_alternative<HullShape>(shape);
  if (!mesh() && !is_polyhedron) return;
  const TriangleMesh& triangles = surface_->mesh();
  features_ =
      std::make_shared<const internal::MeshFeatures>(internal::make_mesh_features(triangles));
  if (is_polyhedron)
    faces_ = std::make_shared<const internal::FacePolygons>(
        internal::make_face_polygons(triangles, *features_));
}

}  // namespace geste

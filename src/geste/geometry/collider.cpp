#include "geste/geometry/collider.hpp"

#include <stdexcept>

#include "geste/core/overloaded.hpp"

namespace geste {
namespace {

/// Segments per turn of cylinders and cones where their depth in a mesh is asked for.
constexpr int kSegments = 64;

std::shared_ptr<const MeshTree> make_tree(TriangleMesh mesh) {
  return std::make_shared<const MeshTree>(std::make_shared<const TriangleMesh>(std::move(mesh)));
}

}  // namespace

Collider::Collider(const Shape& shape) {
  std::visit(Overloaded{[&](const MeshShape& mesh) {
                          surface_ = std::make_shared<const MeshTree>(mesh);
                          box_ = surface_->box();
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
}

}  // namespace geste

#pragma once

#include <memory>
#include <optional>

#include "geste/geometry/mesh_tree.hpp"
#include "geste/geometry/primitive_shape.hpp"

namespace geste {

namespace internal {
struct MeshFeatures;
struct FacePolygons;
}  // namespace internal

/// A shape ready for queries with any other: a primitive as it is, or a mesh with its tree. Made
/// once, never changed, shared by all threads; copies share what is large.
class Collider {
 public:
  /// A null mesh or hull throws std::invalid_argument.
  explicit Collider(const Shape& shape);

  [[nodiscard]] const AxisBox& box() const { return box_; }
  /// Null for the other kind.
  [[nodiscard]] const PrimitiveShape* primitive() const {
    return primitive_ ? &*primitive_ : nullptr;
  }
  [[nodiscard]] const MeshTree* mesh() const { return primitive_ ? nullptr : surface_.get(); }
  /// The mesh; or a primitive's surface as triangles, for its depth in meshes. Null for spheres,
  /// capsules and tori, whose depth goes by their core.
  [[nodiscard]] const MeshTree* surface() const { return surface_.get(); }

  /// What holds a mesh and is convex: who is apart from it is apart from the mesh. Null for meshes
  /// without inside, for large ones, and for primitives.
  [[nodiscard]] const ConvexHull* hull() const { return hull_.get(); }

  /// For contacts. Features of the triangles of meshes, boxes and hulls, faces of the latter two;
  /// null for others.
  [[nodiscard]] const internal::MeshFeatures* features() const { return features_.get(); }
  [[nodiscard]] const internal::FacePolygons* faces() const { return faces_.get(); }

 private:
  std::optional<PrimitiveShape> primitive_;
  std::shared_ptr<const MeshTree> surface_;
  std::shared_ptr<const ConvexHull> hull_;
  std::shared_ptr<const internal::MeshFeatures> features_;
  std::shared_ptr<const internal::FacePolygons> faces_;
  AxisBox box_;
};

}  // namespace geste

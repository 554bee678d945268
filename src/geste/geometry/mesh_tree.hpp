#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "geste/geometry/shape.hpp"

namespace geste {

namespace internal {
struct BoxTree;
}

/// A triangle mesh prepared for queries. Built once in O(n log n), never changed, shared by all
/// threads; about 100 bytes per triangle beside the mesh.
class MeshTree {
 public:
  /// An empty mesh is allowed: it is infinitely far from everything. Null, and coordinates that are
  /// not finite or above 1e9, and vertices that are not there throw std::invalid_argument.
  explicit MeshTree(MeshShape mesh);

  [[nodiscard]] const TriangleMesh& mesh() const { return *mesh_; }
  [[nodiscard]] const MeshShape& shared_mesh() const { return mesh_; }
  /// Whether every edge has two triangles that agree: then there is an inside.
  [[nodiscard]] bool is_closed() const { return is_closed_; }
  [[nodiscard]] const AxisBox& box() const { return box_; }
  /// One vertex of each connected piece.
  [[nodiscard]] const std::vector<std::uint32_t>& pieces() const { return pieces_; }
  /// Memory of the tree, without the mesh.
  [[nodiscard]] std::size_t bytes() const;

  [[nodiscard]] const internal::BoxTree& boxes() const { return *boxes_; }

 private:
  MeshShape mesh_;
  AxisBox box_;
  bool is_closed_ = false;
  std::vector<std::uint32_t> pieces_;
  std::shared_ptr<const internal::BoxTree> boxes_;
};

}  // namespace geste

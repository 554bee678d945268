#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "geste/geometry/collider.hpp"
#include "geste/geometry/convex_shape.hpp"
#include "geste/math/pose.hpp"

// Shapes and distances as the verifier sees them: in double, triangle by triangle. Nothing of the
// queries that planners use (geometry/mesh_pair, mesh_primitive).

namespace geste::internal {

using Corners = std::array<Vec3, 3>;

struct NearestPoints {
  double distance = 0;
  Vec3 on_a = Vec3::Zero();
  Vec3 on_b = Vec3::Zero();
};

/// Of two triangles; 0 where they share a point.
NearestPoints compute_triangle_distance(const Corners& a, const Corners& b);

/// Triangles under a binary tree of boxes, split at the median of the longest side.
class TriangleTree {
 public:
  struct Node {
    Vec3 centre = Vec3::Zero();
    Vec3 half = Vec3::Zero();
    int child = 0;  ///< of two that follow each other; 0: a leaf
    int begin = 0;  ///< triangles of a leaf
    int end = 0;
  };

  struct TriangleBall {
    Vec3 centre;
    double radius;
  };

  explicit TriangleTree(const TriangleMesh& mesh);
  /// A tree of one leaf without triangles: the box of a primitive.
  explicit TriangleTree(const AxisBox& box);

  /// The root is the first; none without triangles.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const Corners& triangle(int i) const {
    return triangles_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] const TriangleBall& ball(int i) const {
    return balls_[static_cast<std::size_t>(i)];
  }
  /// Unit; zero where there is hardly any area.
  [[nodiscard]] const Vec3& normal(int i) const { return normals_[static_cast<std::size_t>(i)]; }
  /// Whether the surface winds around the point: by solid angles, over all triangles. Only for
  /// closed ones.
  [[nodiscard]] bool winds_around(const Vec3& p) const;

 private:
  void split(std::size_t node);

  std::vector<Corners> triangles_;
  std::vector<TriangleBall> balls_;
  std::vector<Vec3> normals_;
  std::vector<Node> nodes_;
};

/// A shape of a collision model as the verifier sees it; the collider must outlive it.
struct VerifyShape {
  /// A mesh comes with its tree.
  VerifyShape(const Collider& collider, std::shared_ptr<const TriangleTree> mesh_tree);

  const PrimitiveShape* primitive = nullptr;  ///< null: a mesh
  /// Of a mesh, which several objects may share; of a primitive a single leaf, its box.
  std::shared_ptr<const TriangleTree> tree;
  bool is_closed = false;          ///< a mesh with an inside
  std::vector<Vec3> piece_points;  ///< one of each connected piece
  AxisBox box;
  Vec3 centre = Vec3::Zero();  ///< of a ball around it
  double radius = 0;

  [[nodiscard]] bool is_empty() const { return tree->nodes().empty(); }
};

/// A bound from balls and boxes; 0 or less where they meet.
double bound_gap(const VerifyShape& a, const VerifyShape& b, const Pose& X_AB);

/// Whether a piece of one lies inside the other's closed surface, where the surfaces do not touch.
bool lies_inside(const VerifyShape& a, const VerifyShape& b, const Pose& X_AB);

/// Every primitive but the torus.
ConvexShape view_primitive(const PrimitiveShape& shape);

}  // namespace geste::internal

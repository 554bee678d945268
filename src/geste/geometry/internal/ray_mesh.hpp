#pragma once

#include <span>

#include "geste/geometry/internal/embree.hpp"
#include "geste/geometry/mesh.hpp"

namespace geste::internal {

/// What one ray found in a mesh: the least t, of equal ones the lowest triangle.
struct MeshHit {
  double t = std::numeric_limits<double>::infinity();
  std::uint32_t triangle = kNoIndex;
};

/// Triangles prepared for rays: built once, never changed, shared by all that show the same mesh.
///
/// Embree walks the tree; each triangle it offers is tested in double after S. Woop, C. Benthin,
/// I. Wald, "Watertight ray/triangle intersection", JCGT 2(1), 2013: corners are sheared into the
/// plane across the ray, once and alike for all triangles of a corner, and sides are told by the
/// sign of a difference of two products, which rounding can make 0 but never turn. Zero counts as
/// inside, so no ray slips through an edge or a corner. A triangle seen edge on, or without area,
/// is not hit; its neighbours are.
class RayMesh {
 public:
  /// `owner` keeps the vertices and triangles alive. Throws std::invalid_argument for coordinates
  /// that are not finite or above `limit`.
  RayMesh(RayDevice device, std::span<const Vec3> vertices, std::span<const Triangle> triangles,
          std::shared_ptr<const void> owner, double limit);

  RayMesh(const RayMesh&) = delete;
  RayMesh& operator=(const RayMesh&) = delete;

  [[nodiscard]] const AxisBox& box() const { return box_; }
  [[nodiscard]] MeshHit find_hit(const LocalRay& ray) const;
  [[nodiscard]] Vec3 compute_normal(std::uint32_t triangle) const;

 private:
  struct Query;
  /// Whether the triangle is the query's new hit.
  bool meet(std::uint32_t triangle, Query& query) const;
  static void find_nearest(const RTCIntersectFunctionNArguments* call);
  static void find_any(const RTCOccludedFunctionNArguments* call);
  static void bound(const RTCBoundsFunctionArguments* call);

  std::span<const Vec3> vertices_;
  std::span<const Triangle> triangles_;
  std::shared_ptr<const void> owner_;
  AxisBox box_;
  FloatFrame frame_;
  RayDevice device_;
  SceneHandle scene_;
};

}  // namespace geste::internal

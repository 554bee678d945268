#pragma once

#include "geste/geometry/collider.hpp"
#include "geste/geometry/internal/mesh_features.hpp"
#include "geste/geometry/mesh_pair.hpp"

namespace geste::internal {

/// How a point, an edge or a direction lies to a mesh and its features. All in the mesh's frame.
class SurfaceProbe {
 public:
  SurfaceProbe(const Collider& mesh, double margin, QueryScratch& scratch);

  /// What of the mesh a point is near to, or in.
  struct Hit {
    std::uint32_t name = 0;       ///< of the feature
    Vec3 on = Vec3::Zero();       ///< nearest point
    Vec3 normal = Vec3::UnitZ();  ///< unit, out of the mesh
    double depth = 0;             ///< negative outside
    bool is_face = false;
  };

  enum class Side { far, near, behind };
  /// `near` where the point is above the triangle by less than the margin, in the Voronoi region of
  /// the hit's feature; `behind` where it is below the triangle's plane and may be inside.
  Side look(const Vec3& p, std::uint32_t triangle, Hit& hit) const;

  /// Calls take(hit) for each facet that the point is to be taken out of; none where it is outside.
  template <class Take>
  bool sound(const Vec3& p, const Take& take) const;

  /// Whether the corner looks along d: a facet of it does within 60 degrees, or d is in its cone;
  /// `strictly`: in its cone.
  [[nodiscard]] bool faces(std::uint32_t corner, const Vec3& d, bool strictly) const;
  /// Whether d lies between the facets of the edge.
  [[nodiscard]] bool is_between(std::uint32_t half_edge, const Vec3& d, double slack) const;
  /// Whether the point is inside and leaves soonest by a facet of the edge, or is no farther from
  /// the surface than `slack`.
  [[nodiscard]] bool leaves_by(std::uint32_t half_edge, const Vec3& p, double slack) const;

  [[nodiscard]] const Vec3& at(std::uint32_t half_edge) const {
    return mesh_.vertices[mesh_.triangles[half_edge / 3][half_edge % 3]];
  }
  [[nodiscard]] Vec3 get_end(std::uint32_t half_edge) const { return at(next(half_edge)); }
  [[nodiscard]] std::uint32_t get_corner(std::uint32_t half_edge) const {
    return features_.corner[mesh_.triangles[half_edge / 3][half_edge % 3]];
  }
  static std::uint32_t next(std::uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
  /// Edges that can touch, each by one of its half-edges.
  [[nodiscard]] bool is_exposed(std::uint32_t half_edge) const {
    const EdgeKind kind = features_.edge_kind[half_edge];
    return kind == EdgeKind::rim ||
           (kind == EdgeKind::convex && half_edge < features_.twin[half_edge]);
  }
  [[nodiscard]] const MeshFeatures& features() const { return features_; }
  [[nodiscard]] bool is_closed() const { return tree_.is_closed(); }
  [[nodiscard]] const TriangleMesh& mesh() const { return mesh_; }
  /// Lengths below this do not matter.
  [[nodiscard]] double flush() const { return flush_; }

 private:
  struct Sounding {
    bool is_inside = false;
    std::uint32_t count = 0;
    std::uint32_t triangles[8];
    Vec3 nearest = Vec3::Zero();
  };
  [[nodiscard]] Sounding find_exits(const Vec3& p) const;
  void add_exit(const Vec3& p, std::uint32_t triangle, Sounding& s) const;
  [[nodiscard]] bool look_at_edge(std::uint32_t half_edge, const Vec3& d, Hit& hit) const;
  [[nodiscard]] bool look_at_vertex(std::uint32_t half_edge, const Vec3& d, Hit& hit) const;

  const MeshTree& tree_;
  const TriangleMesh& mesh_;
  const MeshFeatures& features_;
  double margin_;
  double flush_;
  QueryScratch& scratch_;
};

/// SurfaceProbe::faces for any mesh with features.
bool does_face(const TriangleMesh& mesh, const MeshFeatures& features, bool is_closed,
               std::uint32_t corner, const Vec3& d, bool strictly);

template <class Take>
bool SurfaceProbe::sound(const Vec3& p, const Take& take) const {
  const Sounding s = find_exits(p);
  if (!s.is_inside) return false;
  for (std::uint32_t i = 0; i < s.count; ++i) {
    const Vec3& n = features_.normal[s.triangles[i]];
    const double depth = n.dot(s.nearest - p);
    take(Hit{features_.facet[s.triangles[i]] | 0x80000000u, p + depth * n, n, depth, true});
  }
  return true;
}

}  // namespace geste::internal

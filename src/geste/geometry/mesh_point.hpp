#pragma once

#include "geste/geometry/mesh_pair.hpp"

namespace geste {

/// Nearest point of a surface.
struct NearestPoint {
  double distance = std::numeric_limits<double>::infinity();
  Vec3 point = Vec3::Zero();
  std::uint32_t triangle = TrianglePair::kNone;
};

/// Nothing nearer than `limit`: the distance stays infinite. `hint`: a triangle that may be near.
NearestPoint find_nearest(const MeshTree& mesh, const Vec3& p, QueryScratch& scratch,
                          std::uint32_t hint = TrianglePair::kNone,
                          double limit = std::numeric_limits<double>::infinity());

/// How often the surface winds around the point: 0 outside, 1 inside; of overlapping solids their
/// number, of a cavity 0. Exact for closed meshes away from the surface by more than rounding;
/// meaningless for others (MeshTree::is_closed). Counts the crossings of a ray, each edge belonging
/// to exactly one of its triangles, so that no ray slips through.
int compute_winding(const MeshTree& mesh, const Vec3& p, QueryScratch& scratch);

inline bool is_inside(const MeshTree& mesh, const Vec3& p, QueryScratch& scratch) {
  return compute_winding(mesh, p, scratch) > 0;
}

}  // namespace geste

#include <bit>

#include "geste/geometry/internal/box_lanes.hpp"
#include "geste/geometry/mesh_point.hpp"

namespace geste {
namespace {

using namespace internal;

/// On which side of the line from a to b the point lies, seen along x: 1 or -1, never 0. A point on
/// the line is taken a little farther in y, and much less in z, the same for every edge, so that it
/// lies on one side (H. Edelsbrunner, E. Muecke, "Simulation of simplicity", 1990). Edges are taken
/// from the vertex of lower number: neighbours round alike.
int find_side(const TriangleMesh& mesh, std::uint32_t a, std::uint32_t b, const Vec3& p) {
  const int turned = a < b ? 1 : -1;
  const Vec3& from = mesh.vertices[std::min(a, b)];
  const Vec3& to = mesh.vertices[std::max(a, b)];
  const double dy = to.y() - from.y(), dz = to.z() - from.z();
  double side = dy * (p.z() - from.z()) - dz * (p.y() - from.y());
  if (side == 0) side = -dz;
  if (side == 0) side = dy;
  return side < 0 ? -turned : turned;
}

/// What the triangle adds: 1 where the ray from p along x leaves through it, -1 where it enters.
int count_crossing(const TriangleMesh& mesh, const Triangle& t, const Vec3& p) {
  const int side = find_side(mesh, t[0], t[1], p);
  if (find_side(mesh, t[1], t[2], p) != side || find_side(mesh, t[2], t[0], p) != side) return 0;
  const Vec3& a = mesh.vertices[t[0]];
  const Vec3 n = (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a);
  // The plane lies ahead when its normal sees the corner and the ray on the same side.
  return n.dot(a - p) * side > 0 ? side : 0;
}

}  // namespace

int compute_winding(const MeshTree& mesh, const Vec3& p, QueryScratch& scratch) {
  const AxisBox& box = mesh.box();
  if (!((p.array() >= box.min.array()).all() && (p.array() <= box.max.array()).all())) return 0;
  const BoxTree& tree = mesh.boxes();
  const float from[3] = {static_cast<float>(p.x()), static_cast<float>(p.y()),
                         static_cast<float>(p.z())};
  const float length = static_cast<float>(box.max.x() - p.x()) + 1e-6f * tree.scale;
  int winding = 0;
  auto& open = scratch.entries;
  open.clear();
  open.push_back({0, 0, 0, 0, 0});
  while (!open.empty()) {
    const std::uint32_t ref = open.back().node_a;
    open.pop_back();
    if (ref & kLeafBit) {
      const TriangleLeaf& leaf = tree.leaves[ref & ~kLeafBit];
      for (std::uint32_t k = 0; k < leaf.count; ++k)
        winding += count_crossing(mesh.mesh(), mesh.mesh().triangles[leaf.triangle[k]], p);
      continue;
    }
    const BoxNode& n = tree.nodes[ref];
    for (unsigned hit = find_hit(from, length, n); hit != 0; hit &= hit - 1)
      open.push_back({0, n.child[std::countr_zero(hit)], 0, 0, 0});
  }
  return winding;
}

}  // namespace geste

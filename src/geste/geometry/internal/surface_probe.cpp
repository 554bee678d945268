#include "geste/geometry/internal/surface_probe.hpp"

#include <cmath>

#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/internal/support_feature.hpp"
#include "geste/geometry/internal/triangle_pair.hpp"
#include "geste/geometry/mesh_point.hpp"

namespace geste::internal {
namespace {

constexpr double kFlush = 1e-6;   // of the mesh's largest coordinate
constexpr double kStrict = 0.02;  // sine; a cone's own width of rounding and tessellation
constexpr double kFacing = 0.5;   // cosine

double compute_scale(const AxisBox& box) {
  return std::max(box.min.cwiseAbs().maxCoeff(), box.max.cwiseAbs().maxCoeff());
}

/// Whether the point is farther than the margin from the triangle's box.
bool is_beyond(const Vec3& p, const Triangle3& t, double margin) {
  const Vec3 low = t.p[0].cwiseMin(t.p[1]).cwiseMin(t.p[2]);
  const Vec3 high = t.p[0].cwiseMax(t.p[1]).cwiseMax(t.p[2]);
  return ((p - high).array() > margin).any() || ((low - p).array() > margin).any();
}

}  // namespace

SurfaceProbe::SurfaceProbe(const Collider& mesh, double margin, QueryScratch& scratch)
    : tree_(*mesh.mesh()),
      mesh_(tree_.mesh()),
      features_(*mesh.features()),
      margin_(margin),
      flush_(mesh_.vertices.empty() ? 0 : kFlush * compute_scale(tree_.box())),
      scratch_(scratch) {}

SurfaceProbe::Side SurfaceProbe::look(const Vec3& p, std::uint32_t t, Hit& hit) const {
  const Vec3& n = features_.normal[t];
  if (n.isZero(0)) return Side::far;
  const Triangle3 c = get_corners(mesh_, t);
  const double height = n.dot(p - c.p[0]);
  if (height < 0) return Side::behind;
  if (height >= margin_ || is_beyond(p, c, margin_)) return Side::far;
  const Vec3 foot = compute_closest_on_triangle(p, c.p[0], c.p[1], c.p[2]);
  const Vec3 away = p - foot;
  const double distance = away.norm();
  if (distance >= margin_) return Side::far;
  // Over the triangle, or over its rim as far as anybody can tell.
  if ((away - height * n).norm() <= flush_) {
    hit = {name_face(features_.facet[t]), p - height * n, n, -height, true};
    return Side::near;
  }
  hit.on = foot;
  hit.normal = away / distance;
  hit.depth = -distance;
  hit.is_face = false;
  for (std::uint32_t k = 0; k < 3; ++k) {
    if ((foot - c.p[k]).norm() <= flush_)
      return look_at_vertex(3 * t + k, hit.normal, hit) ? Side::near : Side::far;
  }
  for (std::uint32_t k = 0; k < 3; ++k) {
    const Vec3 e = c.p[(k + 1) % 3] - c.p[k];
    if (e.cross(foot - c.p[k]).norm() <= flush_ * e.norm())
      return look_at_edge(3 * t + k, hit.normal, hit) ? Side::near : Side::far;
  }
  return Side::far;
}

bool SurfaceProbe::look_at_edge(std::uint32_t h, const Vec3& d, Hit& hit) const {
  const EdgeKind kind = features_.edge_kind[h];
  if (kind != EdgeKind::convex && kind != EdgeKind::rim) return false;
  hit.name = name_edge(features_.edge[h]);
  return is_between(h, d, 1e-6);
}

bool SurfaceProbe::look_at_vertex(std::uint32_t h, const Vec3& d, Hit& hit) const {
  const std::uint32_t v = get_corner(h);
  if (features_.is_corner[v]) {
    hit.name = name_vertex(v);
    return faces(v, d, true);
  }
  // A straight edge goes on through here.
  const std::uint32_t before = next(next(h));
  return look_at_edge(h, d, hit) || look_at_edge(before, d, hit);
}

void SurfaceProbe::add_exit(const Vec3& p, std::uint32_t t, Sounding& s) const {
  const Vec3& n = features_.normal[t];
  if (s.count == std::size(s.triangles) || n.isZero(0) || n.dot(s.nearest - p) < -flush_) return;
  for (std::uint32_t i = 0; i < s.count; ++i) {
    if (features_.facet[s.triangles[i]] == features_.facet[t]) return;
  }
  s.triangles[s.count++] = t;
}

SurfaceProbe::Sounding SurfaceProbe::find_exits(const Vec3& p) const {
  Sounding s;
  const double limit = tree_.is_closed() ? std::numeric_limits<double>::infinity() : margin_;
  const NearestPoint near = find_nearest(tree_, p, scratch_, TrianglePair::kNone, limit);
  if (near.triangle == TrianglePair::kNone) return s;
  s.nearest = near.point;
  add_exit(p, near.triangle, s);
  bool is_at_edge = false;
  for (std::uint32_t h = 3 * near.triangle; h < 3 * near.triangle + 3; ++h) {
    const Vec3 e = get_end(h) - at(h);
    if ((near.point - at(h)).norm() <= flush_) {
      is_at_edge = true;
      for (const std::uint32_t t : features_.get_around(get_corner(h))) {
        for (std::uint32_t g = 3 * t; g < 3 * t + 3; ++g) {
          if (features_.edge_kind[g] == EdgeKind::concave) add_exit(p, t, s);
        }
      }
    } else if (e.cross(near.point - at(h)).norm() <= flush_ * e.norm()) {
      is_at_edge |= features_.edge_kind[h] != EdgeKind::flat;
      if (features_.edge_kind[h] == EdgeKind::concave) add_exit(p, features_.twin[h] / 3, s);
    }
  }
  const Vec3& n = features_.normal[near.triangle];
  const double depth = n.dot(near.point - p);
  if (is_at_edge && near.distance > flush_) {
    // Behind an open surface: below its facet, or below both facets of a concave edge.
    s.is_inside = tree_.is_closed() ? is_inside(tree_, p, scratch_)
                                    : s.count > 1 || depth > (1 - kStrict) * near.distance;
  } else {
    s.is_inside = depth >= 0;
  }
  return s;
}

bool SurfaceProbe::leaves_by(std::uint32_t h, const Vec3& p, double slack) const {
  const Sounding s = find_exits(p);
  if (!s.is_inside) {
    return find_nearest(tree_, p, scratch_, TrianglePair::kNone, slack).triangle !=
           TrianglePair::kNone;
  }
  double soonest = features_.normal[h / 3].dot(at(h) - p);
  const std::uint32_t other = features_.twin[h];
  if (other != MeshFeatures::kNone)
    soonest = std::min(soonest, features_.normal[other / 3].dot(at(h) - p));
  return soonest <= (s.nearest - p).norm() + slack;
}

bool SurfaceProbe::faces(std::uint32_t corner, const Vec3& d, bool strictly) const {
  return does_face(mesh_, features_, tree_.is_closed(), corner, d, strictly);
}

bool does_face(const TriangleMesh& mesh, const MeshFeatures& features, bool is_closed,
               std::uint32_t corner, const Vec3& d, bool strictly) {
  bool is_in_cone = true;
  for (const std::uint32_t t : features.get_around(corner)) {
    const double along = features.normal[t].dot(d);
    if (!strictly && (is_closed ? along : std::abs(along)) >= kFacing) return true;
    for (std::size_t k = 0; k < 3 && is_in_cone; ++k) {
      const Vec3 e = mesh.vertices[mesh.triangles[t][k]] - mesh.vertices[corner];
      is_in_cone = e.dot(d) <= kStrict * e.norm();
    }
  }
  return is_in_cone;
}

bool SurfaceProbe::is_between(std::uint32_t h, const Vec3& d, double slack) const {
  const Vec3 along = (get_end(h) - at(h)).normalized();
  const Vec3 inward = features_.normal[h / 3].cross(along);
  if (d.dot(inward) > slack) return false;
  const std::uint32_t other = features_.twin[h];
  if (other == MeshFeatures::kNone) return true;
  // The twin runs the other way.
  return d.dot(along.cross(features_.normal[other / 3])) <= slack;
}

}  // namespace geste::internal

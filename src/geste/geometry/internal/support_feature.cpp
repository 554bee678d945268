#include "geste/geometry/internal/support_feature.hpp"

#include <cmath>
#include <numbers>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/internal/mesh_features.hpp"

namespace geste::internal {
namespace {

/// A face seen at a flatter angle than this (cosine) is not what is touched.
constexpr double kShown = 0.3;

Vec3 find_outward(const Vec3& d) {
  const double rho = std::hypot(d.x(), d.y());
  return rho > 1e-12 ? Vec3(d.x() / rho, d.y() / rho, 0) : Vec3(Vec3::UnitX());
}

void add_point(SupportFeature& out, const Vec3& p, std::uint32_t vertex, std::uint32_t edge = 0) {
  out.corners.push_back({p, name_vertex(vertex), name_edge(edge)});
}

/// Points on a circle, fixed to the shape, and the farthest along d where it is farther than they
/// are by more than the slack. Counter-clockwise about z.
void add_ring(SupportFeature& out, int count, double radius, double z, const Vec3& d, double slack,
              std::uint32_t first) {
  const double step = 2 * std::numbers::pi / count;
  const double rho = std::hypot(d.x(), d.y());
  const bool has_extreme = radius * rho * (1 - std::cos(step / 2)) > slack + 1e-9 * radius;
  double azimuth = std::atan2(d.y(), d.x());
  if (azimuth < 0) azimuth += 2 * std::numbers::pi;
  for (int k = 0; k < count; ++k) {
    const auto name = first + static_cast<std::uint32_t>(k);
    add_point(out, {radius * std::cos(k * step), radius * std::sin(k * step), z}, name, name);
    const double past = azimuth - k * step;
    if (has_extreme && past > 1e-3 * step && past < 0.999 * step)
      add_point(out, {radius * std::cos(azimuth), radius * std::sin(azimuth), z}, kMoving + first,
                name);
  }
}

void show_cap(SupportFeature& out, double radius, double z, const Vec3& d, double slack) {
  constexpr int kPoints = 16;
  add_ring(out, kPoints, radius, z, d, slack, z > 0 ? 0 : 0x20);
  out.normal = Vec3(0, 0, z > 0 ? 1 : -1);
  out.face = name_face(z > 0 ? kTopFace : kBottomFace);
  if (z > 0) return;
  // Seen from below the ring runs the other way; an edge is named by the corner it leaves.
  std::reverse(out.corners.begin(), out.corners.end());
  const std::uint32_t last = out.corners.front().edge;
  for (std::size_t i = 0; i + 1 < out.corners.size(); ++i)
    out.corners[i].edge = out.corners[i + 1].edge;
  out.corners.back().edge = last;
}

void show(const Sphere& s, const Vec3& d, double, SupportFeature& out) {
  add_point(out, s.radius * d, 0);
  out.face = name_face(kSideFace);
}

void show(const Capsule& s, const Vec3& d, double, SupportFeature& out) {
  const Vec3 end(0, 0, s.length / 2);
  out.face = name_face(kSideFace);
  const bool is_end = std::abs(d.z()) > 0.7 || s.length == 0;
  if (!is_end || d.z() <= 0) add_point(out, s.radius * d - end, 0, 0);
  if (!is_end || d.z() > 0) add_point(out, s.radius * d + end, 1, 0);
}

void show(const Cylinder& s, const Vec3& d, double slack, SupportFeature& out) {
  const double z = s.length / 2;
  if (std::abs(d.z()) > 0.7) return show_cap(out, s.radius, std::copysign(z, d.z()), d, slack);
  const Vec3 side = s.radius * find_outward(d);
  add_point(out, side - Vec3(0, 0, z), kMoving + 0x20, kMoving);
  add_point(out, side + Vec3(0, 0, z), kMoving, kMoving);
  out.face = name_face(kSideFace);
}

void show(const Cone& s, const Vec3& d, double slack, SupportFeature& out) {
  const double z = s.length / 2;
  const Vec3 outward = find_outward(d);
  const Vec3 side_normal = (s.length * outward + Vec3(0, 0, s.radius)).normalized();
  if (-d.z() > std::max(0.5, d.dot(side_normal))) return show_cap(out, s.radius, -z, d, slack);
  out.face = name_face(kSideFace);
  if (d.dot(side_normal) < kShown) {
    if (d.z() > 0) return add_point(out, {0, 0, z}, kTopFace);
    return show_cap(out, s.radius, -z, d, slack);
  }
  add_point(out, s.radius * outward - Vec3(0, 0, z), kMoving + 0x20, kMoving);
  add_point(out, {0, 0, z}, kTopFace, kMoving);
}

void show(const Torus& s, const Vec3& d, double slack, SupportFeature& out) {
  constexpr int kPoints = 32;
  add_ring(out, kPoints, s.radius, 0, d, slack, 0);
  for (auto& corner : out.corners) corner.p += s.tube_radius * d;
  out.normal = d;
  out.face = name_face(kSideFace);
}

/// The face around a vertex that holds most of what is as far as it is, and is most across d.
std::uint32_t find_shown_face(const Collider& shape, std::uint32_t farthest, const Vec3& d,
                              double slack) {
  const MeshFeatures& features = *shape.features();
  const FacePolygons& faces = *shape.faces();
  const auto& vertices = shape.surface()->mesh().vertices;
  const double far_enough = d.dot(vertices[farthest]) - slack;
  std::uint32_t best = MeshFeatures::kNone;
  int most = 0;
  double most_across = 0;
  for (const std::uint32_t t : features.get_around(features.corner[farthest])) {
    const std::uint32_t face = faces.face_of[t];
    if (face == MeshFeatures::kNone || face == best) continue;
    const double across = d.dot(faces.normal[face]);
    if (across < kShown) continue;
    int held = 0;
    for (std::uint32_t i = faces.begin[face]; i < faces.begin[face + 1]; ++i)
      held += d.dot(vertices[faces.vertex[i]]) >= far_enough;
    if (held < most || (held == most && across <= most_across)) continue;
    best = face, most = held, most_across = across;
  }
  return best;
}

/// Boxes and hulls, by their triangles.
void show_polyhedron(const Collider& shape, std::uint32_t farthest, const Vec3& d, double slack,
                     SupportFeature& out) {
  const FacePolygons& faces = *shape.faces();
  const auto& vertices = shape.surface()->mesh().vertices;
  const std::uint32_t best = find_shown_face(shape, farthest, d, slack);
  if (best == MeshFeatures::kNone || faces.begin[best + 1] - faces.begin[best] < 3) {
    add_point(out, vertices[farthest], farthest);
    out.face = name_vertex(farthest);
    return;
  }
  for (std::uint32_t i = faces.begin[best]; i < faces.begin[best + 1]; ++i)
    add_point(out, vertices[faces.vertex[i]], faces.vertex[i], faces.edge[i]);
  out.normal = faces.normal[best];
  out.face = name_face(faces.facet[best]);
}

}  // namespace

void compute_support_feature(const Collider& shape, const Vec3& d, double slack,
                             SupportFeature& out) {
  out.corners.clear();
  std::visit(Overloaded{[&](const Box&) {
                          const std::uint32_t farthest =
                              (d.x() > 0 ? 1u : 0u) | (d.y() > 0 ? 2u : 0u) | (d.z() > 0 ? 4u : 0u);
                          show_polyhedron(shape, farthest, d, slack, out);
                        },
                        [&](const HullShape& hull) {
                          show_polyhedron(shape, find_farthest_vertex(*hull, d), d, slack, out);
                        },
                        [&](const auto& s) { show(s, d, slack, out); }},
             *shape.primitive());
}

void transform(const Pose& X, SupportFeature& feature) {
  for (auto& corner : feature.corners) corner.p = X * corner.p;
  feature.normal = X.R * feature.normal;
}

}  // namespace geste::internal

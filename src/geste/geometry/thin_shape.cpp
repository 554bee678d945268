#include "geste/geometry/thin_shape.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/point_welder.hpp"
#include "geste/geometry/ray_scene.hpp"

namespace geste {
namespace {

using MaybeThin = std::optional<ThinShape>;

/// Vertices at one place move together, whatever triangles they belong to.
std::vector<std::uint32_t> number_places(const std::vector<Vec3>& vertices) {
  std::vector<std::uint32_t> numbers(vertices.size());
  PointWelder(vertices.size()).add(vertices, numbers);
  return numbers;
}

/// What the faces around a place ask of it: n . d = -by for each normal n, weighted by its angle
/// there, so that how a flat face is cut into triangles does not matter.
struct Wishes {
  Mat3 A = Mat3::Zero();
  Vec3 b = Vec3::Zero();

  void add(const Vec3& normal, double angle) {
    A += angle * normal * normal.transpose();
    b += angle * normal;
  }

  /// The least motion that fulfils them best, for by = 1.
  [[nodiscard]] Vec3 solve() const {
    // Along directions that no face asks for nothing moves.
    constexpr double kRidge = 1e-6;
    const double scale = A.trace();
    if (!(scale > 0)) return Vec3::Zero();
    const Vec3 d = -(A + kRidge * scale * Mat3::Identity()).ldlt().solve(b);
    return d * std::min(1.0, kThinReach / std::max(d.norm(), 1e-300));
  }
};

/// Where vertices go whose faces move by `by` of theirs.
std::vector<Vec3> move_inwards(const std::vector<Vec3>& vertices,
                               const std::vector<Triangle>& triangles,
                               const std::function<double(std::size_t)>& by) {
  const std::vector<std::uint32_t> places = number_places(vertices);
  std::vector<Wishes> wishes(vertices.size());
  std::vector<double> least(vertices.size(), kInfinity);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Triangle& t = triangles[i];
    const Vec3 corners[] = {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
    const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    const double twice_area = normal.norm();
    if (!(twice_area > 0)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 u = corners[(k + 1) % 3] - corners[k], v = corners[(k + 2) % 3] - corners[k];
      wishes[places[t[k]]].add(normal / twice_area, std::atan2(twice_area, u.dot(v)));
      least[places[t[k]]] = std::min(least[places[t[k]]], by(i));
    }
  }
  std::vector<Vec3> moved = vertices;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    if (least[places[i]] < kInfinity) moved[i] += least[places[i]] * wishes[places[i]].solve();
  }
  return moved;
}

/// By triangle: how far the other side is from its middle, straight inwards; 0 where there is none.
std::vector<double> measure_thickness(const MeshShape& mesh) {
  std::vector<double> thickness(mesh->triangles.size(), 0);
  const AxisBox box = compute_box(*mesh);
  const double extent = box.size().norm();
  // Beyond what rays are good for it is left as thick as it is.
  if (!(box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).maxCoeff() + extent < RayScene::kLargest))
    return thickness;
  const PlacedShape placed{mesh, Pose()};
  const RayScene rays({&placed, 1});
  // What a triangle's neighbours do as near as that is no other side.
  const double near = 1e-3 * extent;
  for (std::size_t i = 0; i < thickness.size(); ++i) {
    const auto& [a, b, c] = mesh->triangles[i];
    const Vec3 &p = mesh->vertices[a], &q = mesh->vertices[b], &r = mesh->vertices[c];
    const Vec3 normal = (q - p).cross(r - p);
    if (!(normal.norm() > 0)) continue;
    const Vec3 inwards = -normal.normalized(), from = (p + q + r) / 3 + near * inwards;
    const auto hit = find_first_hit(rays, from, from + extent * inwards);
    if (hit && hit->normal.dot(inwards) > 0) thickness[i] = near + hit->distance;
  }
  return thickness;
}

/// Half of the surface is thicker than that, of what has another side.
double find_median(const TriangleMesh& mesh, const std::vector<double>& thickness) {
  std::vector<std::pair<double, double>> areas;
  double whole = 0;
  for (std::size_t i = 0; i < thickness.size(); ++i) {
    if (thickness[i] == 0) continue;
    const auto& [a, b, c] = mesh.triangles[i];
    const Vec3 &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
    areas.emplace_back(thickness[i], (q - p).cross(r - p).norm());
    whole += areas.back().second;
  }
  std::sort(areas.begin(), areas.end());
  double sum = 0;
  for (const auto& [thick, area] : areas)
    if ((sum += area) >= whole / 2) return thick;
  return 0;
}

std::vector<Vec3> slim_vertices(const MeshShape& mesh, double share) {
  const std::vector<double> thickness = measure_thickness(mesh);
  const double median = find_median(*mesh, thickness);
  return move_inwards(mesh->vertices, mesh->triangles,
                      [&](std::size_t i) { return share / 2 * std::min(thickness[i], median); });
}

/// The diameter of the largest ball in it.
double find_thickness(const Cone& s) {
  return 2 * s.radius * s.length / (s.radius + std::hypot(s.radius, s.length));
}
double find_thickness(const Sphere& s) { return 2 * s.radius; }
double find_thickness(const Capsule& s) { return 2 * s.radius; }
double find_thickness(const Box& s) { return s.size.minCoeff(); }
double find_thickness(const Cylinder& s) { return std::min(2 * s.radius, s.length); }
double find_thickness(const Torus& s) { return 2 * s.tube_radius; }

MaybeThin keep(bool is_left, Shape shape, double shift = 0) {
  if (!is_left) return std::nullopt;
  return ThinShape{std::move(shape), Pose::translation(0, 0, shift)};
}

/// Smaller about the centre of the largest ball in it, from which all faces are equally far.
MaybeThin thin_cone(const Cone& cone, double by) {
  const double scale = 1 - 2 * by / find_thickness(cone);
  return keep(scale > 0, Cone{scale * cone.radius, scale * cone.length},
              by - (1 - scale) * cone.length / 2);
}

MaybeThin make_hull(const std::vector<Vec3>& vertices) {
  std::optional<ConvexHull> hull = make_convex_hull(vertices);
  if (!hull) return std::nullopt;
  return ThinShape{std::make_shared<const ConvexHull>(std::move(*hull)), Pose()};
}

MaybeThin thin_hull(const ConvexHull& hull, double by) {
  return make_hull(move_inwards(hull.vertices, hull.faces, [&](std::size_t) { return by; }));
}

MaybeThin slim_hull(const ConvexHull& hull, double share) {
  const auto mesh = std::make_shared<const TriangleMesh>(TriangleMesh{hull.vertices, hull.faces});
  return make_hull(slim_vertices(mesh, share));
}

/// The same triangles between other vertices.
MaybeThin move_mesh(const TriangleMesh& mesh, std::vector<Vec3> vertices) {
  TriangleMesh moved = mesh;
  moved.vertices = std::move(vertices);
  return ThinShape{std::make_shared<const TriangleMesh>(std::move(moved)), Pose()};
}

MaybeThin thin_mesh(const TriangleMesh& mesh, double by) {
  return move_mesh(mesh,
                   move_inwards(mesh.vertices, mesh.triangles, [&](std::size_t) { return by; }));
}

}  // namespace

std::optional<ThinShape> make_thinner(const Shape& shape, double by) {
  if (!(by >= 0)) throw std::invalid_argument("make_thinner: shapes are made thinner, not thicker");
  if (by == 0) return ThinShape{shape, Pose()};
  return std::visit(
      Overloaded{[&](const Sphere& s) { return keep(s.radius > by, Sphere{s.radius - by}); },
                 [&](const Capsule& s) {
                   return keep(s.radius > by, Capsule{s.radius - by, s.length});
                 },
                 [&](const Box& s) {
                   return keep(s.size.minCoeff() > 2 * by, Box{Vec3(s.size.array() - 2 * by)});
                 },
                 [&](const Cylinder& s) {
                   return keep(s.radius > by && s.length > 2 * by,
                               Cylinder{s.radius - by, s.length - 2 * by});
                 },
                 [&](const Cone& s) { return thin_cone(s, by); },
                 [&](const Torus& s) {
                   return keep(s.tube_radius > by, Torus{s.radius, s.tube_radius - by});
                 },
                 [&](const MeshShape& s) { return thin_mesh(*s, by); },
                 [&](const HullShape& s) { return thin_hull(*s, by); }},
      shape);
}

std::optional<ThinShape> make_slimmer(const Shape& shape, double share) {
  if (!(share >= 0 && share < 1))
    throw std::invalid_argument("make_slimmer: a share is from 0 to less than 1");
  if (share == 0) return ThinShape{shape, Pose()};
  return std::visit(
      Overloaded{[&](const MeshShape& s) { return move_mesh(*s, slim_vertices(s, share)); },
                 [&](const HullShape& s) { return slim_hull(*s, share); },
                 [&](const auto& s) { return make_thinner(s, share / 2 * find_thickness(s)); }},
      shape);
}

}  // namespace geste

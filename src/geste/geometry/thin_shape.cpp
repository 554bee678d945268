#include "geste/geometry/thin_shape.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/point_welder.hpp"

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

std::vector<Vec3> move_inwards(const std::vector<Vec3>& vertices,
                               const std::vector<Triangle>& triangles, double by) {
  const std::vector<std::uint32_t> places = number_places(vertices);
  std::vector<Wishes> wishes(vertices.size());
  for (const Triangle& t : triangles) {
    const Vec3 corners[] = {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
    const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    const double twice_area = normal.norm();
    if (!(twice_area > 0)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 u = corners[(k + 1) % 3] - corners[k], v = corners[(k + 2) % 3] - corners[k];
      wishes[places[t[k]]].add(normal / twice_area, std::atan2(twice_area, u.dot(v)));
    }
  }
  std::vector<Vec3> moved = vertices;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += by * wishes[places[i]].solve();
  return moved;
}

MaybeThin keep(bool is_left, Shape shape, double shift = 0) {
  if (!is_left) return std::nullopt;
  return ThinShape{std::move(shape), Pose::translation(0, 0, shift)};
}

/// Smaller about the centre of the largest ball in it, from which all faces are equally far.
MaybeThin thin_cone(const Cone& cone, double by) {
  const double slant = std::hypot(cone.radius, cone.length);
  const double ball = cone.radius * cone.length / (cone.radius + slant);
  const double scale = 1 - by / ball;
  return keep(scale > 0, Cone{scale * cone.radius, scale * cone.length},
              by - (1 - scale) * cone.length / 2);
}

MaybeThin thin_hull(const ConvexHull& hull, double by) {
  const std::vector<Vec3> moved = move_inwards(hull.vertices, hull.faces, by);
  std::optional<ConvexHull> thin = make_convex_hull(moved);
  if (!thin) return std::nullopt;
  return ThinShape{std::make_shared<const ConvexHull>(std::move(*thin)), Pose()};
}

ThinShape thin_mesh(const TriangleMesh& mesh, double by) {
  TriangleMesh thin = mesh;
  thin.vertices = move_inwards(mesh.vertices, mesh.triangles, by);
  return {std::make_shared<const TriangleMesh>(std::move(thin)), Pose()};
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
                 [&](const MeshShape& s) { return MaybeThin(thin_mesh(*s, by)); },
                 [&](const HullShape& s) { return thin_hull(*s, by); }},
      shape);
}

}  // namespace geste

#include "geste/geometry/shape.hpp"

#include <cmath>
#include <span>
#include <stdexcept>

#include "geste/core/overloaded.hpp"

namespace geste {
namespace {

/// Distance between an arc and its chord.
double sagitta(double radius, double angle) { return radius * (1 - std::cos(angle / 2)); }

/// A point of a profile: distance from the z axis, and z.
using ProfilePoint = Vec2;
using Profile = std::vector<ProfilePoint>;

/// Appends `steps` + 1 points of an arc about (centre, z), from angle `from` to `to`.
void add_arc(Profile& profile, double centre, double z, double radius, double from, double to,
             int steps) {
  for (int i = 0; i <= steps; ++i) {
    const double angle = from + (to - from) * i / steps;
    profile.emplace_back(centre + radius * std::cos(angle), z + radius * std::sin(angle));
  }
}

/// Turns a profile about z. It runs upwards along the outside: an open one from axis to axis, whose
/// two ends become poles, a closed one back to its start.
TriangleMesh revolve(const Profile& profile, bool is_closed, int segments) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(segments);
  const std::size_t rings = is_closed ? profile.size() : profile.size() - 2;
  for (std::size_t j = 0; j < rings; ++j) {
    const ProfilePoint& p = profile[is_closed ? j : j + 1];
    for (std::uint32_t i = 0; i < n; ++i) {
      const double angle = 2 * kPi * i / n;
      mesh.vertices.emplace_back(p.x() * std::cos(angle), p.x() * std::sin(angle), p.y());
    }
  }
  const auto at = [n](std::size_t ring, std::uint32_t i) {
    return static_cast<std::uint32_t>(ring) * n + i % n;
  };
  for (std::size_t j = 0; j + (is_closed ? 0 : 1) < rings; ++j) {
    const std::size_t up = (j + 1) % rings;
    for (std::uint32_t i = 0; i < n; ++i) {
      mesh.triangles.push_back({at(j, i), at(j, i + 1), at(up, i + 1)});
      mesh.triangles.push_back({at(j, i), at(up, i + 1), at(up, i)});
    }
  }
  if (is_closed) return mesh;
  const auto bottom = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.emplace_back(0, 0, profile.front().y());
  mesh.vertices.emplace_back(0, 0, profile.back().y());
  for (std::uint32_t i = 0; i < n; ++i) {
    mesh.triangles.push_back({bottom, at(0, i + 1), at(0, i)});
    mesh.triangles.push_back({bottom + 1, at(rings - 1, i), at(rings - 1, i + 1)});
  }
  return mesh;
}

// A facet between two angles and two points of the profile is a plane trapezoid, so the surface is
// at most the sagitta of the profile's arc plus that of the widest circle away from it.

TriangleMesh make_sphere(double radius, int segments) {
  const int stacks = (segments + 1) / 2;
  Profile profile;
  add_arc(profile, 0, 0, radius, -kPi / 2, kPi / 2, stacks);
  TriangleMesh mesh = revolve(profile, false, segments);
  mesh.deflection = sagitta(radius, kPi / stacks) + sagitta(radius, 2 * kPi / segments);
  return mesh;
}

TriangleMesh make_capsule(const Capsule& capsule, int segments) {
  if (capsule.length == 0) return make_sphere(capsule.radius, segments);
  const int stacks = (segments + 3) / 4;
  Profile profile;
  add_arc(profile, 0, -capsule.length / 2, capsule.radius, -kPi / 2, 0, stacks);
  add_arc(profile, 0, capsule.length / 2, capsule.radius, 0, kPi / 2, stacks);
  TriangleMesh mesh = revolve(profile, false, segments);
  mesh.deflection =
      sagitta(capsule.radius, kPi / 2 / stacks) + sagitta(capsule.radius, 2 * kPi / segments);
  return mesh;
}

TriangleMesh make_box(const Vec3& size) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner((i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2 & 1) - 0.5);
    mesh.vertices.push_back(corner.cwiseProduct(size));
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

TriangleMesh make_cylinder(const Cylinder& c, int segments) {
  const double z = c.length / 2;
  const Profile profile = {{0, -z}, {c.radius, -z}, {c.radius, z}, {0, z}};
  TriangleMesh mesh = revolve(profile, false, segments);
  mesh.deflection = sagitta(c.radius, 2 * kPi / segments);
  return mesh;
}

TriangleMesh make_cone(const Cone& c, int segments) {
  const double z = c.length / 2;
  TriangleMesh mesh = revolve({{0, -z}, {c.radius, -z}, {0, z}}, false, segments);
  mesh.deflection = sagitta(c.radius, 2 * kPi / segments);
  return mesh;
}

TriangleMesh make_torus(const Torus& torus, int segments) {
  Profile profile;
  double step = 2 * kPi / segments;
  // A tube as thick as its circle closes over the axis: only the outside is a surface then.
  const bool is_closed = torus.tube_radius < torus.radius;
  if (is_closed) {
    add_arc(profile, torus.radius, 0, torus.tube_radius, 0, 2 * kPi, segments);
    profile.pop_back();
  } else {
    const double end = torus.tube_radius > 0 ? std::acos(-torus.radius / torus.tube_radius) : kPi;
    const int steps = std::max(2, static_cast<int>(std::ceil(2 * end / step)));
    add_arc(profile, torus.radius, 0, torus.tube_radius, -end, end, steps);
    step = 2 * end / steps;
  }
  TriangleMesh mesh = revolve(profile, is_closed, segments);
  mesh.deflection = sagitta(torus.tube_radius, step) +
                    sagitta(torus.radius + torus.tube_radius, 2 * kPi / segments);
  return mesh;
}

AxisBox centred_box(const Vec3& half) {
  AxisBox box;
  box.add(Vec3(-half));
  box.add(half);
  return box;
}

}  // namespace

const char* shape_name(const Shape& shape) {
  return std::visit(
      Overloaded{[](const Sphere&) { return "sphere"; }, [](const Capsule&) { return "capsule"; },
                 [](const Box&) { return "box"; }, [](const Cylinder&) { return "cylinder"; },
                 [](const Cone&) { return "cone"; }, [](const Torus&) { return "torus"; },
                 [](const MeshShape&) { return "mesh"; }, [](const HullShape&) { return "hull"; }},
      shape);
}

AxisBox compute_box(const Shape& shape) {
  return std::visit(
      Overloaded{[](const Sphere& s) { return centred_box(Vec3::Constant(s.radius)); },
                 [](const Capsule& c) {
                   return centred_box({c.radius, c.radius, c.radius + c.length / 2});
                 },
                 [](const Box& b) { return centred_box(b.size / 2); },
                 [](const Cylinder& c) {
                   return centred_box({c.radius, c.radius, c.length / 2});
                 },
                 [](const Cone& c) {
                   return centred_box({c.radius, c.radius, c.length / 2});
                 },
                 [](const Torus& t) {
                   const double wide = t.radius + t.tube_radius;
                   return centred_box({wide, wide, t.tube_radius});
                 },
                 [](const MeshShape& mesh) { return mesh ? compute_box(*mesh) : AxisBox{}; },
                 [](const HullShape& hull) {
                   AxisBox box;
                   if (hull) {
                     for (const Vec3& v : hull->vertices) box.add(v);
                   }
                   return box;
                 }},
      shape);
}

TriangleMesh make_mesh(const Shape& shape, int segments) {
  if (segments < 3) throw std::invalid_argument("make_mesh: fewer than 3 segments");
  return std::visit(Overloaded{[&](const Sphere& s) { return make_sphere(s.radius, segments); },
                               [&](const Capsule& c) { return make_capsule(c, segments); },
                               [&](const Box& b) { return make_box(b.size); },
                               [&](const Cylinder& c) { return make_cylinder(c, segments); },
                               [&](const Cone& c) { return make_cone(c, segments); },
                               [&](const Torus& t) { return make_torus(t, segments); },
                               [](const MeshShape& mesh) { return mesh ? *mesh : TriangleMesh{}; },
                               [](const HullShape& hull) {
                                 if (!hull) return TriangleMesh{};
                                 return TriangleMesh{hull->vertices, hull->faces, 0};
                               }},
                    shape);
}

}  // namespace geste

#pragma once

#include <cmath>
#include <numbers>

#include "geste/core/rng.hpp"
#include "geste/geometry/shape.hpp"
#include "geste/math/pose.hpp"
#include "geste/math/so3.hpp"

namespace geste::testing {

inline Vec3 random_direction(Rng& rng) {
  return Vec3(rng.normal(), rng.normal(), rng.normal()).normalized();
}

inline Pose random_placement(Rng& rng, double reach) {
  return {so3::exp(Vec3(random_direction(rng) * rng.uniform(0, std::numbers::pi))),
          random_direction(rng) * reach * rng.uniform()};
}

inline MeshShape share(TriangleMesh mesh) {
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

/// A closed star with bumps: not convex, about 1 across.
inline TriangleMesh make_star(Rng& rng, int segments) {
  TriangleMesh mesh = make_mesh(Sphere{0.5}, segments);
  const Vec3 wave = 6 * random_direction(rng), phase(rng.uniform(0, 6), rng.uniform(0, 6), 0);
  for (Vec3& v : mesh.vertices) {
    const Vec3 d = v.normalized();
    v *= 1 +
         0.4 * std::sin(wave.x() * d.x() * 2 + phase.x()) * std::cos(wave.y() * d.y() + phase.y()) +
         0.2 * std::sin(wave.z() * d.z() * 3);
  }
  return mesh;
}

/// Triangles of all sizes and shapes with slivers and points among them, open, crossing itself.
inline TriangleMesh make_soup(Rng& rng, int count) {
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i) {
    const Vec3 at = random_direction(rng) * 0.5 * rng.uniform();
    const double size = std::pow(10, rng.uniform(-3, -0.5));
    const Vec3 u = random_direction(rng) * size;
    Vec3 v = random_direction(rng) * size;
    const double kind = rng.uniform();
    if (kind < 0.1) v = u * rng.uniform();                 // no area
    if (kind < 0.02) v = Vec3::Zero();                     // a segment
    if (kind > 0.9) v = u + 1e-9 * random_direction(rng);  // a sliver
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {at, at + u, at + v});
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

}  // namespace geste::testing

#pragma once

#include <string>
#include <vector>

#include "geste/core/rng.hpp"
#include "geste/geometry/point_distance.hpp"
#include "geste/geometry/primitive_pair.hpp"
#include "geste/geometry/separation.hpp"

/// Random shapes and poses, and the definitions that the queries answer to.
namespace geste::testing {

inline Vec3 random_vector(Rng& rng, double bound) {
  return {rng.uniform(-bound, bound), rng.uniform(-bound, bound), rng.uniform(-bound, bound)};
}

inline Vec3 random_unit(Rng& rng) {
  return Vec3(rng.normal(), rng.normal(), rng.normal()).normalized();
}

inline Pose random_pose(Rng& rng, double bound) {
  Quat q(rng.normal(), rng.normal(), rng.normal(), rng.normal());
  q.normalize();
  return {q, random_vector(rng, bound)};
}

inline HullShape random_hull(Rng& rng, int points, double size) {
  std::vector<Vec3> cloud;
  for (int i = 0; i < points; ++i) cloud.push_back(random_vector(rng, size / 2));
  return std::make_shared<ConvexHull>(*make_convex_hull(cloud));
}

/// Alternative `kind` of PrimitiveShape, about one metre across.
inline PrimitiveShape random_primitive(Rng& rng, std::size_t kind) {
  const auto size = [&] { return rng.uniform(0.2, 1.0); };
  switch (kind) {
    case 0:
      return Sphere{size() / 2};
    case 1:
      return Capsule{size() / 4, size()};
    case 2:
      return Box{Vec3(size(), size(), size())};
    case 3:
      return Cylinder{size() / 2, size()};
    case 4:
      return Cone{size() / 2, size()};
    case 5: {
      const double radius = size() / 2;
      return Torus{radius, 0.8 * radius * size()};
    }
    default:
      return random_hull(rng, 30, 2 * size());
  }
}

constexpr std::size_t kPrimitiveKinds = std::variant_size_v<PrimitiveShape>;
constexpr std::size_t kTorus = 5;

inline std::string name_pair(std::size_t i, std::size_t j) {
  constexpr const char* kName[] = {"sphere", "capsule", "box", "cylinder", "cone", "torus", "hull"};
  return std::string(kName[i]) + "-" + kName[j];
}

/// The farthest a convex solid reaches along a unit vector, written from shape.hpp.
inline double compute_reach(const PrimitiveShape& shape, const Vec3& d) {
  const double rho = std::hypot(d.x(), d.y());
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius;
  if (const auto* s = std::get_if<Capsule>(&shape)) {
    return s->radius + s->length / 2 * std::abs(d.z());
  }
  if (const auto* s = std::get_if<Box>(&shape)) return (s->size / 2).dot(d.cwiseAbs());
  if (const auto* s = std::get_if<Cylinder>(&shape)) {
    return s->radius * rho + s->length / 2 * std::abs(d.z());
  }
  if (const auto* s = std::get_if<Cone>(&shape)) {
    return std::max(s->length / 2 * d.z(), s->radius * rho - s->length / 2 * d.z());
  }
  if (const auto* s = std::get_if<Torus>(&shape)) return s->radius * rho + s->tube_radius;
  double reach = -1e300;
  for (const Vec3& v : std::get<HullShape>(shape)->vertices) reach = std::max(reach, d.dot(v));
  return reach;
}

/// How far the planes across unit d (in A) keep the two apart; negative: how far b has to move
/// along d to be beyond a. The signed distance of convex solids is its largest value over d.
inline double compute_gap(const PrimitiveShape& a, const PrimitiveShape& b, const Pose& X_AB,
                          const Vec3& d) {
  return d.dot(X_AB.p) - compute_reach(b, -(X_AB.R.transpose() * d)) - compute_reach(a, d);
}

}  // namespace geste::testing

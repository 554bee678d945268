#include "model_laws.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace geste::laws {
namespace {

/// Volume and inertia about the centre at density 1.
std::pair<double, Vec3> solid_of(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) {
    const double V = box->size.prod();
    const Vec3 s = box->size.array().square();
    return {V, V / 12 * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())};
  }
  if (const auto* c = std::get_if<Cylinder>(&shape)) {
    const double V = kPi * c->radius * c->radius * c->length;
    const double side = V / 12 * (3 * c->radius * c->radius + c->length * c->length);
    return {V, Vec3(side, side, V / 2 * c->radius * c->radius)};
  }
  if (const auto* s = std::get_if<Sphere>(&shape)) {
    const double V = 4 * kPi / 3 * std::pow(s->radius, 3);
    return {V, Vec3::Constant(0.4 * V * s->radius * s->radius)};
  }
  throw std::invalid_argument("models use boxes, cylinders and spheres for collision");
}

/// From how far a point is beyond each pair of faces.
template <class V>
double outside_of(const V& beyond) {
  return beyond.cwiseMax(0.0).norm() + std::min(0.0, beyond.maxCoeff());
}

double distance_to(const Shape& shape, const Vec3& p) {
  if (const auto* box = std::get_if<Box>(&shape)) {
    return outside_of(Vec3(p.cwiseAbs() - box->size / 2));
  }
  if (const auto* c = std::get_if<Cylinder>(&shape)) {
    return outside_of(Vec2(std::hypot(p.x(), p.y()) - c->radius, std::abs(p.z()) - c->length / 2));
  }
  if (const auto* s = std::get_if<Sphere>(&shape)) return p.norm() - s->radius;
  throw std::invalid_argument("models use boxes, cylinders and spheres for collision");
}

/// The point of the shape farthest along d.
Vec3 support(const Shape& shape, const Vec3& d) {
  const auto sign = [](double x) { return x < 0 ? -1.0 : 1.0; };
  if (const auto* box = std::get_if<Box>(&shape)) {
    return 0.5 * Vec3(sign(d.x()), sign(d.y()), sign(d.z())).cwiseProduct(box->size);
  }
  if (const auto* c = std::get_if<Cylinder>(&shape)) {
    const double across = std::hypot(d.x(), d.y());
    const Vec3 rim = across > 0 ? Vec3(c->radius / across * Vec3(d.x(), d.y(), 0)) : Vec3::Zero();
    return rim + Vec3(0, 0, sign(d.z()) * c->length / 2);
  }
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius * d.normalized();
  throw std::invalid_argument("models use boxes, cylinders and spheres for collision");
}

struct Placed {
  const Shape* shape;
  Pose X_WG;
};

Vec3 support(const Placed& placed, const Vec3& d) {
  return placed.X_WG * support(*placed.shape, placed.X_WG.R.transpose() * d);
}

bool touch(const Placed& a, const Placed& b) {
  // v runs over the difference a - b towards its point nearest to the origin.
  Vec3 v = a.X_WG.p - b.X_WG.p;
  for (int i = 0; i < 1000; ++i) {
    if (v.squaredNorm() < 1e-18) return true;
    const Vec3 w = support(a, -v) - support(b, v);
    if (v.dot(w) > 0) return false;  // the plane across v parts them
    const Vec3 step = w - v;
    if (step.squaredNorm() < 1e-24) return true;
    v += std::clamp(-v.dot(step) / step.squaredNorm(), 0.0, 1.0) * step;
  }
  return true;
}

std::vector<Placed> place_all(const Scene& scene, const Workspace& workspace, BodyId body) {
  std::vector<Placed> placed;
  for (const int g : scene.body(body).geometry) {
    const Geometry& geometry = scene.geometry()[static_cast<std::size_t>(g)];
    if (!geometry.collision) continue;
    placed.push_back({&geometry.shape, compute_geometry_pose(scene, workspace, g)});
  }
  return placed;
}

}  // namespace

Inertia compute_inertia(const BodySpec& body, double mass) {
  double volume = 0;
  for (const GeometrySpec& g : body.geometry) {
    if (g.collision) volume += solid_of(g.shape).first;
  }
  Inertia sum;
  for (const GeometrySpec& g : body.geometry) {
    if (!g.collision) continue;
    const auto [V, moments] = solid_of(g.shape);
    const Inertia solid{mass / volume * V, Vec3::Zero(),
                        Mat3((mass / volume * moments).asDiagonal())};
    sum = sum + transform(g.X_BG, solid);
  }
  return sum;
}

double distance_to_collision(const BodySpec& body, const Vec3& p_B) {
  double nearest = 1e30;
  for (const GeometrySpec& g : body.geometry) {
    if (g.collision) nearest = std::min(nearest, distance_to(g.shape, g.X_BG.inverse() * p_B));
  }
  return nearest;
}

bool touch(const Scene& scene, const Workspace& workspace, BodyId a, BodyId b) {
  for (const Placed& x : place_all(scene, workspace, a)) {
    for (const Placed& y : place_all(scene, workspace, b)) {
      if (touch(x, y)) return true;
    }
  }
  return false;
}

std::vector<std::pair<BodyId, BodyId>> find_contacts(const Scene& scene,
                                                     const Workspace& workspace) {
  std::vector<std::pair<BodyId, BodyId>> contacts;
  const int bodies = static_cast<int>(scene.bodies().size());
  for (int i = 0; i < bodies; ++i) {
    for (int j = i + 1; j < bodies; ++j) {
      const BodyId a(i), b(j);
      const auto allowed = [&](const AllowedPair& p) { return p.body_a == a && p.body_b == b; };
      const auto& pairs = scene.allowed_pairs();
      if (std::any_of(pairs.begin(), pairs.end(), allowed)) continue;
      if (touch(scene, workspace, a, b)) contacts.emplace_back(a, b);
    }
  }
  return contacts;
}

}  // namespace geste::laws

#include "geste/geometry/internal/ray_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/internal/ray_primitive.hpp"
#include "geste/geometry/placed_box.hpp"

namespace geste::internal {
namespace {

/// Of the largest coordinate: what the way into a shape's frame and a plane's equation may cost.
constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();

/// False for what is no number, too.
bool is_in_range(const Vec3& p) { return (p.array().abs() <= RayScene::kLargest).all(); }

void require_in_range(const AxisBox& box) {
  if (box.empty()) return;
  if (!is_in_range(box.min) || !is_in_range(box.max))
    throw std::invalid_argument("RayScene: a shape is larger than RayScene::kLargest");
}

void require_pose(const Pose& X_WS) {
  if (!X_WS.R.allFinite() || !is_in_range(X_WS.p))
    throw std::invalid_argument("RayScene: a pose is not finite or beyond RayScene::kLargest");
}

bool has_valid_size(const Shape& shape) {
  return std::visit(Overloaded{[](const MeshShape& mesh) { return mesh != nullptr; },
                               [](const HullShape& hull) { return hull != nullptr; },
                               [](const Sphere& s) { return s.radius >= 0; },
                               [](const Box& s) { return (s.size.array() >= 0).all(); },
                               [](const Torus& s) { return s.radius >= 0 && s.tube_radius >= 0; },
                               [](const auto& s) { return s.radius >= 0 && s.length >= 0; }},
                    shape);
}

template <class Solid>
std::optional<SurfaceHit> find_solid_hit(const Solid& solid, const LocalRay& ray) {
  return std::visit([&](const auto& shape) { return find_surface_hit(shape, ray); }, solid);
}

}  // namespace

struct RayKernel::Query : RTCIntersectContext {
  WorldRay& ray;
  const FloatRay& cut;
  const ShapeFilter& filter;
};

WorldRay::WorldRay(const Vec3& begin, const Vec3& end)
    : from(begin),
      direction(end - begin),
      length(direction.norm()),
      reach(std::max(begin.cwiseAbs().maxCoeff(), end.cwiseAbs().maxCoeff())) {
  if (!is_in_range(begin) || !is_in_range(end))
    throw std::invalid_argument("rays: a point is not finite or beyond RayScene::kLargest");
  if (length > 0) direction /= length;
}

RayKernel::RayKernel(std::span<const PlacedShape> shapes) : device_(make_ray_device()) {
  std::map<const void*, std::shared_ptr<const RayMesh>> meshes;
  const auto prepare = [&](const auto& owner, const auto& triangles) {
    auto& mesh = meshes[owner.get()];
    if (!mesh)
      mesh = std::make_shared<const RayMesh>(device_, owner->vertices, triangles, owner,
                                             RayScene::kLargest);
    return mesh;
  };
  shapes_.reserve(shapes.size());
  for (const PlacedShape& placed : shapes) {
    if (!has_valid_size(placed.shape))
      throw std::invalid_argument("RayScene: a mesh or hull is null, or a size is no length");
    Entry& entry = shapes_.emplace_back();
    std::visit(Overloaded{[&](const MeshShape& m) { entry.mesh = prepare(m, m->triangles); },
                          [&](const HullShape& h) { entry.mesh = prepare(h, h->faces); },
                          [&](const auto& solid) { entry.solid = solid; }},
               placed.shape);
    entry.box = entry.mesh ? entry.mesh->box() : compute_box(placed.shape);
    require_in_range(entry.box);
    if (entry.box.empty()) entry.box.add(Vec3::Zero());
    entry.extent =
        std::max(entry.box.min.cwiseAbs().maxCoeff(), entry.box.max.cwiseAbs().maxCoeff());
    require_pose(placed.X_WS);
    entry.next_X_WS = placed.X_WS;
  }
  start();
}

RayKernel::RayKernel(const RayKernel& other) : device_(other.device_), shapes_(other.shapes_) {
  for (Entry& entry : shapes_) entry.next_X_WS = entry.X_WS;
  start();
}

void RayKernel::start() {
  geometry_.reset(rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_USER));
  rtcSetGeometryUserPrimitiveCount(geometry_.get(), static_cast<unsigned>(shapes_.size()));
  rtcSetGeometryUserData(geometry_.get(), this);
  rtcSetGeometryBoundsFunction(geometry_.get(), &RayKernel::bound, nullptr);
  rtcSetGeometryIntersectFunction(geometry_.get(), &RayKernel::find_nearest);
  rtcSetGeometryOccludedFunction(geometry_.get(), &RayKernel::find_any);
  scene_.reset(rtcNewScene(device_.get()));
  rtcSetSceneFlags(scene_.get(),
                   static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC));
  rtcAttachGeometry(scene_.get(), geometry_.get());
  commit();
}

const Pose& RayKernel::pose(std::size_t shape) const {
  require_shape(shape);
  return shapes_[shape].X_WS;
}

void RayKernel::require_shape(std::size_t shape) const {
  if (shape >= shapes_.size())
    throw std::invalid_argument(
        fmt::format("RayScene: shape {} of {} shapes", shape, shapes_.size()));
}

void RayKernel::require_mask(IgnoredShapes ignored) const {
  if (!ignored.empty() && ignored.size() != shapes_.size())
    throw std::invalid_argument(
        fmt::format("rays: a mask of {} shapes for a scene of {}", ignored.size(), shapes_.size()));
}

void RayKernel::set_pose(std::size_t shape, const Pose& X_WS) {
  require_shape(shape);
  require_pose(X_WS);
  shapes_[shape].next_X_WS = X_WS;
}

void RayKernel::commit() {
  AxisBox all;
  for (Entry& entry : shapes_) {
    entry.X_WS = entry.next_X_WS;
    all.add(compute_world_box(entry));
  }
  frame_ = FloatFrame(all);
  rtcCommitGeometry(geometry_.get());
  rtcCommitScene(scene_.get());
  check(device_.get());
}

AxisBox RayKernel::compute_world_box(const Entry& entry) {
  return place_box(entry.X_WS, entry.box);
}

RayKernel::Ball RayKernel::compute_ball(std::uint32_t shape) const {
  const Entry& entry = shapes_[shape];
  return {entry.X_WS * entry.box.centre(), 0.5 * entry.box.size().norm()};
}

void RayKernel::bound(const RTCBoundsFunctionArguments* call) {
  const auto& self = *static_cast<const RayKernel*>(call->geometryUserPtr);
  *call->bounds_o = self.frame_.bounds(compute_world_box(self.shapes_[call->primID]));
}

LocalRay RayKernel::make_local(const Entry& entry, const WorldRay& ray) const {
  const Pose& X = entry.X_WS;
  const double rounding =
      kRounding * std::max({ray.reach, X.p.cwiseAbs().maxCoeff(), entry.extent});
  return {X.R.transpose() * (ray.from - X.p),
          X.R.transpose() * ray.direction,
          -rounding,
          std::min(ray.t, ray.length + rounding),
          rounding,
          ray.any};
}

void RayKernel::find_hit_of(std::uint32_t shape, WorldRay& ray) const {
  if (!(ray.length > 0)) return;
  const Entry& entry = shapes_[shape];
  const LocalRay local = make_local(entry, ray);
  MeshHit found;
  if (entry.mesh) {
    found = entry.mesh->find_hit(local);
  } else if (const auto hit = find_solid_hit(entry.solid, local)) {
    found.t = hit->t;
  }
  if (!std::isfinite(found.t)) return;
  if (found.t > ray.t || (found.t == ray.t && shape >= ray.shape)) return;
  ray.t = found.t;
  ray.shape = shape;
  ray.triangle = found.triangle;
}

bool RayKernel::meet(std::uint32_t shape, Query& query) const {
  if (query.filter.skips(shape)) return false;
  find_hit_of(shape, query.ray);
  return query.ray.shape == shape;
}

void RayKernel::find_nearest(const RTCIntersectFunctionNArguments* call) {
  const auto& self = *static_cast<const RayKernel*>(call->geometryUserPtr);
  auto& query = *static_cast<Query*>(call->context);
  if (self.meet(call->primID, query))
    shorten(call, self.frame_.length_until(query.ray.t, query.cut));
}

void RayKernel::find_any(const RTCOccludedFunctionNArguments* call) {
  const auto& self = *static_cast<const RayKernel*>(call->geometryUserPtr);
  if (self.meet(call->primID, *static_cast<Query*>(call->context))) stop(call);
}

void RayKernel::find_hit(WorldRay& ray, const ShapeFilter& filter) const {
  const double rounding = kRounding * ray.reach;
  const LocalRay whole{ray.from, ray.direction, -rounding, std::min(ray.t, ray.length + rounding),
                       rounding, ray.any};
  FloatRay cut;
  if (!(ray.length > 0) || !frame_.cut(whole, cut)) return;
  Query query{{}, ray, cut, filter};
  follow(scene_.get(), cut, ray.any, query);
}

RayHit RayKernel::make_hit(const WorldRay& ray) const {
  const Entry& entry = shapes_[ray.shape];
  RayHit hit;
  hit.shape = ray.shape;
  hit.triangle = ray.triangle;
  hit.distance = std::clamp(ray.t, 0.0, ray.length);
  hit.point = ray.from + hit.distance * ray.direction;
  if (entry.mesh) {
    hit.normal = entry.X_WS.R * entry.mesh->compute_normal(ray.triangle);
  } else {
    const LocalRay local = make_local(entry, ray);
    if (const auto again = find_solid_hit(entry.solid, local))
      hit.normal = entry.X_WS.R * again->normal;
  }
  return hit;
}

}  // namespace geste::internal

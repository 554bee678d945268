#include "geste/geometry/internal/ray_mesh.hpp"

#include <cmath>
#include <stdexcept>

namespace geste::internal {
namespace {

/// A ray sheared so that it runs along one axis.
struct ShearedRay {
  Vec3 origin;
  int x, y, z;  ///< z: the axis it mostly runs along
  double shear_x, shear_y, stretch;

  explicit ShearedRay(const LocalRay& ray) : origin(ray.origin) {
    ray.direction.cwiseAbs().maxCoeff(&z);
    x = (z + 1) % 3;
    y = (z + 2) % 3;
    stretch = 1 / ray.direction[z];
    shear_x = ray.direction[x] * stretch;
    shear_y = ray.direction[y] * stretch;
  }
};

/// Where the line meets the triangle; infinite where it does not.
double intersect_triangle(const ShearedRay& ray, const Vec3& v0, const Vec3& v1, const Vec3& v2) {
  const Vec3 a = v0 - ray.origin, b = v1 - ray.origin, c = v2 - ray.origin;
  const double ax = a[ray.x] - ray.shear_x * a[ray.z], ay = a[ray.y] - ray.shear_y * a[ray.z];
  const double bx = b[ray.x] - ray.shear_x * b[ray.z], by = b[ray.y] - ray.shear_y * b[ray.z];
  const double cx = c[ray.x] - ray.shear_x * c[ray.z], cy = c[ray.y] - ray.shear_y * c[ray.z];
  const double u = cx * by - cy * bx, v = ax * cy - ay * cx, w = bx * ay - by * ax;
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0))
    return std::numeric_limits<double>::infinity();
  const double sum = u + v + w;
  if (sum == 0) return std::numeric_limits<double>::infinity();
  return ray.stretch * ((u * a[ray.z] + v * b[ray.z] + w * c[ray.z]) / sum);
}

}  // namespace

struct RayMesh::Query : RTCIntersectContext {
  const LocalRay& ray;
  ShearedRay sheared;
  FloatRay cut;
  MeshHit hit;
};

RayMesh::RayMesh(RayDevice device, std::span<const Vec3> vertices,
                 std::span<const Triangle> triangles, std::shared_ptr<const void> owner,
                 double limit)
    : vertices_(vertices),
      triangles_(triangles),
      owner_(std::move(owner)),
      device_(std::move(device)) {
  for (const Triangle& t : triangles)
    for (const std::uint32_t i : t) {
      const Vec3& v = vertices[i];
      if (!(v.array().abs() <= limit).all())
        throw std::invalid_argument("RayScene: a mesh has coordinates out of range");
      box_.add(v);
    }
  if (triangles.empty()) return;
  frame_ = FloatFrame(box_);
  const GeometryHandle geometry(rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_USER));
  rtcSetGeometryUserPrimitiveCount(geometry.get(), static_cast<unsigned>(triangles.size()));
  rtcSetGeometryUserData(geometry.get(), this);
  rtcSetGeometryBoundsFunction(geometry.get(), &RayMesh::bound, nullptr);
  rtcSetGeometryIntersectFunction(geometry.get(), &RayMesh::find_nearest);
  rtcSetGeometryOccludedFunction(geometry.get(), &RayMesh::find_any);
  rtcCommitGeometry(geometry.get());
  scene_.reset(rtcNewScene(device_.get()));
  rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);
  rtcAttachGeometry(scene_.get(), geometry.get());
  rtcCommitScene(scene_.get());
  check(device_.get());
}

void RayMesh::bound(const RTCBoundsFunctionArguments* call) {
  const auto& self = *static_cast<const RayMesh*>(call->geometryUserPtr);
  AxisBox box;
  for (const std::uint32_t i : self.triangles_[call->primID]) box.add(self.vertices_[i]);
  *call->bounds_o = self.frame_.bounds(box);
}

bool RayMesh::meet(std::uint32_t triangle, Query& query) const {
  const Triangle& corners = triangles_[triangle];
  const double t = intersect_triangle(query.sheared, vertices_[corners[0]], vertices_[corners[1]],
                                      vertices_[corners[2]]);
  if (!(t >= query.ray.low && t <= query.ray.high)) return false;
  if (t > query.hit.t || (t == query.hit.t && triangle > query.hit.triangle)) return false;
  query.hit = {t, triangle};
  return true;
}

void RayMesh::find_nearest(const RTCIntersectFunctionNArguments* call) {
  const auto& self = *static_cast<const RayMesh*>(call->geometryUserPtr);
  auto& query = *static_cast<Query*>(call->context);
  if (self.meet(call->primID, query))
    shorten(call, self.frame_.length_until(query.hit.t, query.cut));
}

void RayMesh::find_any(const RTCOccludedFunctionNArguments* call) {
  const auto& self = *static_cast<const RayMesh*>(call->geometryUserPtr);
  if (self.meet(call->primID, *static_cast<Query*>(call->context))) stop(call);
}

MeshHit RayMesh::find_hit(const LocalRay& ray) const {
  FloatRay cut;
  if (!scene_ || !frame_.cut(ray, cut)) return {};
  Query query{{}, ray, ShearedRay(ray), cut, {}};
  follow(scene_.get(), cut, ray.any, query);
  return query.hit;
}

Vec3 RayMesh::compute_normal(std::uint32_t triangle) const {
  const Triangle& t = triangles_[triangle];
  const Vec3 &a = vertices_[t[0]], &b = vertices_[t[1]], &c = vertices_[t[2]];
  return (b - a).cross(c - a).stableNormalized();
}

}  // namespace geste::internal

#include "geste/geometry/internal/embree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

namespace geste::internal {

RayDevice make_ray_device() {
  RTCDevice device = rtcNewDevice(nullptr);
  if (device == nullptr)
    throw std::runtime_error(fmt::format("rays: Embree does not start (error {})",
                                         static_cast<int>(rtcGetDeviceError(nullptr))));
  return {device, [](RTCDevice d) { rtcReleaseDevice(d); }};
}

void check(RTCDevice device) {
  const RTCError error = rtcGetDeviceError(device);
  if (error == RTC_ERROR_NONE) return;
  if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  throw std::runtime_error(fmt::format("rays: Embree reports error {}", static_cast<int>(error)));
}

FloatFrame::FloatFrame(const AxisBox& box) {
  if (box.empty()) return;
  centre_ = box.centre();
  if (box.extent() > 0) scale_ = 2 / box.extent();
  const Vec3 pad = Vec3::Constant(kPad / scale_);
  box_ = {box.min - pad, box.max + pad};
}

RTCBounds FloatFrame::bounds(const AxisBox& box) const {
  const Vec3 low = ((box.min - centre_) * scale_).array() - kPad;
  const Vec3 high = ((box.max - centre_) * scale_).array() + kPad;
  RTCBounds bounds{};
  bounds.lower_x = static_cast<float>(low.x());
  bounds.lower_y = static_cast<float>(low.y());
  bounds.lower_z = static_cast<float>(low.z());
  bounds.upper_x = static_cast<float>(high.x());
  bounds.upper_y = static_cast<float>(high.y());
  bounds.upper_z = static_cast<float>(high.z());
  return bounds;
}

bool FloatFrame::cut(const LocalRay& ray, FloatRay& cut) const {
  double from = ray.low, to = ray.high;
  for (int axis = 0; axis < 3; ++axis) {
    const double d = ray.direction[axis], p = ray.origin[axis];
    const double low = box_.min[axis] - ray.rounding, high = box_.max[axis] + ray.rounding;
    if (std::abs(d) < 1e-30) {
      if (p < low || p > high) return false;
      continue;
    }
    const double inverse = 1 / d, a = (low - p) * inverse, b = (high - p) * inverse;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  if (!(from <= to)) return false;
  const Vec3 start = (ray.origin + from * ray.direction - centre_) * scale_;
  for (int axis = 0; axis < 3; ++axis) {
    cut.origin[axis] = static_cast<float>(start[axis]);
    cut.direction[axis] = static_cast<float>(ray.direction[axis]);
  }
  cut.start = from;
  cut.length = length_until(to, cut);
  return true;
}

void follow(RTCScene scene, const FloatRay& ray, bool any, RTCIntersectContext& context) {
  RTCRayHit on_way;
  on_way.ray = {.org_x = ray.origin[0],
                .org_y = ray.origin[1],
                .org_z = ray.origin[2],
                .tnear = 0,
                .dir_x = ray.direction[0],
                .dir_y = ray.direction[1],
                .dir_z = ray.direction[2],
                .time = 0,
                .tfar = ray.length,
                .mask = ~0u,
                .id = 0,
                .flags = 0};
  rtcInitIntersectContext(&context);
  if (any) return rtcOccluded1(scene, &context, &on_way.ray);
  on_way.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  on_way.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(scene, &context, &on_way);
}

}  // namespace geste::internal

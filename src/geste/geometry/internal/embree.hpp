#pragma once

#include <embree3/rtcore.h>

#include <memory>

#include "geste/geometry/box.hpp"
#include "geste/geometry/internal/ray_local.hpp"

namespace geste::internal {

struct ReleaseScene {
  void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};
struct ReleaseGeometry {
  void operator()(RTCGeometry geometry) const { rtcReleaseGeometry(geometry); }
};
using RayDevice = std::shared_ptr<RTCDeviceTy>;
using SceneHandle = std::unique_ptr<RTCSceneTy, ReleaseScene>;
using GeometryHandle = std::unique_ptr<RTCGeometryTy, ReleaseGeometry>;

RayDevice make_ray_device();
/// Throws what Embree complained of since the last call on this thread: std::bad_alloc or
/// std::runtime_error.
void check(RTCDevice device);

/// A line as Embree sees it.
struct FloatRay {
  float origin[3];
  float direction[3];
  float length;
  double start;  ///< where on the true line it begins
};

/// Where float is good enough: a box brought to [-1, 1]. Lines are cut to the box in double before
/// they become float, however far away they begin, so that they stray from the true line by less
/// than
///   2^-24 (origin) + 2^-24 2 sqrt(3) (direction, over the box's diagonal) < 3e-7
/// per coordinate, where the box is larger than 3e-9 of its coordinates. All that is handed to
/// Embree is padded by kPad, and its own walk is conservative (RTC_SCENE_FLAG_ROBUST): it offers
/// each primitive that the true line meets, and a few more.
class FloatFrame {
 public:
  static constexpr double kPad = 2e-6;

  FloatFrame() = default;
  explicit FloatFrame(const AxisBox& box);

  [[nodiscard]] RTCBounds bounds(const AxisBox& box) const;
  /// False where the line passes the box by.
  bool cut(const LocalRay& ray, FloatRay& cut) const;
  /// How far Embree need look when only t up to this matters.
  [[nodiscard]] float length_until(double t, const FloatRay& cut) const {
    return static_cast<float>((t - cut.start) * scale_ + 2 * kPad);
  }

 private:
  AxisBox box_;
  Vec3 centre_ = Vec3::Zero();
  double scale_ = 1;
};

/// Follows the ray through a tree of user geometry, whose callbacks get `context` and keep what
/// they find: nearest first, or with `any` as it comes. One ray at a time: packets of eight gained
/// nothing (docs/design/rays.md).
void follow(RTCScene scene, const FloatRay& ray, bool any, RTCIntersectContext& context);

/// In a callback: nothing further along the ray is wanted than `length`; or nothing at all.
inline void shorten(const RTCIntersectFunctionNArguments* call, float length) {
  RTCRayN_tfar(RTCRayHitN_RayN(call->rayhit, 1), 1, 0) = length;
}
inline void stop(const RTCOccludedFunctionNArguments* call) {
  RTCRayN_tfar(call->ray, 1, 0) = -std::numeric_limits<float>::infinity();
}

}  // namespace geste::internal

#include "geste/geometry/ray_scene.hpp"

#include "geste/geometry/internal/ray_kernel.hpp"

namespace geste {
namespace {

internal::WorldRay trace(const RayScene& scene, const Vec3& from, const Vec3& to,
                         IgnoredShapes ignored, bool any) {
  scene.kernel().require_mask(ignored);
  internal::WorldRay ray(from, to);
  ray.any = any;
  scene.kernel().find_hit(ray, {ignored});
  return ray;
}

}  // namespace

RayScene::RayScene(std::span<const PlacedShape> shapes)
    : kernel_(std::make_unique<internal::RayKernel>(shapes)) {}
RayScene::~RayScene() = default;
RayScene::RayScene(const RayScene& other)
    : kernel_(std::make_unique<internal::RayKernel>(*other.kernel_)) {}
RayScene::RayScene(RayScene&&) noexcept = default;
RayScene& RayScene::operator=(const RayScene& other) { return *this = RayScene(other); }
RayScene& RayScene::operator=(RayScene&&) noexcept = default;

std::size_t RayScene::size() const { return kernel_->size(); }
const Pose& RayScene::pose(std::size_t shape) const { return kernel_->pose(shape); }
void RayScene::set_pose(std::size_t shape, const Pose& X_WS) { kernel_->set_pose(shape, X_WS); }
void RayScene::commit() { kernel_->commit(); }

std::optional<RayHit> find_first_hit(const RayScene& scene, const Vec3& from, const Vec3& to,
                                     IgnoredShapes ignored) {
  const internal::WorldRay ray = trace(scene, from, to, ignored, false);
  if (ray.shape == internal::kNoIndex) return std::nullopt;
  return scene.kernel().make_hit(ray);
}

bool is_free(const RayScene& scene, const Vec3& from, const Vec3& to, IgnoredShapes ignored) {
  return trace(scene, from, to, ignored, true).shape == internal::kNoIndex;
}

}  // namespace geste

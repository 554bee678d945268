#include "geste/geometry/sight_cone.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "geste/geometry/internal/ray_kernel.hpp"
#include "geste/math/sincos.hpp"

namespace geste {
namespace {

using internal::WorldRay;

/// The points of the base, one after the other.
class Base {
 public:
  Base(const SightCone& cone, int rays) : centre_(cone.target), rays_(rays) {
    const Vec3 axis = cone.target - cone.apex;
    const double length = axis.norm();
    if (!(length > 0)) return;
    const double radius = length * std::tan(cone.half_angle);
    Eigen::Index least = 0;
    axis.cwiseAbs().minCoeff(&least);
    const Vec3 u = axis.cross(Vec3::Unit(least)).normalized();
    u_ = radius * u;
    v_ = radius / length * axis.cross(u);
  }

  /// In turn from the first on.
  Vec3 next() {
    const auto lane = static_cast<std::size_t>(at_) % kSincosLanes;
    if (lane == 0) fill();
    const double r = std::sqrt((at_ + 0.5) / rays_);
    ++at_;
    return centre_ + (r * cosine_[lane]) * u_ + (r * sine_[lane]) * v_;
  }

 private:
  void fill() {
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    std::array<double, kSincosLanes> angle;
    for (std::size_t k = 0; k < kSincosLanes; ++k)
      angle[k] = std::fmod((at_ + static_cast<double>(k)) * golden, 2 * std::numbers::pi);
    compute_sincos(angle.data(), sine_.data(), cosine_.data(), kSincosLanes);
  }

  Vec3 centre_;
  int rays_;
  int at_ = 0;
  Vec3 u_ = Vec3::Zero();  ///< across the axis, as long as the base is wide
  Vec3 v_ = Vec3::Zero();
  std::array<double, kSincosLanes> sine_;
  std::array<double, kSincosLanes> cosine_;
};

void require(const RayScene& scene, const SightCone& cone, const SightOptions& options,
             IgnoredShapes ignored) {
  scene.kernel().require_mask(ignored);
  static_cast<void>(WorldRay(cone.apex, cone.target));
  if (!(cone.half_angle >= 0 && cone.half_angle < std::numbers::pi / 2))
    throw std::invalid_argument("SightCone: the half angle is not in [0, pi/2)");
  if (options.rays < 1) throw std::invalid_argument("SightOptions: there are no rays");
}

/// One blocker per stopped ray becomes one per shape, with its share of all rays.
void finish(Sight& sight, int facing, int rays) {
  auto& all = sight.blockers;
  sight.seen = (facing - static_cast<double>(all.size())) / rays;
  sight.facing = static_cast<double>(facing) / rays;
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.shape < b.shape; });
  std::size_t kept = 0;
  for (const Sight::Blocker& one : all) {
    if (kept == 0 || all[kept - 1].shape != one.shape) all[kept++] = {one.shape, 0};
    all[kept - 1].share += 1;
  }
  all.resize(kept);
  for (Sight::Blocker& blocker : all) blocker.share /= rays;
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.share != b.share ? a.share > b.share : a.shape < b.shape;
  });
}

}  // namespace

void compute_sight(const RayScene& scene, const SightCone& cone, const SightOptions& options,
                   IgnoredShapes ignored, Sight& sight) {
  require(scene, cone, options, ignored);
  sight.blockers.clear();
  Base base(cone, options.rays);
  for (int i = 0; i < options.rays; ++i) {
    WorldRay ray(cone.apex, base.next());
    scene.kernel().find_hit(ray, {ignored});
    if (ray.shape != internal::kNoIndex) sight.blockers.push_back({ray.shape, 0});
  }
  finish(sight, options.rays, options.rays);
}

void compute_sight(const RayScene& scene, const SightCone& cone, std::uint32_t target,
                   const SightOptions& options, IgnoredShapes ignored, Sight& sight) {
  require(scene, cone, options, ignored);
  scene.kernel().require_shape(target);
  sight.blockers.clear();
  const auto ball = scene.kernel().compute_ball(target);
  const double beyond = (ball.centre - cone.apex).norm() + ball.radius;
  Base base(cone, options.rays);
  int facing = 0;
  for (int i = 0; i < options.rays; ++i) {
    WorldRay ray(cone.apex, base.next());
    if (ray.length > 0) ray.length = std::max(ray.length, beyond);
    scene.kernel().find_hit_of(target, ray);
    if (ray.shape != target) continue;
    ++facing;
    const double arrival = ray.t;
    scene.kernel().find_hit(ray, {ignored, target});
    if (ray.t < arrival) sight.blockers.push_back({ray.shape, 0});
  }
  finish(sight, facing, options.rays);
}

}  // namespace geste

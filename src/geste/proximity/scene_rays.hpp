#pragma once

#include <span>

#include "geste/geometry/sight_cone.hpp"
#include "geste/model/workspace.hpp"

namespace geste {

/// The geometry of a scene as eyes see it: sight lines against named parts. What has no visual
/// geometry is seen by its collision geometry. One per thread that moves things; copies share
/// meshes.
class SceneRays {
 public:
  /// At the poses of `workspace` (compute_kinematics).
  SceneRays(const Scene& scene, const Workspace& workspace);

  /// Takes over other poses.
  void place(const Workspace& workspace);

  [[nodiscard]] const RayScene& rays() const { return rays_; }
  [[nodiscard]] BodyId body(std::uint32_t shape) const { return items_.at(shape).body; }
  /// Index into Scene::geometry.
  [[nodiscard]] int geometry(std::uint32_t shape) const { return items_.at(shape).geometry; }
  /// Looks through these bodies: the head around the eye, the part that is looked at.
  [[nodiscard]] std::vector<std::uint8_t> make_mask(std::span<const BodyId> ignored) const;

 private:
  struct Item {
    int geometry;
    BodyId body;
    int mover;
    Pose X_MS;
  };
  static std::vector<Item> collect(const Scene& scene);
  static RayScene make_rays(const Scene& scene, const std::vector<Item>& items);

  std::vector<Item> items_;
  RayScene rays_;
};

struct SceneHit {
  BodyId body;
  int geometry = 0;
  RayHit hit;
};

/// The first part that the segment meets; nothing where the way is free.
std::optional<SceneHit> find_first_part(const SceneRays& rays, const Vec3& from, const Vec3& to,
                                        IgnoredShapes ignored = {});

/// How much of a cone arrives (sight_cone.hpp), and which bodies stop the rest, largest first.
struct SceneSight {
  struct Blocker {
    BodyId body;
    double share = 0;
  };
  double seen = 0;
  double facing = 0;
  std::vector<Blocker> blockers;
};

SceneSight compute_scene_sight(const SceneRays& rays, const SightCone& cone,
                               const SightOptions& options = {}, IgnoredShapes ignored = {});

}  // namespace geste

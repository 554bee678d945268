#pragma once

#include "geste/core/index.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/planning/space.hpp"
#include "geste/proximity/collision_query.hpp"

namespace geste::internal {

/// Asks how far points are from bodies, with everything where it is at some point of the space.
class PointProbe {
 public:
  PointProbe(const PlanningSpace& space, const CollisionModel& model, ConstVecRef x)
      : scene_(space.scene()), model_(model), workspace_(space.scene()), memory_(model) {
    VecX q(scene_.nq());
    static_cast<void>(space.complete(x, q, workspace_));
    compute_kinematics(scene_, q, workspace_);
  }

  double measure(BodyId body, const Vec3& p_W) {
    const auto found = compute_clearance(model_, workspace_, body, p_W, memory_);
    return found ? found->distance : kInfinity;
  }

  [[nodiscard]] Pose pose(BodyId body) const { return compute_pose(scene_, workspace_, body); }

  /// In the world.
  [[nodiscard]] AxisBox box(BodyId body) const {
    AxisBox box;
    for (const CollisionObject& o : model_.objects()) {
      if (o.body != body) continue;
      const Pose X_WO = workspace_.X_WM()[at(o.mover)] * o.X_MO;
      const Vec3 half = X_WO.R.cwiseAbs() * (o.collider.box().size() / 2);
      const Vec3 centre = X_WO * o.collider.box().centre();
      box.add(centre - half);
      box.add(centre + half);
    }
    return box;
  }

 private:
  const Scene& scene_;
  const CollisionModel& model_;
  Workspace workspace_;
  CollisionWorkspace memory_;
};

}  // namespace geste::internal

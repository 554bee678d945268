#pragma once

#include <span>

#include "geste/planning/local_planner.hpp"

namespace geste {

/// What hangs on a link, as one free body among all that stays: where it could go if no arm held
/// it. The links above it are left out. Joints below it keep the values that they have in `q`.
class FreeBodyWorld {
 public:
  /// `link`: a mover of the original's scene that its space moves and that something hangs on that
  /// collides. `q`: complete. `poses`: of the link, all within the bounds of what is searched. The
  /// original must outlive it.
  FreeBodyWorld(const PlanningWorld& original, int link, ConstVecRef q,
                std::span<const Pose> poses);

  FreeBodyWorld(const FreeBodyWorld&) = delete;
  FreeBodyWorld& operator=(const FreeBodyWorld&) = delete;

  [[nodiscard]] PlanningWorld world() const { return {space_, steering_, validator_}; }
  /// The point at which the link is at a pose, and the other way round.
  [[nodiscard]] VecX make_point(const Pose& X_WL) const;
  [[nodiscard]] Pose find_pose(ConstVecRef x) const;

 private:
  Pose X_LC_;  ///< the middle of the body, about which it turns
  Scene scene_;
  CollisionModel model_;
  Validator validator_;
  PlanningSpace space_;
  LinearSteering steering_;
};

/// Whether a mover is another one or hangs on it.
bool is_below(const Scene& scene, int mover, int other);

}  // namespace geste

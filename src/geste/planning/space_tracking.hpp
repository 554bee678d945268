#pragma once

#include <functional>

#include "geste/ik/drag.hpp"
#include "geste/planning/local_planner.hpp"

namespace geste {

/// Moves planned joints so that a link goes along poses, by inverse kinematics in steps as long as
/// the segments between them are proven free (pose tracking). One per thread.
class PoseTracker {
 public:
  /// Poses of the link along a path.
  using PoseAt = std::function<Pose(double)>;

  /// `link`: a mover that the space moves. The space has no loops.
  PoseTracker(LocalPlanner& local, int link);

  /// From x, where the link is at the first pose and everything is free. `way` holds x and the
  /// points that were reached, every segment proven; s of the last one is returned, `length` where
  /// that is the last pose. Both are in any measure in which 1 is about as much as the link is
  /// long, or a radian. A point counts where the link is nearer to its pose than a part of the step
  /// that led there.
  double track(ConstVecRef x, const PoseAt& pose_at, double length, Way& way);

  /// The link's pose at a point; nothing where the point cannot be completed.
  std::optional<Pose> find_pose(ConstVecRef x);

  /// Steps that were tried so far.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  /// From the end of `way` to where the link is at a pose, into point_.
  bool reach(ConstVecRef from, const Pose& X_WL);

  LocalPlanner& local_;
  const PlanningSpace& space_;
  int link_;
  BodyId body_;  ///< whose frame is the link's
  DragOptions options_;
  Workspace workspace_;
  VecX q_, point_;
  std::uint64_t work_ = 0;
};

}  // namespace geste

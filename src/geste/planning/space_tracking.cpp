#include "geste/planning/space_tracking.hpp"

#include <algorithm>

#include "geste/core/index.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {

PoseTracker::PoseTracker(LocalPlanner& local, int link)
    : local_(local),
      space_(local.world().space),
      link_(link),
      body_(space_.scene().joint(space_.scene().movers()[at(link)].joint).child),
      workspace_(space_.scene()),
      q_(space_.scene().nq()),
      point_(space_.size()) {
  const std::vector<Mover>& movers = space_.scene().movers();
  for (int m = link; m != 0; m = movers[at(m)].parent) {
    const int q = space_.scene().joint(movers[at(m)].joint).q;
    const bool is_planned = std::any_of(space_.items().begin(), space_.items().end(),
                                        [&](const auto& item) { return item.joint.q == q; });
    if (is_planned) options_.joints.push_back(movers[at(m)].joint);
  }
}

std::optional<Pose> PoseTracker::find_pose(ConstVecRef x) {
  if (!space_.complete(x, q_, workspace_)) return {};
  compute_kinematics(space_.scene(), q_, workspace_);
  return workspace_.X_WM()[at(link_)];
}

bool PoseTracker::reach(ConstVecRef from, const Pose& X_WL) {
  constexpr double kNear = 0.1;  // share of the step that the link may stay away
  ++work_;
  const std::optional<Pose> before = find_pose(from);
  if (!before) return false;
  const Pose X_WB = X_WL * space_.scene().body(body_).X_MB;
  const DragReport report =
      drag_body(space_.scene(), {body_, Vec3::Zero(), X_WB.p, X_WB.R}, q_, workspace_, options_);
  space_.gather(q_, point_);
  const double turned = Eigen::AngleAxisd(before->R.transpose() * X_WL.R).angle();
  const double length = options_.rotation_length;
  const double step = (X_WL.p - before->p).norm() + length * turned;
  return report.residual_m + length * report.residual_rad <= kNear * step;
}

double PoseTracker::track(ConstVecRef x, const PoseAt& pose_at, double length, Way& way) {
  constexpr double kLongest = 0.3, kShortest = 1e-3;
  constexpr double kFarthest = 0.5;  // in the space's metric: no other branch
  way.clear();
  way.add(x);
  double s = 0;
  for (double step = kLongest; s < length && step > kShortest;) {
    const double next = std::min(length, s + step);
    const bool is_there = reach(way.back(), pose_at(next)) &&
                          space_.distance(way.back(), point_) < kFarthest &&
                          local_.is_leg_free(way.back(), point_);
    if (is_there) {
      way.add(point_);
      s = next;
    }
    step = is_there ? std::min(2 * step, kLongest) : step / 2;
  }
  return s;
}

}  // namespace geste

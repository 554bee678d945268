#include "geste/tasks/internal/demands.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/quantity.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/tasks/internal/goal_limits.hpp"
#include "geste/tasks/internal/keep.hpp"

namespace geste::internal {
namespace {

/// How far something may be off.
struct Slack {
  double length = 1e-6;  ///< m
  double angle = 1e-6;   ///< rad
};

/// Closed chains are closed next to the values that were asked for (goals.cpp).
constexpr Slack kChain{10e-3, kPi / 180};

/// How far joints are from where they should be.
struct Offset {
  double length = 0;  ///< m
  double angle = 0;   ///< rad
  std::string joint;  ///< the worst

  [[nodiscard]] bool is_within(const Slack& slack) const {
    return length <= slack.length && angle <= slack.angle;
  }
  [[nodiscard]] std::string describe() const {
    if (length <= 0 && angle <= 0) return "exactly";
    std::string text;
    if (length > 0) text = format_length(length, 3);
    if (angle > 0) text += (text.empty() ? "" : " and ") + format_angle(angle, 3);
    return text;
  }
};

Offset measure_offset(const Scene& scene, std::span<const JointId> joints, ConstVecRef q,
                      ConstVecRef wanted) {
  Offset offset;
  for (const JointId id : joints) {
    const Joint& joint = scene.joint(id);
    const int positions = count_positions(joint.type);
    VecX v(joint.nv);
    difference(joint, wanted.data() + joint.q, q.data() + joint.q, v.data());
    const double along = v.head(positions).norm(), turned = v.tail(v.size() - positions).norm();
    if (std::max(along, turned) > std::max(offset.length, offset.angle)) offset.joint = joint.name;
    offset.length = std::max(offset.length, along);
    offset.angle = std::max(offset.angle, turned);
  }
  return offset;
}

Demand judge(const char* what, const Offset& offset, const Slack& slack) {
  if (offset.is_within(slack))
    return {what, true, fmt::format("as asked, within {}", offset.describe())};
  return {what, false,
          offset.joint.empty()
              ? fmt::format("off by {}", offset.describe())
              : fmt::format("off by {} at joint '{}'", offset.describe(), offset.joint)};
}

/// The joints that a goal gives values for, and their values over where the scene begins.
struct AskedConfiguration {
  std::vector<JointId> joints;
  VecX q;
};

AskedConfiguration find_asked(const TaskScene& world, const MoveOptions& o) {
  const Scene& scene = world.scene;
  AskedConfiguration asked{{}, world.start};
  const NamedConfiguration* named = scene.find_configuration(o.configuration);
  if (!named) named = scene.find_configuration(o.actor + "/" + o.configuration);
  if (!o.configuration.empty() && named) {
    apply(scene, *named, asked.q);
    for (const auto& [joint, values] : named->values) asked.joints.push_back(joint);
  }
  for (const auto& [name, values] : o.joints) {
    std::optional<JointId> id = scene.find_joint(name);
    if (!id) id = scene.find_joint(o.actor + "/" + name);
    if (!id) continue;
    const Joint& joint = scene.joint(*id);
    for (int k = 0; k < joint.nq; ++k) asked.q[joint.q + k] = values[static_cast<std::size_t>(k)];
    asked.joints.push_back(*id);
  }
  Notes notes;
  clamp_rounding(scene, asked.q, notes);
  normalize(scene, asked.q);
  return asked;
}

/// In closed chains those joints count that values are given for; elsewhere the others stay.
Demand check_configuration(const TaskScene& world, const MoveOptions& o,
                           std::span<const JointId> moving, ConstVecRef q) {
  const AskedConfiguration asked = find_asked(world, o);
  const bool is_chain = !world.scene.loops().empty();
  std::vector<JointId> joints;
  for (const JointId id : moving)
    if (!is_chain || std::find(asked.joints.begin(), asked.joints.end(), id) != asked.joints.end())
      joints.push_back(id);
  return judge("goal", measure_offset(world.scene, joints, q, asked.q),
               is_chain ? kChain : Slack{});
}

/// The nearest of several poses.
Demand check_pose(const Scene& scene, BodyId body, std::span<const Pose> poses, bool keeps,
                  ConstVecRef q) {
  // What poses are searched for to, and what goals that are kept may be moved by.
  const Slack slack{1.1e-5 + (keeps ? 2 * kKeepLength : 0), 1.1e-5 + (keeps ? kKeepAngle : 0)};
  Workspace workspace(scene);
  compute_kinematics(scene, q, workspace);
  const Pose X = compute_pose(scene, workspace, body);
  Offset best{kInfinity, kInfinity, {}};
  for (const Pose& pose : poses) {
    const Offset offset{
        (X.p - pose.p).norm(), Eigen::AngleAxisd(X.R.transpose() * pose.R).angle(), {}};
    if (offset.length + offset.angle < best.length + best.angle) best = offset;
  }
  return judge("goal", best, slack);
}

/// At frames and in the middle between them; that it is kept in between is the verifier's to prove,
/// which holds the motion against the closed chains of what is kept.
Demand check_keep(const TaskScene& world, const std::vector<TaskConstraint>& kept,
                  const JointMotion& motion) {
  std::vector<Reasons::Conflict> worst;
  VecX q(world.scene.nq());
  const std::size_t last = 2 * (motion.times.size() - 1);
  for (std::size_t i = 0; i <= last; ++i) {
    const std::size_t k = i / 2;
    const double time = i % 2 == 0 ? motion.times[k] : (motion.times[k] + motion.times[k + 1]) / 2;
    interpolate(world.scene, motion, time, q);
    const auto off = measure_keep(world.scene, kept, world.start, q);
    if (worst.empty()) worst = off;
    for (std::size_t j = 0; j < off.size(); ++j) worst[j].by = std::max(worst[j].by, off[j].by);
  }
  const std::string how = say_off(worst);
  return {"keep", !is_conflict(worst), how.empty() ? "as at the start" : how};
}

Demand check_room(const Scene& scene, const JointMotion& motion, std::span<const JointId> joints,
                  const AxisBox& room) {
  double outside = 0;
  for (const JointId id : joints) {
    const Joint& joint = scene.joint(id);
    if (joint.type != JointType::free) continue;
    for (Eigen::Index k = 0; k < motion.q.cols(); ++k) {
      const Vec3 p = joint.X_PJ * Vec3(motion.q.col(k).segment<3>(joint.q));
      outside = std::max(outside, (room.min - p).cwiseMax(p - room.max).maxCoeff());
    }
  }
  const bool holds = outside <= Slack{}.length;
  return {"room", holds, holds ? "never left" : fmt::format("left by {}", format_length(outside))};
}

int find_mover(const Scene& scene, JointId joint) {
  for (std::size_t m = 0; m < scene.movers().size(); ++m)
    if (scene.movers()[m].joint == joint) return static_cast<int>(m);
  return -1;
}

}  // namespace

Demand check_start(const TaskScene& world, const JointMotion& motion,
                   std::span<const JointId> joints) {
  return judge("start", measure_offset(world.scene, joints, motion.q.col(0), world.start), {});
}

Demand check_limits(const Scene& scene, const JointMotion& motion,
                    std::span<const JointId> joints) {
  double worst = 1e-6;
  std::string where;
  for (Eigen::Index k = 0; k < motion.q.cols(); ++k) {
    for (const JointId id : joints) {
      const Joint& joint = scene.joint(id);
      const double excess = limit_violation(joint, motion.q.col(k).data() + joint.q);
      if (excess <= worst) continue;
      worst = excess;
      where = fmt::format(
          "joint '{}' is beyond its limits by {} at {}", joint.name,
          count_positions(joint.type) > 0 ? format_length(excess) : format_angle(excess),
          format_duration(motion.times[static_cast<std::size_t>(k)]));
    }
  }
  return {"limits", where.empty(), where.empty() ? "never exceeded" : where};
}

Demand check_speed(const Scene& scene, const JointMotion& motion, std::span<const JointId> joints,
                   double share) {
  // Times in files are rounded.
  constexpr double kRounding = 1e-3;
  double most = 0;
  std::string name;
  for (const JointId id : joints) {
    const Joint& joint = scene.joint(id);
    if (joint.nv != 1 || joint.limits.empty() || !(joint.limits.front().velocity < kInfinity))
      continue;
    for (std::size_t k = 1; k < motion.times.size(); ++k) {
      double v = 0;
      const auto column = static_cast<Eigen::Index>(k);
      difference(joint, motion.q.col(column - 1).data() + joint.q,
                 motion.q.col(column).data() + joint.q, &v);
      const double use = std::abs(v) / (motion.times[k] - motion.times[k - 1]) /
                         (share * joint.limits.front().velocity);
      if (use <= most) continue;
      most = use;
      name = joint.name;
    }
  }
  if (name.empty()) return {"speed", true, "no limits are given"};
  return {"speed", most <= 1 + kRounding,
          fmt::format("at most {:.1f} % of what is allowed, joint '{}'", 100 * most, name)};
}

Demand check_outside(const Scene& scene, const JointMotion& motion, JointId joint,
                     const GoalRegion& region) {
  const int mover = find_mover(scene, joint);
  const AxisBox part = measure_bodies(scene, motion.q.rightCols(1), mover);
  const AxisBox box =
      region.box.empty() ? measure_bodies(scene, motion.q.leftCols(1), mover, false) : region.box;
  double outside = -kInfinity;
  if (const auto& d = region.direction) {
    const double far = d->dot(box.centre()) + d->cwiseAbs().dot(box.size()) / 2;
    outside = d->dot(part.centre()) - d->cwiseAbs().dot(part.size()) / 2 - far;
  } else {
    outside = (part.min - box.max).cwiseMax(box.min - part.max).maxCoeff();
  }
  return {"goal", outside >= -Slack{}.length,
          outside >= 0 ? fmt::format("outside by {}", format_length(outside, 3))
                       : fmt::format("still inside by {}", format_length(-outside, 3))};
}

Result<std::vector<Demand>> check_move(const MoveOptions& o, const TaskScene& world,
                                       const JointMotion& motion) {
  const Scene& scene = world.scene;
  const Result<std::vector<JointId>> joints = find_moving_joints(scene, o);
  if (!joints) return joints.error();
  const Result<std::vector<TaskConstraint>> kept = read_keep(o.keep);
  if (!kept) return kept.error();
  std::vector<Demand> demands{check_start(world, motion, *joints)};
  const VecX end = motion.q.rightCols(1);
  if (const std::optional<GoalRegion> region = make_region(o)) {
    demands.push_back(check_outside(scene, motion, joints->front(), *region));
  } else if (o.pose || !o.poses.empty()) {
    const Result<BodyId> body = find_goal_body(scene, o);
    if (!body) return body.error();
    const std::vector<Pose> poses = o.pose ? std::vector{*o.pose} : o.poses;
    demands.push_back(check_pose(scene, *body, poses, !kept->empty(), end));
  } else {
    demands.push_back(check_configuration(world, o, *joints, end));
  }
  demands.push_back(check_limits(scene, motion, *joints));
  demands.push_back(check_speed(scene, motion, *joints, o.speed));
  if (const auto room = o.find_room()) demands.push_back(check_room(scene, motion, *joints, *room));
  if (!kept->empty()) demands.push_back(check_keep(world, *kept, motion));
  return demands;
}

}  // namespace geste::internal

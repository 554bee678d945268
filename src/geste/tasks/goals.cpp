#include "geste/tasks/internal/goals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/quantity.hpp"
#include "geste/ik/drag.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/tasks/internal/goal_limits.hpp"

namespace geste::internal {
namespace {

Diagnostic make_fault(const char* code, std::string message, std::string remedy) {
  return {.code = code,
          .message = std::move(message),
          .element = "task, move, goal",
          .remedy = std::move(remedy)};
}

bool is_planned(const PlanningSpace& space, const Joint& joint) {
  return std::any_of(space.items().begin(), space.items().end(),
                     [&](const auto& item) { return item.joint.name == joint.name; });
}

/// The goal's joints laid over where the scene begins.
Result<VecX> make_configuration(const TaskScene& world, const MoveOptions& o,
                                const PlanningSpace& space) {
  const Scene& scene = world.scene;
  VecX q = world.start;
  if (!o.configuration.empty()) {
    const NamedConfiguration* named = scene.find_configuration(o.configuration);
    if (!named) named = scene.find_configuration(o.actor + "/" + o.configuration);
    if (!named)
      return make_fault("plan.unknown_configuration",
                        fmt::format("there is no configuration '{}'", o.configuration),
                        "add it to `configurations`, or name one of the robot's SRDF");
    apply(scene, *named, q);
  }
  for (const auto& [name, values] : o.joints) {
    std::optional<JointId> id = scene.find_joint(name);
    if (!id) id = scene.find_joint(o.actor + "/" + name);
    if (!id)
      return make_fault("plan.unknown_joint", fmt::format("there is no joint '{}'", name),
                        "name joints as actor/joint");
    const Joint& joint = scene.joint(*id);
    if (!is_planned(space, joint))
      return make_fault("plan.joint_not_planned",
                        fmt::format("joint '{}' is not among those that move", name),
                        "name joints of the actor, and of the group where one is given");
    if (static_cast<int>(values.size()) != joint.nq)
      return make_fault(
          "plan.joint_values",
          fmt::format("joint '{}' takes {} values, not {}", name, joint.nq, values.size()),
          "give one number for a hinge or slide, [x, y, angle] in the plane");
    for (int k = 0; k < joint.nq; ++k) q[joint.q + k] = values[static_cast<std::size_t>(k)];
  }
  normalize(scene, q);
  return q;
}

/// Brings a body to a pose, from one configuration after the other.
class PoseSearch {
 public:
  PoseSearch(const TaskScene& world, const PlanningRig& rig, BodyId body, const Pose& X_WB)
      : scene_(world.scene),
        rig_(rig),
        body_(body),
        X_WB_(X_WB),
        workspace_(world.scene),
        local_(rig.world()) {
    options_.max_iterations = 100;
    for (const PlanningSpace::Item& item : rig.space().items())
      options_.joints.push_back(*scene_.find_joint(item.joint.name));
  }

  Goals run(ConstVecRef start, const Rng& seed, TaskResult& result) {
    constexpr int kTries = 200;
    constexpr std::size_t kEnough = 8;
    Goals goals;
    Rng rng = seed;
    VecX q = start, x(rig_.space().size());
    for (int i = 0; i < kTries && goals.points.size() < kEnough; ++i) {
      if (i > 0) {
        rig_.space().sample(rng, x);
        if (!rig_.space().complete(x, q, workspace_)) continue;
      }
      if (!reaches(q, x)) continue;
      if (local_.is_free(x)) {
        if (is_new(goals.points, x)) goals.points.push_back(x);
      } else if (blocked_.size() == 0) {
        blocked_ = x;
      }
    }
    if (goals.points.empty()) {
      goals.reason = explain(result);
      if (blocked_.size() == 0) goals.kind = "unreachable";
    }
    return goals;
  }

 private:
  /// Moves q until the body is there, with the planned joints alone.
  bool reaches(VecX& q, VecX& x) {
    drag_body(scene_, {body_, Vec3::Zero(), X_WB_.p, X_WB_.R}, q, workspace_, options_);
    rig_.space().gather(q, x);
    VecX complete(scene_.nq());
    if (!rig_.space().complete(x, complete, workspace_)) return false;
    compute_kinematics(scene_, complete, workspace_);
    const Pose X = compute_pose(scene_, workspace_, body_);
    const double away = (X.p - X_WB_.p).norm();
    const double turned = Eigen::AngleAxisd(X.R.transpose() * X_WB_.R).angle();
    if (away + turned < nearest_ + least_turn_) {
      nearest_ = away;
      least_turn_ = turned;
    }
    constexpr double kNear = 1e-5;  // m and rad
    return away < kNear && turned < kNear;
  }

  [[nodiscard]] bool is_new(const std::vector<VecX>& points, const VecX& x) const {
    return std::none_of(points.begin(), points.end(),
                        [&](const VecX& other) { return rig_.space().distance(other, x) < 1e-3; });
  }

  std::string explain(TaskResult& result) const {
    if (blocked_.size() > 0) {
      const auto why = explain_end(rig_, blocked_, "goal", result);
      return fmt::format("the goal can be reached only where it is not free: {}",
                         why.value_or("nearer than it may be"));
    }
    return fmt::format("the goal cannot be reached: {} stays {} and {} degrees away",
                       scene_.body(body_).name, format_length(nearest_, 3),
                       format_number(least_turn_ * 180 / kPi, 3));
  }

  const Scene& scene_;
  const PlanningRig& rig_;
  BodyId body_;
  Pose X_WB_;
  Workspace workspace_;
  LocalPlanner local_;
  VecX blocked_;
  DragOptions options_;
  double nearest_ = kInfinity;  ///< m and rad that the best try was away
  double least_turn_ = kInfinity;
};

/// Where a body can come to one of several poses; of those that it cannot the first is explained.
Goals find_any(const TaskScene& world, const std::vector<Pose>& poses, const PlanningRig& rig,
               BodyId body, const Rng& rng, TaskResult& result) {
  Goals all;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    Goals found = PoseSearch(world, rig, body, poses[i]).run(world.start, rng.split(i), result);
    all.points.insert(all.points.end(), found.points.begin(), found.points.end());
    if (all.reason.empty()) all.reason = found.reason;
    if (i == 0) all.kind = found.kind;
  }
  // Collisions at a pose that is not needed are nobody's concern.
  if (!all.points.empty()) result.collisions.clear();
  return all;
}

/// The body that a pose is meant of: as named, or the part itself.
Result<BodyId> find_goal_body(const Scene& scene, const MoveOptions& o) {
  std::optional<BodyId> body = scene.find_body(o.body.empty() ? o.actor : o.body);
  if (!body && !o.body.empty()) body = scene.find_body(o.actor + "/" + o.body);
  if (!body && o.body.empty()) {
    const std::vector<BodyId>& bodies = scene.actor(*scene.find_actor(o.actor)).bodies;
    if (bodies.size() == 1) body = bodies.front();
  }
  if (body) return *body;
  return make_fault("plan.unknown_body",
                    o.body.empty() ? "a pose of an actor needs the body that is meant"
                                   : fmt::format("there is no body '{}'", o.body),
                    "name it as actor/link in `body`");
}

}  // namespace

Result<Goals> find_goals(const TaskScene& world, const MoveOptions& options, const PlanningRig& rig,
                         const Rng& rng, TaskResult& result) {
  if (const std::optional<GoalRegion> region = make_region(options)) {
    if (!is_loose_part(rig.space()))
      return make_fault("plan.region", "only a loose part can be asked to be outside a box",
                        "name a movable part, or give another goal");
    VecX x(rig.space().size());
    rig.space().gather(world.start, x);
    return find_region_goals(rig, x, *region, rng);
  }
  if (options.pose || !options.poses.empty()) {
    const Result<BodyId> body = find_goal_body(world.scene, options);
    if (!body) return body.error();
    if (options.pose)
      return PoseSearch(world, rig, *body, *options.pose).run(world.start, rng, result);
    return find_any(world, options.poses, rig, *body, rng, result);
  }
  Result<VecX> q = make_configuration(world, options, rig.space());
  if (!q) return q.error();
  clamp_rounding(world.scene, *q, result.notes);
  VecX x(rig.space().size());
  rig.space().gather(*q, x);
  rig.space().close(x);
  Goals goals;
  if (const auto why = explain_end(rig, x, "goal", result))
    goals.reason = "the goal is not free: " + *why;
  else
    goals.points.push_back(std::move(x));
  return goals;
}

}  // namespace geste::internal

#include "geste/tasks/internal/goals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/quantity.hpp"
#include "geste/ik/drag.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/planning/confinement.hpp"
#include "geste/tasks/internal/goal_limits.hpp"
#include "geste/tasks/internal/keep.hpp"

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

Goals refuse(std::string reason, Reasons reasons) {
  Goals goals;
  goals.reason = std::move(reason);
  goals.reasons = std::move(reasons);
  return goals;
}

Goals refuse_keep(std::vector<Reasons::Conflict> off) {
  const std::string text =
      fmt::format("`keep` and the goal contradict each other: at the goal {}", say_off(off));
  std::erase_if(off, [](const auto& c) { return !is_conflict({c}); });
  return refuse(text, {.kind = "keep", .grade = Grade::proven, .conflicts = std::move(off)});
}

void note_rounding(const std::string& how, TaskResult& result) {
  result.notes.push_back({.code = "move.goal_adjusted",
                          .message = "is moved by less than can be told from rounding: " + how,
                          .element = "task, move, goal",
                          .remedy = "give it with more digits should that matter"});
}

/// The space's joints that a goal gives values for.
std::vector<bool> find_asked(const TaskScene& world, const MoveOptions& o,
                             const PlanningSpace& space) {
  const Scene& scene = world.scene;
  const NamedConfiguration* named = scene.find_configuration(o.configuration);
  if (!named) named = scene.find_configuration(o.actor + "/" + o.configuration);
  const auto is_asked = [&](const Joint& joint) {
    for (const auto& [name, values] : o.joints)
      if (joint.name == name || joint.name == o.actor + "/" + name) return true;
    return named && std::any_of(named->values.begin(), named->values.end(), [&](const auto& v) {
             return scene.joint(v.first).name == joint.name;
           });
  };
  std::vector<bool> asked;
  for (const PlanningSpace::Item& item : space.items()) asked.push_back(is_asked(item.joint));
  return asked;
}

/// How far joints with given values are elsewhere.
std::vector<Reasons::Conflict> measure_change(const PlanningSpace& space,
                                              const std::vector<bool>& asked, ConstVecRef before,
                                              ConstVecRef after) {
  std::vector<Reasons::Conflict> changes;
  for (std::size_t i = 0; i < space.items().size(); ++i) {
    const PlanningSpace::Item& item = space.items()[i];
    if (!asked[i]) continue;
    const int positions = count_positions(item.joint.type);
    VecX v(item.joint.nv);
    difference(item.joint, before.data() + item.x, after.data() + item.x, v.data());
    const double along = v.head(positions).norm(), turned = v.tail(v.size() - positions).norm();
    if (along > 1e-9) changes.push_back({item.joint.name, along, false});
    if (turned > 1e-9) changes.push_back({item.joint.name, turned, true});
  }
  return changes;
}

/// Closes a point next to where the joints with given values have them: projected to the closed
/// configurations and to these values in turn. False where it cannot be closed.
bool close_near(const PlanningSpace& space, const std::vector<bool>& asked, VecX& x) {
  constexpr int kRounds = 100;
  const VecX goal = x;
  for (int round = 0; round < kRounds; ++round) {
    if (!space.close(x)) return false;
    if (round + 1 == kRounds || measure_change(space, asked, goal, x).empty()) break;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const PlanningSpace::Item& item = space.items()[i];
      if (asked[i]) x.segment(item.x, item.joint.nq) = goal.segment(item.x, item.joint.nq);
    }
  }
  return true;
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
    if (goals.points.empty()) explain(goals, result);
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

  void explain(Goals& goals, TaskResult& result) const {
    auto beyond = blocked_.size() > 0 ? find_limit_conflicts(rig_.space(), blocked_)
                                      : std::vector<Reasons::Conflict>();
    if (!beyond.empty() && is_loose_part(rig_.space())) {
      goals.reason = fmt::format("the goal is beyond the limits: {}", say_limits(beyond));
      goals.reasons.kind = "limits";
      goals.reasons.conflicts = std::move(beyond);
      return;
    }
    if (blocked_.size() > 0) {
      const auto why = explain_end(rig_, blocked_, "goal", result);
      goals.reason =
          fmt::format("the goal {} not free: {}",
                      is_loose_part(rig_.space()) ? "is" : "was reached only where it is",
                      why.value_or("nearer than it may be"));
      // A free body has one configuration for a pose.
      if (!is_loose_part(rig_.space())) goals.reasons.grade = Grade::found_by_search;
      return;
    }
    goals.reasons.kind = "unreachable";
    const std::string& name = scene_.body(body_).name;
    if (const double away = measure_beyond_reach(); away > 0) {
      goals.reason = fmt::format("the goal is out of reach: {} {} away at least, proven", name,
                                 format_length(away, 3));
      return;
    }
    goals.reasons.grade = Grade::found_by_search;
    goals.reason = fmt::format(
        "no configuration was found that reaches the goal: {} stays {} and {} "
        "away in the best of {} tries",
        name, format_length(nearest_, 3), format_angle(least_turn_, 3), kTries);
  }

  /// m; how far the goal is outside of where the joints can bring the body, 0 where that is not
  /// known.
  [[nodiscard]] double measure_beyond_reach() const {
    const PlanningSpace& space = rig_.space();
    const auto range = bound_range(space, body_, Vec3::Zero());
    if (!range.is_bounded()) return 0;
    const Vec3 apart = (range.box.min - X_WB_.p).cwiseMax(X_WB_.p - range.box.max);
    const double beyond =
        std::max(apart.cwiseMax(0).norm(), (X_WB_.p - range.centre).norm() - range.radius);
    // Less than that is rounding.
    return beyond > 1e-6 * (1 + range.radius) ? beyond : 0;
  }

  static constexpr int kTries = 200;

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

/// What a pose of a body means for the bodies that are fixed to it and keep something: a conflict,
/// or the pose that keeps it, no farther away than rounding.
std::optional<Goals> fit_to_keep(const TaskScene& world, const std::vector<TaskConstraint>& kept,
                                 BodyId body, Pose& X_WB, TaskResult& result) {
  const Scene& scene = world.scene;
  Workspace workspace(scene);
  compute_kinematics(scene, world.start, workspace);
  const Pose X_BW = compute_pose(scene, workspace, body).inverse();
  for (const TaskConstraint& c : kept) {
    const BodyId other = scene.find_body(c.body).value();
    if (scene.body(other).mover != scene.body(body).mover) continue;
    const Pose X_start = compute_pose(scene, workspace, other);
    const Pose X_BO = X_BW * X_start;
    auto off = measure_keep(c, X_start, X_WB * X_BO);
    if (is_conflict(off)) return refuse_keep(std::move(off));
    if (const std::string how = say_off(off); !how.empty()) {
      note_rounding(how, result);
      X_WB = snap_to_keep(c, X_start, X_WB * X_BO) * X_BO.inverse();
    }
  }
  return std::nullopt;
}

/// Numbers in the checks of collisions end there.
std::optional<Goals> refuse_too_far(const Pose& pose) {
  constexpr double kMost = 1e5;  // m
  const double away = pose.p.cwiseAbs().maxCoeff();
  if (away <= kMost) return std::nullopt;
  return refuse(fmt::format("the goal is {} away, farther than the {} that can be checked",
                            format_length(away), format_length(kMost)),
                {.kind = "limits", .grade = Grade::proven});
}

/// Where a body can come to one of several poses; of those that it cannot the first is explained.
Goals find_any(const TaskScene& world, const std::vector<Pose>& poses, const PlanningRig& rig,
               BodyId body, const std::vector<TaskConstraint>& kept, const Rng& rng,
               TaskResult& result) {
  Goals all;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    Pose pose = poses[i];
    std::optional<Goals> found = refuse_too_far(pose);
    if (!found) found = fit_to_keep(world, kept, body, pose, result);
    if (!found)
      found = PoseSearch(world, rig, body, pose)
                  .run(world.start, poses.size() == 1 ? rng : rng.split(i), result);
    all.points.insert(all.points.end(), found->points.begin(), found->points.end());
    if (all.reason.empty()) all.reason = found->reason;
    if (i == 0) all.reasons = found->reasons;
  }
  if (!all.points.empty()) {
    all.reason.clear();
    // Collisions at a pose that is not needed are nobody's concern.
    result.collisions.clear();
  } else if (!kept.empty() && all.reasons.kind == "unreachable") {
    all.reason += ", with what it keeps";
  }
  return all;
}

/// Closes a goal that was asked for joint by joint: what is kept and closed chains may move it by
/// no more than rounding. Otherwise why it cannot be.
std::optional<Goals> close_goal(const TaskScene& world, const MoveOptions& options,
                                const PlanningRig& rig, VecX& x, TaskResult& result) {
  // Chains are given by hand, with few digits.
  constexpr double kChainLength = 10e-3, kChainAngle = kPi / 180;
  const PlanningSpace& space = rig.space();
  if (!space.has_loops()) return std::nullopt;
  const std::vector<TaskConstraint> kept = read_keep(options.keep).value();
  if (!kept.empty()) {
    // As asked for, not as closed.
    VecX q = world.start;
    for (const PlanningSpace::Item& item : space.items())
      q.segment(item.joint.q, item.joint.nq) = x.segment(item.x, item.joint.nq);
    Workspace workspace(world.scene);
    static_cast<void>(compute_dependents(world.scene, q, workspace));
    auto off = measure_keep(world.scene, kept, world.start, q);
    if (is_conflict(off)) return refuse_keep(std::move(off));
    if (const std::string how = say_off(off); !how.empty()) note_rounding(how, result);
  }
  const VecX before = x;
  const std::vector<bool> asked = find_asked(world, options, space);
  // What cannot be closed is explained as an end that cannot.
  if (!close_near(space, asked, x)) return std::nullopt;
  std::vector<Reasons::Conflict> changes = measure_change(space, asked, before, x);
  const auto is_far = [&](const Reasons::Conflict& c) {
    return c.by > (c.is_angle ? kChainAngle : kChainLength);
  };
  if (std::any_of(changes.begin(), changes.end(), is_far)) {
    std::erase_if(changes, [&](const auto& c) { return !is_far(c); });
    std::string text =
        fmt::format("the goal does not close its chains: closed next to it {}", say_off(changes));
    return refuse(std::move(text),
                  {.kind = "goal", .grade = Grade::found_by_search, .conflicts = changes});
  }
  if (const std::string how = say_off(changes); kept.empty() && !how.empty())
    result.notes.push_back(
        {.code = "move.goal_closed",
         .message = "does not close its chains, and is closed next to it: " + how,
         .element = "task, move, goal",
         .remedy = "give values that close them should that matter"});
  return std::nullopt;
}

}  // namespace

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
    const Result<std::vector<TaskConstraint>> kept = read_keep(options.keep);
    if (!kept) return kept.error();
    const std::vector<Pose> poses = options.pose ? std::vector{*options.pose} : options.poses;
    return find_any(world, poses, rig, *body, *kept, rng, result);
  }
  Result<VecX> q = make_configuration(world, options, rig.space());
  if (!q) return q.error();
  clamp_rounding(world.scene, *q, result.notes);
  VecX x(rig.space().size());
  rig.space().gather(*q, x);
  if (auto beyond = find_limit_conflicts(rig.space(), x); !beyond.empty())
    return refuse(fmt::format("the goal is beyond the limits: {}", say_limits(beyond)),
                  {.kind = "limits", .grade = Grade::proven, .conflicts = std::move(beyond)});
  if (auto conflict = close_goal(world, options, rig, x, result)) return std::move(*conflict);
  Goals goals;
  if (const auto why = explain_end(rig, x, "goal", result))
    goals.reason = "the goal is not free: " + *why;
  else
    goals.points.push_back(std::move(x));
  return goals;
}

}  // namespace geste::internal

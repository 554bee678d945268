#include "geste/tasks/internal/planning_rig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "geste/core/index.hpp"
#include "geste/core/quantity.hpp"
#include "geste/core/text.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/planning/steering/registry.hpp"
#include "geste/tasks/internal/start_contacts.hpp"

namespace geste::internal {
namespace {

/// A box around everything that collides, the origins of what moves and the places, with room on
/// each side for what moves to go round. In the world's frame.
AxisBox find_surroundings(const Scene& scene, const CollisionModel& model, ConstVecRef q,
                          const std::vector<Vec3>& places) {
  Workspace workspace(scene);
  compute_kinematics(scene, q, workspace);
  AxisBox all;
  double reach = 0;
  for (const CollisionObject& o : model.objects()) {
    const Pose& X_WM = workspace.X_WM()[at(o.mover)];
    const AxisBox box = place_box(X_WM * o.X_MO, o.collider.box());
    all.add(box);
    if (o.mover == 0) continue;
    all.add(X_WM.p);
    reach = std::max({reach, (box.min - X_WM.p).norm(), (box.max - X_WM.p).norm()});
  }
  for (const Vec3& place : places) all.add(place);
  return all.empty() ? all : inflate(all, 2 * reach);
}

bool needs_room(const Joint& joint) {
  return joint.type == JointType::free || joint.type == JointType::planar;
}

/// Whether a box of the world is more than itself in the axes of a joint.
bool is_askew(const Joint& joint) {
  constexpr double kAligned = 1e-12;
  return ((joint.X_PJ.R.array().abs() - 0.5).abs() < 0.5 - kAligned).any();
}

/// Joints in a plane do not leave it, wherever the box is across it.
AxisBox widen(const Joint& joint, AxisBox box) {
  if (joint.type != JointType::planar) return box;
  for (int k = 0; k < 3; ++k) {
    if (joint.X_PJ.R.row(k).head<2>().norm() > 1e-9) continue;
    box.min[k] = -kInfinity;
    box.max[k] = kInfinity;
  }
  return box;
}

/// The room seen from the frame of each joint; all space for those that place nothing in the world.
Result<std::vector<Room>> make_rooms(const Scene& scene, const CollisionModel& model,
                                     ConstVecRef start, std::span<const JointId> joints,
                                     const Surroundings& around) {
  std::vector<Room> rooms(joints.size());
  std::optional<AxisBox> box = around.room;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Joint& joint = scene.joint(joints[i]);
    if (!needs_room(joint)) continue;
    if (joint.parent.valid()) {
      if (!around.room) continue;
      return Diagnostic{
          .code = "plan.room",
          .message = "hangs on another body, so that a room in the world says nothing",
          .element = fmt::format("joint '{}'", joint.name),
          .remedy = "leave out `room` and give the joint limits"};
    }
    if (!box) box = find_surroundings(scene, model, start, around.places);
    if (box->empty()) continue;
    const AxisBox seen = place_box(joint.X_PJ.inverse(), *box);
    rooms[i] = {seen.min, seen.max, {}};
    if (around.room && is_askew(joint)) rooms[i].in_parent = widen(joint, *box);
  }
  return rooms;
}

std::string join(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

CollisionOptions make_planning_options(const TaskScene& world, const TaskFile& file, int threads,
                                       const CancelToken& cancel) {
  CollisionOptions options;
  static_cast<CollisionSpec&>(options) = make_collision_spec(world, file.collision);
  options.reserve = 2 * kTouch;
  options.threads = threads;
  options.cancel = cancel;
  // What is outside its limits reaches farther than they say.
  options.use_reach = is_within_limits(world.scene, world.start);
  return options;
}

Result<std::unique_ptr<PlanningRig>> PlanningRig::make(const TaskScene& world, const TaskFile& file,
                                                       std::span<const JointId> joints,
                                                       const Surroundings& around, int threads,
                                                       const CancelToken& cancel,
                                                       const SteeringChoice& steering) {
  const Scene& scene = world.scene;
  Result<CollisionModel> model =
      CollisionModel::make(scene, make_planning_options(world, file, threads, cancel));
  if (!model) {
    Error error = model.error();
    if (error.file.empty()) error.file = file.file;
    return error;
  }
  const std::vector<JointId> all = find_moved_joints(scene, joints);
  const auto rooms = make_rooms(scene, *model, world.start, all, around);
  if (!rooms) return rooms.error();
  Result<PlanningSpace> space = PlanningSpace::make(scene, *model, all, world.start, *rooms);
  if (!space) {
    Error error = space.error();
    if (error.file.empty()) error.file = file.file;
    return error;
  }
  std::unique_ptr<PlanningRig> rig(
      new PlanningRig(scene, std::move(*model), std::move(*space), threads));
  auto method = make_chosen_steering(rig->space_, steering);
  if (!method) return method.error();
  rig->steering_ = std::move(*method);
  rig->steering_text_ = to_text(steering);
  rig->is_order_searched_ = steering.is_order_searched;
  rig->has_room_ = around.room.has_value();
  return rig;
}

Result<std::vector<JointId>> find_moving_joints(const Scene& scene, const std::string& actor,
                                                const std::string& group) {
  const std::optional<ActorId> id = scene.find_actor(actor);
  std::vector<std::string> names;
  if (!id) {
    for (const Actor& a : scene.actors()) names.push_back(a.name);
    return Diagnostic{.code = "plan.unknown_actor",
                      .message = fmt::format("there is no actor or part '{}'", actor),
                      .element = "task, move",
                      .remedy = names.empty() ? "add one" : "choose one of " + join(names)};
  }
  std::vector<JointId> joints;
  for (const BodyId body : scene.actor(*id).bodies) {
    const JointId joint = scene.body(body).joint;
    if (!joint.valid()) continue;
    const Joint& j = scene.joint(joint);
    if (j.nv > 0 && j.role == JointRole::independent) joints.push_back(joint);
  }
  if (!group.empty()) {
    const Group* named = scene.find_group(group);
    if (!named) named = scene.find_group(actor + "/" + group);
    if (!named) {
      for (const Group& g : scene.groups()) names.push_back(g.name);
      return Diagnostic{.code = "plan.unknown_group",
                        .message = fmt::format("there is no group '{}'", group),
                        .element = "task, move",
                        .remedy = names.empty() ? "leave it out" : "choose one of " + join(names)};
    }
    std::erase_if(joints, [&](JointId j) {
      return std::find(named->joints.begin(), named->joints.end(), j) == named->joints.end();
    });
  }
  if (joints.empty())
    return Diagnostic{.code = "plan.nothing_moves",
                      .message = fmt::format("nothing of '{}' can move by itself", actor),
                      .element = "task, move",
                      .remedy = "name an actor with joints, or make the part `movable: true`"};
  std::sort(joints.begin(), joints.end());
  return joints;
}

std::vector<Reasons::Conflict> find_limit_conflicts(const PlanningSpace& space, ConstVecRef x) {
  std::vector<Reasons::Conflict> conflicts;
  for (const PlanningSpace::Item& item : space.items()) {
    const Joint& joint = item.joint;
    const double* values = x.data() + item.x;
    const double outside = item.measure_excess(values);
    if (!(outside > 1e-9)) continue;
    if (outside > limit_violation(joint, values)) {
      conflicts.push_back({joint.name, outside, false});
      continue;
    }
    Reasons::Conflict worst{joint.name, 0, true};
    for (int k = 0; k < count_plain_entries(joint.type); ++k) {
      const DofLimits& l = joint.limits[at(k)];
      const double excess = std::max(l.lower - values[k], values[k] - l.upper);
      if (excess > worst.by) worst = {joint.name, excess, k >= count_positions(joint.type)};
    }
    if (!(worst.by > 0)) worst.by = outside;
    conflicts.push_back(std::move(worst));
  }
  return conflicts;
}

std::string say_limits(const std::vector<Reasons::Conflict>& conflicts) {
  std::string text;
  for (const Reasons::Conflict& c : conflicts)
    text += fmt::format("{}joint '{}' is beyond its limits{} by {}", text.empty() ? "" : ", ",
                        c.what, c.is_angle ? "" : " or its room",
                        c.is_angle ? format_angle(c.by, 3) : format_length(c.by, 3));
  return text;
}

std::optional<std::string> explain_end(const PlanningRig& rig, ConstVecRef x, const char* where,
                                       TaskResult& result) {
  const PlanningSpace& space = rig.space();
  const Scene& scene = space.scene();
  if (const auto beyond = find_limit_conflicts(space, x); !beyond.empty())
    return say_limits(beyond);
  VecX q(scene.nq());
  Workspace workspace(scene);
  if (!space.complete(x, q, workspace)) return "its closed chains cannot be closed there";
  compute_kinematics(scene, q, workspace);
  CollisionWorkspace memory(rig.model());
  const std::vector<PairClearance> pairs = find_collisions(rig.model(), workspace, memory);
  if (pairs.empty()) return std::nullopt;
  std::string text;
  for (const PairClearance& pair : pairs) {
    const Separation& s = pair.separation;
    const std::string a = name_part(scene, pair.a), b = name_part(scene, pair.b);
    result.collisions.push_back({where, a, b, -s.distance, (s.on_a + s.on_b) / 2});
    if (!text.empty()) continue;
    text = s.distance <= 0
               ? fmt::format("{} and {} collide, {} deep", a, b, format_length(-s.distance, 3))
           : pair.margin <= rig.model().options().reserve
               ? fmt::format("{} and {} touch: they are nearer than {}", a, b,
                             format_length(pair.margin, 3))
               : fmt::format("{} and {} are {} apart, less than their margin of {}", a, b,
                             format_length(s.distance, 3), format_length(pair.margin, 3));
  }
  if (pairs.size() > 1) text += fmt::format(", and {} more", pairs.size() - 1);
  return text;
}

TaskOutcome make_outcome(const TaskRun& run, TaskScene world, TaskResult result) {
  // Without a motion the files show where it would have begun.
  if (result.motion.times.empty()) result.motion = {{0}, world.start};
  result.seed = run.seed;
  result.task_file = {run.file.file, run.file.sha256};
  result.inputs = world.inputs;
  result.notes.insert(result.notes.begin(), world.notes.begin(), world.notes.end());
  return {std::move(world), std::move(result)};
}

Diagnostic explain_cancel(const TaskRun& run) {
  return {.code = "cancelled", .message = "stopped before the end", .file = run.file.file};
}

std::vector<std::pair<std::string, double>> count_stops(const PlanningRig& rig,
                                                        const PlanReport& report) {
  const Scene& scene = rig.space().scene();
  std::map<std::string, std::uint64_t> by_part;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < report.stops.size(); ++i) {
    const CollisionObject& o = rig.model().objects()[i];
    if (rig.space().moves(o.mover)) continue;
    by_part[name_part(scene, o.body)] += report.stops[i];
    total += report.stops[i];
  }
  std::vector<std::pair<std::string, double>> fractions;
  for (const auto& [name, stops] : by_part)
    if (stops > 0)
      fractions.emplace_back(name, static_cast<double>(stops) / static_cast<double>(total));
  std::stable_sort(fractions.begin(), fractions.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return fractions;
}

std::string list_blockers(const PlanningRig& rig, const PlanReport& report) {
  constexpr std::size_t kMost = 3;
  std::string text;
  const auto fractions = count_stops(rig, report);
  for (std::size_t k = 0; k < std::min(kMost, fractions.size()); ++k)
    text += fmt::format("{}{} ({:.0f} %)", text.empty() ? "" : ", ", fractions[k].first,
                        100 * fractions[k].second);
  return text;
}

}  // namespace geste::internal

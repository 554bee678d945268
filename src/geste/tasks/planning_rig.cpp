#include "geste/tasks/internal/planning_rig.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/index.hpp"
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
    rooms[i] = {seen.min, seen.max};
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

std::optional<std::string> explain_end(const PlanningRig& rig, ConstVecRef x, const char* where,
                                       TaskResult& result) {
  const PlanningSpace& space = rig.space();
  const Scene& scene = space.scene();
  for (const PlanningSpace::Item& item : space.items()) {
    const double excess = limit_violation(item.joint, x.data() + item.x);
    if (excess > 1e-9)
      return fmt::format("joint '{}' is outside its limits or its room there by {:.3g}",
                         item.joint.name, excess);
  }
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
    const std::string &a = scene.body(pair.a).name, &b = scene.body(pair.b).name;
    result.collisions.push_back({where, a, b, -s.distance, (s.on_a + s.on_b) / 2});
    if (!text.empty()) continue;
    text = s.distance <= 0
               ? fmt::format("{} and {} collide, {:.3g} mm deep", a, b, -1e3 * s.distance)
           : pair.margin <= rig.model().options().reserve
               ? fmt::format("{} and {} touch: they are nearer than {:.3g} mm", a, b,
                             1e3 * pair.margin)
               : fmt::format("{} and {} are {:.3g} mm apart, less than their margin of {:.3g} mm",
                             a, b, 1e3 * s.distance, 1e3 * pair.margin);
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

std::string list_blockers(const PlanningRig& rig, const PlanReport& report) {
  const Scene& scene = rig.space().scene();
  std::vector<std::pair<std::uint64_t, int>> counts;  // by body, of what is not planned
  std::vector<std::uint64_t> by_body(scene.bodies().size());
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < report.stops.size(); ++i) {
    const CollisionObject& o = rig.model().objects()[i];
    if (rig.space().moves(o.mover)) continue;
    by_body[o.body.index()] += report.stops[i];
    total += report.stops[i];
  }
  for (std::size_t i = 0; i < by_body.size(); ++i)
    if (by_body[i] > 0) counts.emplace_back(by_body[i], -static_cast<int>(i));
  std::sort(counts.rbegin(), counts.rend());
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, counts.size()); ++k) {
    const double share = 100.0 * static_cast<double>(counts[k].first) / static_cast<double>(total);
    text += fmt::format("{}{} ({:.0f} %)", text.empty() ? "" : ", ",
                        scene.bodies()[at(-counts[k].second)].name, share);
  }
  return text;
}

}  // namespace geste::internal

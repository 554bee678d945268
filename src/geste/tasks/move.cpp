#include "geste/tasks/move.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/model/assemble.hpp"
#include "geste/planning/round.hpp"
#include "geste/planning/timing.hpp"
#include "geste/tasks/internal/certify.hpp"
#include "geste/tasks/internal/goals.hpp"
#include "geste/tasks/internal/planning_rig.hpp"

namespace geste {
namespace {

using internal::PlanningRig;

/// Where loose parts may be, and where they are to come to in any case.
internal::Surroundings make_surroundings(const MoveOptions& o) {
  internal::Surroundings around;
  if (o.room_low && o.room_high) around.room = AxisBox{*o.room_low, *o.room_high};
  if (o.pose) around.places.push_back(o.pose->p);
  return around;
}

void add_search_figures(const PlanReport& report, TaskResult& result) {
  result.figures.push_back({"samples", static_cast<double>(report.steps), "1"});
  result.figures.push_back({"legs_checked", static_cast<double>(report.counts.legs), "1"});
  result.figures.push_back({"points_kept", static_cast<double>(report.nodes), "1"});
}

/// Why nothing was found, in one sentence.
std::string explain(const PlanningRig& rig, const PlanReport& report) {
  std::string text = fmt::format(
      "No motion found within {} samples: what is reached from the start and from the goal stays "
      "{:.3g} apart (in radians, or lengths of what moves)",
      report.steps, report.gap);
  const std::string blockers = internal::list_blockers(rig, report);
  if (!blockers.empty()) text += fmt::format("; most often in the way: {}", blockers);
  return text + ".";
}

Diagnostic explain_cancel(const std::string& file) {
  return {.code = "cancelled", .message = "stopped before the end", .file = file};
}

/// "cup.roll" and the like, by body.
Result<std::vector<TaskConstraint>> read_constraints(const std::vector<std::string>& keep) {
  static constexpr const char* kNames[] = {"x", "y", "z", "roll", "pitch", "yaw"};
  std::vector<TaskConstraint> constraints;
  std::vector<Diagnostic> faults;
  for (const std::string& text : keep) {
    const std::size_t dot = std::min(text.rfind('.'), text.size());
    const auto* found = std::find(std::begin(kNames), std::end(kNames),
                                  text.substr(std::min(dot + 1, text.size())));
    if (found == std::end(kNames)) {
      faults.push_back({"move.keep", fmt::format("'{}' is nothing that can be kept", text), "", 0,
                        0, "task, move",
                        "name a body and one of x, y, z, roll, pitch, yaw, as in cup.roll"});
      continue;
    }
    const std::string body = text.substr(0, dot);
    auto own = std::find_if(constraints.begin(), constraints.end(),
                            [&](const TaskConstraint& c) { return c.body == body; });
    if (own == constraints.end()) own = constraints.insert(own, {body, {}});
    own->keep[static_cast<std::size_t>(found - kNames)] = true;
  }
  if (!faults.empty()) return make_error(std::move(faults));
  return constraints;
}

/// The scene in which bodies keep what the task says.
Result<void> add_constraints(const std::vector<std::string>& keep, std::span<const JointId> joints,
                             TaskScene& world) {
  if (keep.empty()) return {};
  const Result<std::vector<TaskConstraint>> constraints = read_constraints(keep);
  if (!constraints) return constraints.error();
  Result<Scene> constrained = constrain(world.scene, world.start, *constraints, joints);
  if (!constrained) return constrained.error();
  world.scene = std::move(*constrained);
  return {};
}

/// The path on a clock, with its proof. False when cancelled.
Result<bool> take_motion(const TaskScene& world, const TaskRun& run, const PlanningRig& rig,
                         const PlanReport& report, const MoveOptions& options, TaskResult& result) {
  TimingOptions timing;
  timing.speed = options.speed;
  MatX path = report.path;
  LocalPlanner local(rig.world());
  const int rounded = round_corners(path, {.is_on = options.round}, timing, local);
  result.motion = make_timed(rig.space(), rig.steering().course(), path, timing);
  const RateUse use =
      measure_rates(rig.space(), result.motion, make_rate_limits(rig.space(), timing));
  result.figures.push_back({"duration", result.motion.times.back(), "s"});
  result.figures.push_back(
      {"path_length", measure_length(rig.space(), report.path), "rad and lengths"});
  result.figures.push_back({"legs", static_cast<double>(report.path.cols() - 1), "1"});
  result.figures.push_back({"corners_rounded", static_cast<double>(rounded), "1"});
  result.figures.push_back({"velocity_use", use.velocity, "1"});
  result.figures.push_back({"acceleration_use", use.acceleration, "1"});
  const Result<bool> proven = internal::certify(world, run, result);
  if (!proven || !*proven) return proven;
  result.found = result.certificate->is_free;
  result.verdict = fmt::format("{} of {:.3g} s{} {}.",
                               result.found ? "Found a motion" : "No motion: there is one",
                               result.motion.times.back(), result.found ? ";" : ", but",
                               internal::describe(*result.certificate));
  return true;
}

}  // namespace

std::vector<Diagnostic> MoveOptions::faults() const {
  std::vector<Diagnostic> found;
  const auto need = [&](bool holds, const char* what, const char* remedy) {
    if (!holds) found.push_back({"move.options", what, "", 0, 0, "task, move", remedy});
  };
  const int goals = !configuration.empty() + !joints.empty() + pose.has_value();
  need(goals == 1, goals == 0 ? "there is no goal" : "there are several goals",
       "give one of `configuration`, `joints` and `pose`");
  need(body.empty() || pose, "`body` stands without a pose", "say where it should be in `pose`");
  need(room_low.has_value() == room_high.has_value(), "the room has only one corner",
       "give `low` and `high`");
  if (room_low && room_high)
    need((room_low->array() < room_high->array()).all(), "the room is empty",
         "let every entry of `low` be below that of `high`");
  need(speed >= 0.001 && speed <= 1, "the speed is not a share between 0.001 and 1",
       "correct the value");
  return found;
}

void Move::describe(FieldVisitor& v) {
  MoveOptions& o = options_;
  v.text({"actor", "the actor, or the movable part, that moves", true}, o.actor);
  v.text({"group", "which of its joints, by the name of a group; left out: all"}, o.group);
  bool present = false;
  v.group({"goal", "where it should be; one of configuration, joints and pose", true}, present,
          [&](FieldVisitor& inner) {
            inner.text({"configuration", "a named configuration"}, o.configuration);
            inner.table({"joints", "values by joint, as actor/joint; others stay"}, o.joints);
            inner.text({"body", "whose pose is meant, as actor/link; of a part: itself"}, o.body);
            Pose pose;
            inner.pose({"pose", "where the part or the body should be, in the world"}, pose);
            if (inner.has("pose")) o.pose = pose;
          });
  v.group({"room", "where a loose part may be, in the world; left out: around everything"}, present,
          [&](FieldVisitor& inner) {
            Vec3 low = Vec3::Zero(), high = Vec3::Zero();
            inner.vector({"low", "lower corner", true}, low, Dimension::length);
            inner.vector({"high", "upper corner", true}, high, Dimension::length);
            if (inner.has("low")) o.room_low = low;
            if (inner.has("high")) o.room_high = high;
          });
  v.integer({"samples", "to search with at most"}, o.samples, 1);
  v.number({"speed", "share of the joints' velocity limits"}, o.speed, Dimension::none);
  v.boolean({"shorten", "make the motion shorter than it was found"}, o.shorten);
  v.boolean({"round", "round corners, where that is proven free"}, o.round);
  v.texts({"keep",
           "what bodies keep all the way, as it is at the start: body.x, .y, .z, .roll, .pitch or "
           ".yaw, along and about the world's axes"},
          o.keep);
}

Result<TaskOutcome> Move::run(const TaskRun& run) {
  const auto place_error = [&](Error error) {
    if (error.file.empty()) error.file = run.file.file;
    return error;
  };
  if (auto found = options_.faults(); !found.empty())
    return place_error(make_error(std::move(found)));
  Result<TaskScene> world = load_scene(run);
  if (!world) return world.error();
  const Scene& scene = world->scene;
  const Result<std::vector<JointId>> joints =
      internal::find_moving_joints(scene, options_.actor, options_.group);
  if (!joints) return place_error(joints.error());
  if (const auto added = add_constraints(options_.keep, *joints, *world); !added)
    return place_error(added.error());
  const auto rig = PlanningRig::make(*world, run.file, *joints, make_surroundings(options_),
                                     run.threads, run.budget.cancel);
  if (!rig) return place_error(rig.error());
  if (run.budget.cancel.requested()) return explain_cancel(run.file.file);

  TaskResult result;
  result.task = "move";
  const Rng rng(run.seed);
  VecX start((*rig)->space().size());
  (*rig)->space().gather(world->start, start);
  if (const auto why = internal::explain_end(**rig, start, "start", result)) {
    result.verdict = fmt::format("No motion: the start is not free: {}.", *why);
  } else {
    const Result<internal::Goals> goals =
        internal::find_goals(*world, options_, **rig, rng.split(1), result);
    if (!goals) return place_error(goals.error());
    if (goals->points.empty()) {
      result.verdict = fmt::format("No motion: {}.", goals->reason);
    } else {
      PlanOptions plan_options;
      plan_options.threads = run.threads;
      plan_options.shorten.is_on = options_.shorten;
      Budget budget = run.budget;
      budget.max_steps = std::min(budget.max_steps, static_cast<std::uint64_t>(options_.samples));
      const PlanReport report = plan((*rig)->world(), {start, goals->points}, plan_options, budget,
                                     rng.split(2), run.progress);
      if (report.status == PlanStatus::cancelled) return explain_cancel(run.file.file);
      add_search_figures(report, result);
      if (report.status == PlanStatus::found) {
        const Result<bool> taken = take_motion(*world, run, **rig, report, options_, result);
        if (!taken) return taken.error();
        if (!*taken) return explain_cancel(run.file.file);
      } else {
        result.verdict = explain(**rig, report);
      }
    }
  }
  // Without a motion the files show where it would have begun.
  if (result.motion.times.empty()) result.motion = {{0}, world->start};
  result.seed = run.seed;
  result.task_file = {run.file.file, run.file.sha256};
  result.inputs = world->inputs;
  result.notes.insert(result.notes.begin(), world->notes.begin(), world->notes.end());
  return TaskOutcome{std::move(*world), std::move(result)};
}

}  // namespace geste

#include "geste/tasks/move.hpp"

#include <fmt/format.h>

#include "geste/planning/timing.hpp"
#include "geste/tasks/internal/certify.hpp"
#include "geste/tasks/internal/goals.hpp"
#include "geste/tasks/internal/planner_run.hpp"
#include "geste/tasks/internal/planning_rig.hpp"

namespace geste {
namespace {

using internal::PlanningRig;

/// Where loose parts may be, and where they are to come to in any case.
internal::Surroundings make_surroundings(const MoveOptions& o) {
  internal::Surroundings around{o.find_room(), {}};
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
  std::string text = fmt::format("No motion found within {} samples", report.steps);
  if (report.gap < kInfinity)
    text += fmt::format(
        ": what is reached from the start and from the goal stays {:.3g} apart (in radians, or "
        "lengths of what moves)",
        report.gap);
  const std::string blockers = internal::list_blockers(rig, report);
  if (!blockers.empty()) text += fmt::format("; most often in the way: {}", blockers);
  return text + ".";
}

/// The path on a clock, with its proof. False when cancelled.
Result<bool> take_motion(const TaskScene& world, const TaskRun& run, const PlanningRig& rig,
                         const PlanReport& report, double speed, TaskResult& result) {
  TimingOptions timing;
  timing.speed = speed;
  result.motion = make_timed(rig.space(), rig.steering().course(), report.path, timing);
  const RateUse use =
      measure_rates(rig.space(), result.motion, make_rate_limits(rig.space(), timing));
  result.figures.push_back({"duration", result.motion.times.back(), "s"});
  result.figures.push_back(
      {"path_length", measure_length(rig.space(), report.path), "rad and lengths"});
  result.figures.push_back({"legs", static_cast<double>(report.path.cols() - 1), "1"});
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
  add_faults("task, move", found);
  need(actors.empty() || !pose || !body.empty(), "a pose of several actors needs `body`",
       "name the body that is meant, as actor/link");
  const int goals = !configuration.empty() + !joints.empty() + pose.has_value();
  need(goals == 1, goals == 0 ? "there is no goal" : "there are several goals",
       "give one of `configuration`, `joints` and `pose`");
  need(body.empty() || pose, "`body` stands without a pose", "say where it should be in `pose`");
  need(speed >= 0.001 && speed <= 1, "the speed is not a share between 0.001 and 1",
       "correct the value");
  return found;
}

void Move::describe(FieldVisitor& v) {
  MoveOptions& o = options_;
  describe_movers(v, o);
  bool present = false;
  v.group({"goal", "where it should be; one of configuration, joints and pose", true}, present,
          [&](FieldVisitor& inner) {
            inner.text({"configuration", "a named configuration"}, o.configuration);
            inner.table({"joints", "values by joint, as actor/joint; others stay"}, o.joints);
            inner.text({"body", "whose pose is meant, as actor/link; of a part: itself"}, o.body);
            Pose pose = o.pose.value_or(Pose());
            inner.pose({"pose", "where the part or the body should be, in the world"}, pose);
            if (inner.has("pose")) o.pose = pose;
          });
  describe_room(v, o);
  v.group({"steering", "how points are joined; left out: straight"}, o.steering.is_given,
          [&](FieldVisitor& inner) { describe_steering(inner, o.steering); });
  describe_planner(v, o.planner);
  v.integer({"samples", "to search with at most"}, o.samples, 1);
  v.number({"speed", "share of the joints' velocity limits"}, o.speed, Dimension::none);
  v.boolean({"shorten", "make the motion shorter than it was found"}, o.shorten);
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
  const Result<std::vector<JointId>> joints = find_moving_joints(scene, options_);
  if (!joints) return place_error(joints.error());
  const auto rig = PlanningRig::make(*world, run.file, *joints, make_surroundings(options_),
                                     run.threads, run.budget.cancel, options_.steering);
  if (!rig) return place_error(rig.error());
  if (run.budget.cancel.requested()) return internal::explain_cancel(run);
  (*rig)->show_growth(run.growth);

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
      Budget budget = run.budget;
      budget.max_steps = std::min(budget.max_steps, static_cast<std::uint64_t>(options_.samples));
      const Result<PlanReport> report = internal::run_planner(
          **rig, options_.planner, {start, goals->points},
          {budget, rng.split(2), options_.shorten, run.threads, run.progress, run.file.folder},
          result);
      if (!report) return place_error(report.error());
      if (report->status == PlanStatus::cancelled) return internal::explain_cancel(run);
      add_search_figures(*report, result);
      if (report->status == PlanStatus::found) {
        const Result<bool> taken = take_motion(*world, run, **rig, *report, options_.speed, result);
        if (!taken) return taken.error();
        if (!*taken) return internal::explain_cancel(run);
      } else {
        result.verdict = explain(**rig, *report);
      }
    }
  }
  // Without a motion the files show where it would have begun.
  if (result.motion.times.empty()) result.motion = {{0}, world->start};
  return internal::make_outcome(run, std::move(*world), std::move(result));
}

}  // namespace geste

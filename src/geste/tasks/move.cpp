#include "geste/tasks/move.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/model/assemble.hpp"
#include "geste/tasks/internal/closing.hpp"
#include "geste/tasks/internal/demands.hpp"
#include "geste/tasks/internal/found_motion.hpp"
#include "geste/tasks/internal/goals.hpp"
#include "geste/tasks/internal/keep.hpp"
#include "geste/tasks/internal/meanwhile_run.hpp"
#include "geste/tasks/internal/planner_run.hpp"
#include "geste/tasks/internal/planning_rig.hpp"
#include "geste/tasks/internal/reasons.hpp"
#include "geste/tasks/internal/swept.hpp"

namespace geste {
namespace {

using internal::PlanningRig;

/// Where loose parts may be, and where they are to come to in any case.
internal::Surroundings make_surroundings(const MoveOptions& o) {
  internal::Surroundings around{o.find_room(), {}};
  if (o.pose) around.places.push_back(o.pose->p);
  for (const Pose& pose : o.poses) around.places.push_back(pose.p);
  if (o.outside_low) around.places.push_back(*o.outside_low);
  if (o.outside_high) around.places.push_back(*o.outside_high);
  return around;
}

/// The scene in which bodies keep what the task says.
Result<void> add_constraints(const std::vector<std::string>& keep, std::span<const JointId> joints,
                             TaskScene& world) {
  const Result<std::vector<TaskConstraint>> constraints = internal::read_keep(keep);
  if (!constraints) return constraints.error();
  Result<Scene> constrained = constrain(world.scene, world.start, *constraints, joints);
  if (!constrained) return constrained.error();
  world.scene = std::move(*constrained);
  return {};
}

/// What a search goes about.
struct Search {
  const MoveOptions& options;
  const TaskScene& world;
  const TaskRun& run;
  PlanningRig& rig;
  const std::optional<internal::OthersMotion>& others;
  Rng rng;
};

Result<bool> search_among_still(const Search& in, const PlanningProblem& problem,
                                TaskResult& result) {
  const TaskRun& run = in.run;
  const std::optional<internal::GoalRegion> region = internal::make_region(in.options);
  internal::SearchRecord record{in.world, run, in.rig, problem};
  record.region = region ? &*region : nullptr;
  record.budget = internal::make_search_budget(run, in.options.samples);
  Result<PlanReport> report =
      internal::run_planner(in.rig, in.options.planner, problem,
                            {record.budget, in.rng.split(2), in.options.shorten, run.threads,
                             run.progress, run.file.folder, [&] { return record.prove(); }},
                            result);
  if (!report) return report.error();
  if (report->status == PlanStatus::cancelled) return false;
  internal::add_search_figures(*report, result);
  if (report->status != PlanStatus::found) {
    auto way = internal::explain_failure(record, *report, in.rng.split(3), result);
    if (run.budget.cancel.requested()) return false;
    if (way) report->path = std::move(*way);
  }
  if (report->path.cols() == 0) return true;
  const Result<bool> taken =
      internal::take_motion(in.world, run, in.rig, *report,
                            {in.options.speed, in.options.round, in.options.shorten}, result);
  if (!taken || !*taken || !result.found || in.options.close.empty()) return taken;
  return internal::close_joints(in.world, run, in.rig, in.options.actor, in.options.close,
                                in.options.speed, result);
}

/// Searches and puts into the result what came of it. False when cancelled.
Result<bool> search(const Search& in, TaskResult& result) {
  VecX start(in.rig.space().size());
  in.rig.space().gather(in.world.start, start);
  if (const auto why = internal::explain_end(in.rig, start, "start", result)) {
    result.reasons = Reasons{.kind = "start", .grade = Grade::proven};
    result.verdict = fmt::format("No motion: the start is not free: {}.", *why);
    return true;
  }
  if (in.others) internal::rest_at(*in.others, in.others->by, in.rig);
  const Result<internal::Goals> goals =
      internal::find_goals(in.world, in.options, in.rig, in.rng.split(1), result);
  if (!goals) return goals.error();
  if (goals->points.empty()) {
    result.reasons = goals->reasons;
    result.verdict = fmt::format("No motion: {}.", goals->reason);
    return true;
  }
  const PlanningProblem problem{start, goals->points};
  if (!in.others) return search_among_still(in, problem, result);
  const Budget budget = internal::make_search_budget(in.run, in.options.samples);
  return internal::move_meanwhile(in.world, in.run, in.rig, *in.others, problem,
                                  {budget, in.rng.split(2), in.options.speed, in.options.shorten},
                                  result);
}

}  // namespace

std::vector<Diagnostic> MoveOptions::faults() const {
  std::vector<Diagnostic> found;
  const auto need = [&](bool holds, const char* what, const char* remedy) {
    if (!holds) found.push_back({"move.options", what, "", 0, 0, "task, move", remedy});
  };
  add_faults("task, move", found);
  need(actors.empty() || (!pose && poses.empty()) || !body.empty(),
       "a pose of several actors needs `body`", "name the body that is meant, as actor/link");
  const int goals = !configuration.empty() + !joints.empty() + pose.has_value() + !poses.empty() +
                    outside_low.has_value();
  need(goals == 1, goals == 0 ? "there is no goal" : "there are several goals",
       "give one of `configuration`, `joints`, `pose`, `poses` and `outside`");
  need(body.empty() || pose || !poses.empty(), "`body` stands without a pose",
       "say where it should be in `pose`");
  if (outside_low && outside_high)
    need((outside_low->array() < outside_high->array()).all(), "the box of `outside` is empty",
         "let every entry of `low` be below that of `high`");
  if (meanwhile.is_given) {
    const PlannerChoice plain;
    need(planner.planner == plain.planner && planner.parameters.empty(),
         "among others that move there is one planner, without parameters",
         "leave out `planner` and `parameters`, or `meanwhile`");
    need(close.empty(), "among others that move nothing closes at the end",
         "leave out `close`, or `meanwhile`");
    need(!steering.is_order_searched, "among others that move an order of moves is not searched",
         "give `order` instead of `searched`");
  }
  need(speed >= 0.001 && speed <= 1, "the speed is not a share between 0.001 and 1",
       "correct the value");
  return found;
}

void Move::describe(FieldVisitor& v) {
  MoveOptions& o = options_;
  describe_movers(v, o);
  bool present = false;
  v.group(
      {"goal", "where it should be; one of configuration, joints, pose, poses and outside", true},
      present, [&](FieldVisitor& inner) {
        inner.text({"configuration", "a named configuration"}, o.configuration);
        inner.joint_values({"joints", "values by joint, as actor/joint; others stay"}, o.joints);
        inner.text({"body", "whose pose is meant, as actor/link; of a part: itself"}, o.body);
        Pose pose = o.pose.value_or(Pose());
        inner.pose({"pose", "where the part or the body should be, in the world"}, pose);
        if (inner.has("pose")) o.pose = pose;
        inner.items<Pose>({"poses", "several poses, of which one is enough"}, o.poses,
                          [](FieldVisitor& item, Pose& one) {
                            item.pose({"pose", "one of them", true}, one);
                          });
        internal::describe_corners(inner, {"outside", "anywhere outside this box, a loose part"},
                                   o.outside_low, o.outside_high);
      });
  describe_room(v, o);
  describe_meanwhile(v, o.meanwhile);
  v.group({"steering", "how points are joined; left out: straight"}, o.steering.is_given,
          [&](FieldVisitor& inner) { describe_steering(inner, o.steering); });
  describe_planner(v, o.planner);
  v.integer({"samples", "to search with at most"}, o.samples, 1);
  v.number({"speed", "share of the joints' velocity limits"}, o.speed, Dimension::none);
  v.boolean({"shorten", "make the motion shorter than it was found"}, o.shorten);
  v.boolean({"round", "round corners, where that is proven free"}, o.round);
  v.text({"close",
          "a named configuration of a hand that is not planned: at the end its joints go there, "
          "each until it touches something"},
         o.close);
  v.boolean({"swept", "write the space that is passed through to swept.stl"}, o.swept);
  v.texts({"keep",
           "what bodies keep all the way, as it is at the start: body.x, .y, .z, .roll, .pitch or "
           ".yaw, along and about the world's axes"},
          o.keep);
}

Result<TaskScene> Move::load_scene(const TaskRun& run) {
  Result<TaskScene> world = Task::load_scene(run);
  if (!world || options_.keep.empty()) return world;
  const Result<std::vector<JointId>> joints = find_moving_joints(world->scene, options_);
  Result<void> added = joints ? add_constraints(options_.keep, *joints, *world) : joints.error();
  if (added) return world;
  Error error = added.error();
  if (error.file.empty()) error.file = run.file.file;
  return error;
}

Result<std::vector<MotionPiece>> Move::split_motion(const TaskRun& /*run*/, const TaskScene& world,
                                                    const JointMotion& motion) {
  Result<std::vector<Demand>> demands = internal::check_move(options_, world, motion);
  if (!demands) return demands.error();
  return std::vector{MotionPiece{world, motion, std::move(*demands)}};
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
  std::optional<internal::OthersMotion> others;
  if (options_.meanwhile.is_given) {
    Result<internal::OthersMotion> given =
        internal::load_others(options_.meanwhile, run, *joints, *world);
    if (!given) return place_error(given.error());
    others = std::move(*given);
  }
  const auto rig = PlanningRig::make(*world, run.file, *joints, make_surroundings(options_),
                                     run.threads, run.budget.cancel, options_.steering);
  if (!rig) return place_error(rig.error());
  if (run.budget.cancel.requested()) return internal::explain_cancel(run);
  if (!options_.close.empty())
    if (const auto fits = internal::check_closing(*world, **rig, options_.actor, options_.close);
        !fits)
      return place_error(fits.error());
  (*rig)->show_growth(run.growth);

  TaskResult result;
  result.task = "move";
  const Result<bool> done = search({options_, *world, run, **rig, others, Rng(run.seed)}, result);
  if (!done) return place_error(done.error());
  if (!*done) return internal::explain_cancel(run);
  if (options_.swept && result.found) internal::add_swept(scene, (*rig)->space(), result);
  return internal::make_outcome(run, std::move(*world), std::move(result));
}

}  // namespace geste

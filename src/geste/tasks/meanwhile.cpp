#include "geste/tasks/meanwhile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/quantity.hpp"
#include "geste/formats/motion_csv.hpp"
#include "geste/formats/search_path.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/planning/plan_moving.hpp"
#include "geste/tasks/internal/certify.hpp"
#include "geste/tasks/internal/found_motion.hpp"
#include "geste/tasks/internal/meanwhile_run.hpp"
#include "geste/tasks/internal/recordings.hpp"

namespace geste {

void describe_meanwhile(FieldVisitor& v, MeanwhileChoice& choice) {
  v.group(
      {"meanwhile", "what others do while it moves"}, choice.is_given, [&](FieldVisitor& inner) {
        inner.file({"motion", "their motion: CSV with a column for each joint that moves", true},
                   choice.motion);
        inner.number({"by", "when the goal must be reached; 0: a minute after their motion"},
                     choice.by, Dimension::time);
        if (!(choice.by >= 0))
          inner.fault("by", "task.value", "'by' is before the motion begins", "give 0 or more");
      });
}

namespace internal {
namespace {

/// What stands in the way of planning among them, joint by joint.
std::vector<Diagnostic> find_faults(const Scene& scene, const JointMotion& motion,
                                    std::span<const JointId> planned, ConstVecRef start,
                                    const std::string& file) {
  constexpr double kSame = 1e-9;
  std::vector<Diagnostic> faults;
  for (std::size_t i = 0; i < scene.joints().size(); ++i) {
    const Joint& joint = scene.joints()[i];
    const auto fault = [&](const char* code, std::string message, const char* remedy) {
      faults.push_back({.code = code,
                        .message = std::move(message),
                        .file = file,
                        .element = fmt::format("joint '{}'", joint.name),
                        .remedy = remedy});
    };
    const auto rows = motion.q.middleRows(joint.q, joint.nq);
    const bool stays =
        joint.nq == 0 ||
        (rows.colwise() - start.segment(joint.q, joint.nq)).cwiseAbs().maxCoeff() <= kSame;
    if (stays) continue;
    if (std::find(planned.begin(), planned.end(), JointId(static_cast<int>(i))) != planned.end()) {
      fault("meanwhile.planned", "moves in the file, and is planned too",
            "leave out its column, or plan something else");
      continue;
    }
    // What depends on others is computed; a file that holds all joints may tell it too.
    if (joint.role != JointRole::independent) continue;
    for (Eigen::Index k = 0; k < motion.q.cols(); ++k) {
      const double excess = limit_violation(joint, motion.q.col(k).data() + joint.q);
      if (excess <= kSame) continue;
      fault("meanwhile.limits",
            fmt::format("is outside its limits at {} by {}",
                        format_duration(motion.times[static_cast<std::size_t>(k)]),
                        format_number(excess, 3)),
            "correct the motion, or the joint's limits");
      break;
    }
  }
  return faults;
}

/// Follows the others alone, with what is planned at the start: two of them that collide.
std::string find_own_collision(const PlanningRig& rig, MovingLocalPlanner& local,
                               const OthersMotion& others, ConstVecRef start) {
  const double end = std::max(others.by, others.motion.times.back());
  if (local.may_stay(start, 0, end)) return "";
  const EdgeAnswer& stop = local.last_stop();
  if (stop.object_a < 0) return "";
  const CollisionObject& a = rig.model().objects()[static_cast<std::size_t>(stop.object_a)];
  const CollisionObject& b = rig.model().objects()[static_cast<std::size_t>(stop.object_b)];
  if (rig.space().moves(a.mover) || rig.space().moves(b.mover)) return "";
  const Scene& scene = rig.space().scene();
  return fmt::format("{} and {} collide on the motion that is given, after {}",
                     scene.body(a.body).name, scene.body(b.body).name,
                     format_duration(local.last_stop_time()));
}

std::string say_goal_blocked(const PlanningRig& rig, const MovingPlanReport& report) {
  if (report.stop.object_a < 0) return "the goal cannot be kept until the others have come to rest";
  const auto name = [&](int object) {
    return rig.space()
        .scene()
        .body(rig.model().objects()[static_cast<std::size_t>(object)].body)
        .name;
  };
  return fmt::format(
      "the goal is not free until the others have come to rest: {} and {} collide "
      "after {}",
      name(report.stop.object_a), name(report.stop.object_b), format_duration(report.stop_time));
}

class MeanwhileMove {
 public:
  MeanwhileMove(const TaskScene& world, const TaskRun& run, const PlanningRig& rig,
                OthersMotion& others, const PlanningProblem& problem, const MeanwhileRun& how)
      : world_(world),
        run_(run),
        rig_(rig),
        others_(others),
        problem_(problem),
        how_(how),
        moving_{rig.world(), others.motion, {.speed = how.speed}} {}

  Result<bool> go(TaskResult& result) {
    if (const double least = bound_least(); least > others_.by) {
      refuse("late",
             fmt::format("the goal is {} away at full speed, whatever is in between, and it is to "
                         "be reached by {}",
                         format_duration(least, 3), format_duration(others_.by, 3)),
             result, Grade::proven);
      return true;
    }
    MovingLocalPlanner local(moving_);
    if (const std::string why = find_own_collision(rig_, local, others_, problem_.start);
        !why.empty()) {
      refuse("others", why, result, Grade::proven);
      return true;
    }
    const MovingPlanReport report = search(others_.by, how_.budget, run_.progress);
    if (report.search.status == PlanStatus::cancelled) return false;
    add_search_figures(report.search, result);
    if (report.search.status == PlanStatus::found) return take(report, result);
    explain(report, result);
    return !run_.budget.cancel.requested();
  }

 private:
  MovingPlanReport search(double by, const Budget& budget, ProgressSink& progress) const {
    return plan_moving(moving_, problem_, {.by = by, .shorten = how_.shorten}, budget, how_.rng,
                       progress);
  }

  [[nodiscard]] double bound_least() const {
    const RateLimits limits = make_rate_limits(rig_.space(), moving_.timing);
    double least = kInfinity;
    for (const VecX& goal : problem_.goals)
      least = std::min(least, bound_duration(rig_.space(), limits, problem_.start, goal));
    return least;
  }

  static void refuse(const char* kind, const std::string& why, TaskResult& result,
                     Grade grade = Grade::found_by_search) {
    result.reasons = Reasons{.kind = kind, .grade = grade};
    result.verdict = fmt::format("No motion: {}.", why);
  }

  Result<bool> take(const MovingPlanReport& report, TaskResult& result) const {
    result.motion = report.motion;
    result.figures.push_back({"duration", result.motion.times.back(), "s"});
    result.figures.push_back({"arrival", report.arrival, "s"});
    result.figures.push_back({"stops", static_cast<double>(report.schedule.size()), "1"});
    result.figures.push_back({"velocity_use", report.use.velocity, "1"});
    result.figures.push_back({"acceleration_use", report.use.acceleration, "1"});
    const Result<bool> proven = certify(world_, run_, result);
    if (!proven || !*proven) return proven;
    result.found = result.certificate->is_free;
    result.verdict = fmt::format("{} that arrives after {}{} {}.",
                                 result.found ? "Found a motion" : "No motion: there is one",
                                 format_duration(report.arrival, 3), result.found ? ";" : ", but",
                                 describe(*result.certificate));
    return true;
  }

  void explain(const MovingPlanReport& report, TaskResult& result) const {
    if (report.search.status == PlanStatus::goal_blocked)
      return refuse("goal", say_goal_blocked(rig_, report), result);
    if (!BudgetMeter(how_.budget).spend(0)) {
      refuse("time", {}, result);
      result.verdict =
          fmt::format("Out of time: no motion found within {} samples.", report.search.steps);
      return;
    }
    std::string why = fmt::format("none was found by {}, within {} samples",
                                  format_duration(others_.by), report.search.steps);
    // Whether it is time that is missing, or a way.
    constexpr std::uint64_t kSamples = 3000;
    Budget budget = how_.budget;
    budget.max_steps = std::min(budget.max_steps, kSamples);
    const double longer = 3 * std::max(others_.by, others_.motion.times.back());
    const MovingPlanReport later = search(longer, budget, no_progress());
    const bool is_late = later.search.status == PlanStatus::found;
    if (is_late)
      why += fmt::format("; one that arrives after {} was", format_duration(later.arrival));
    const std::string blockers = list_blockers(rig_, report.search);
    if (!blockers.empty()) why += fmt::format("; most often in the way: {}", blockers);
    refuse(is_late ? "late" : "budget", why, result);
  }

  const TaskScene& world_;
  const TaskRun& run_;
  const PlanningRig& rig_;
  const OthersMotion& others_;
  const PlanningProblem& problem_;
  const MeanwhileRun& how_;
  MovingWorld moving_;
};

}  // namespace

Result<OthersMotion> load_others(const MeanwhileChoice& choice, const TaskRun& run,
                                 std::span<const JointId> planned, TaskScene& world) {
  const FileSearch search = find_file(choice.motion, run.file.folder);
  if (!search.found) {
    Diagnostic missing =
        make_not_found("meanwhile.motion_missing", "motion", choice.motion, search);
    missing.file = run.file.file;
    return missing;
  }
  const Scene& scene = world.scene;
  Result<JointMotion> motion = load_motion_csv(*search.found, scene, world.start);
  if (!motion) return motion.error();
  const std::string file = search.found->string();
  if (motion->times.empty())
    return Diagnostic{.code = "meanwhile.empty",
                      .message = "the motion has no moments",
                      .file = file,
                      .remedy = "give at least one row"};
  if (auto added = add_input(*search.found, choice.motion, world.inputs); !added)
    return added.error();
  const std::vector<JointId> all = find_moved_joints(scene, planned);
  if (auto faults = find_faults(scene, *motion, all, world.start, file); !faults.empty())
    return make_error(std::move(faults));
  constexpr double kAfter = 60;  // s
  const double by = choice.by > 0 ? choice.by : std::max(0.0, motion->times.back()) + kAfter;
  VecX q(scene.nq());
  interpolate(scene, *motion, 0, q);
  Workspace workspace(scene);
  // Where dependents cannot be computed the start is refused later, with its reason.
  static_cast<void>(compute_dependents(scene, q, workspace));
  world.start = q;
  return OthersMotion{std::move(*motion), by};
}

void rest_at(const OthersMotion& others, double t, PlanningRig& rig) {
  VecX q(rig.space().scene().nq());
  interpolate(rig.space().scene(), others.motion, t, q);
  rig.set_rest(q);
}

Result<bool> move_meanwhile(const TaskScene& world, const TaskRun& run, const PlanningRig& rig,
                            OthersMotion others, const PlanningProblem& problem,
                            const MeanwhileRun& how, TaskResult& result) {
  others.motion.course = rig.steering().course();
  return MeanwhileMove(world, run, rig, others, problem, how).go(result);
}

}  // namespace internal
}  // namespace geste

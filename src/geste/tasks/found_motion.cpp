#include "geste/tasks/internal/found_motion.hpp"

#include <fmt/format.h>

#include "geste/core/quantity.hpp"
#include "geste/planning/finish.hpp"
#include "geste/tasks/internal/certify.hpp"
#include "geste/tasks/internal/goals.hpp"

namespace geste::internal {

void add_search_figures(const PlanReport& report, TaskResult& result) {
  result.figures.push_back({"samples", static_cast<double>(report.steps), "1"});
  result.figures.push_back({"legs_checked", static_cast<double>(report.counts.legs), "1"});
  result.figures.push_back({"points_kept", static_cast<double>(report.nodes), "1"});
}

/// Random stream of the last shortcuts, beside those of searches.
constexpr std::uint64_t kFinishing = 100;

/// The path on a clock, with its proof. False when cancelled.
Result<bool> take_motion(const TaskScene& world, const TaskRun& run, const PlanningRig& rig,
                         const PlanReport& report, const Pace& pace, TaskResult& result) {
  TimingOptions timing;
  timing.speed = pace.speed;
  FinishOptions options{.round = {.is_on = pace.round}, .timing = timing};
  // Of a free body in tight places every proof takes long, and few shortcuts are free.
  if (!pace.shorten || is_loose_part(rig.space())) options.tries = 0;
  LocalPlanner local(rig.world());
  Budget budget = run.budget;
  budget.max_steps = Budget::kUnlimited;
  Rng rng = Rng(run.seed).split(kFinishing);
  FinishedMotion finished = finish(report.path, options, local, budget, rng);
  result.motion = std::move(finished.motion);
  const RateUse use =
      measure_rates(rig.space(), result.motion, make_rate_limits(rig.space(), timing));
  result.figures.push_back({"duration", result.motion.times.back(), "s"});
  result.figures.push_back(
      {"path_length", measure_length(rig.space(), finished.path), "rad and lengths"});
  result.figures.push_back({"legs", static_cast<double>(finished.path.cols() - 1), "1"});
  result.figures.push_back({"corners_rounded", static_cast<double>(finished.rounded), "1"});
  result.figures.push_back({"velocity_use", use.velocity, "1"});
  result.figures.push_back({"acceleration_use", use.acceleration, "1"});
  const Result<bool> proven = certify(world, run, result);
  if (!proven || !*proven) return proven;
  result.found = result.certificate->is_free;
  result.verdict =
      fmt::format("{} of {}{} {}.", result.found ? "Found a motion" : "No motion: there is one",
                  format_duration(result.motion.times.back(), 3), result.found ? ";" : ", but",
                  describe(*result.certificate));
  return true;
}

}  // namespace geste::internal

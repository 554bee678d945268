#include "geste/tasks/internal/found_motion.hpp"

#include <fmt/format.h>

#include "geste/core/quantity.hpp"
#include "geste/planning/round.hpp"
#include "geste/planning/timing.hpp"
#include "geste/tasks/internal/certify.hpp"

namespace geste::internal {

void add_search_figures(const PlanReport& report, TaskResult& result) {
  result.figures.push_back({"samples", static_cast<double>(report.steps), "1"});
  result.figures.push_back({"legs_checked", static_cast<double>(report.counts.legs), "1"});
  result.figures.push_back({"points_kept", static_cast<double>(report.nodes), "1"});
}

/// The path on a clock, with its proof. False when cancelled.
Result<bool> take_motion(const TaskScene& world, const TaskRun& run, const PlanningRig& rig,
                         const PlanReport& report, const Pace& pace, TaskResult& result) {
  TimingOptions timing;
  timing.speed = pace.speed;
  MatX path = report.path;
  LocalPlanner local(rig.world());
  const int rounded = round_corners(path, {.is_on = pace.round}, timing, local);
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

#include "geste/planning/plan_roadmap.hpp"

#include <algorithm>

namespace geste {
namespace {

void add_growth(const RoadmapReport& part, RoadmapReport& whole) {
  whole.samples += part.samples;
  whole.guards += part.guards;
  whole.connectors += part.connectors;
  whole.coverage = part.coverage;
  whole.stopped = part.stopped;
}

}  // namespace

PlanReport plan_roadmap(const PlanningWorld& world, const PlanningProblem& problem,
                        const RoadmapPlanOptions& options, Roadmap& roadmap, const Budget& budget,
                        const Rng& rng, ProgressSink& progress, RoadmapReport* grown) {
  ProgressScope stage(progress, "planning");
  LocalPlanner local(world);
  BudgetMeter meter(budget);
  // A roadmap that was grown before goes on with other samples.
  Rng growing = rng.split(static_cast<std::uint64_t>(roadmap.size()));
  RoadmapReport total;
  PlanReport report = query_roadmap(roadmap, problem, local);
  bool is_covered = false;
  for (std::uint64_t steps = std::max<std::uint64_t>(1, options.first_round);
       report.status == PlanStatus::used_up && !is_covered && meter.spend(0) &&
       meter.remaining().max_steps > 0;
       steps *= 2) {
    Budget share = meter.remaining();
    share.max_steps = std::min(share.max_steps, steps);
    const RoadmapReport part = grow_roadmap(roadmap, options.roadmap, local, share, growing);
    add_growth(part, total);
    meter.spend(part.samples);
    stage.advance(part.samples);
    is_covered = part.stopped == StopReason::none;
    report = query_roadmap(roadmap, problem, local);
  }
  report.steps = total.samples;
  report.nodes = static_cast<std::uint64_t>(roadmap.size());
  report.counts = local.counts();
  if (grown) *grown = total;
  if (report.status == PlanStatus::found) {
    Rng shortening = rng.split(~std::uint64_t{0});
    Budget rest = budget;
    rest.max_steps = Budget::kUnlimited;
    shorten(report.path, options.shorten, local, rest, shortening);
  } else if (budget.cancel.requested()) {
    report.status = PlanStatus::cancelled;
  }
  return report;
}

}  // namespace geste

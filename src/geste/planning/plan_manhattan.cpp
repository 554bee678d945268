#include "geste/planning/plan_manhattan.hpp"

#include <algorithm>

#include "geste/planning/steering/manhattan_search.hpp"

namespace geste {
namespace {

/// One order for the whole way to a goal; where there is none, the path stays empty.
void try_single_order(const PlanningWorld& world, const PlanningProblem& problem,
                      const Budget& budget, PlanReport& report) {
  constexpr std::uint64_t kMostLegs = 20'000;
  LocalPlanner local(world);
  if (!local.is_free(problem.start)) return;
  Budget share = budget;
  share.max_steps = std::min(share.max_steps, kMostLegs);
  Way way(world.space);
  for (std::size_t g = 0; g < problem.goals.size(); ++g) {
    if (!find_manhattan_way(problem.start, problem.goals[g], local, share, way)) continue;
    report.status = PlanStatus::found;
    report.goal = static_cast<int>(g);
    report.path = way.points();
    break;
  }
  report.counts = local.counts();
}

/// What one search adds to the account of all.
void add_search(const PlanReport& part, PlanReport& whole) {
  whole.steps += part.steps;
  whole.nodes += part.nodes;
  whole.gap = std::min(whole.gap, part.gap);
  whole.counts.points += part.counts.points;
  whole.counts.legs += part.counts.legs;
  whole.stops.resize(std::max(whole.stops.size(), part.stops.size()));
  for (std::size_t i = 0; i < part.stops.size(); ++i) whole.stops[i] += part.stops[i];
}

}  // namespace

PlanReport plan_manhattan(const PlanningWorld& world, const PlanningProblem& problem,
                          const ManhattanPlanOptions& options, const Budget& budget, const Rng& rng,
                          ProgressSink& progress) {
  const PlanningSpace& space = world.space;
  PlanReport report;
  const LinearSteering straight(space);
  try_single_order({space, straight, world.validator, world.watcher}, problem, budget, report);
  if (report.status == PlanStatus::found) return report;
  Rng drawing = rng.split(0);
  const auto orders = make_manhattan_orders(space, options.orders, drawing);
  BudgetMeter meter(budget);
  for (std::uint64_t round = 0, steps = options.first_round; meter.spend(0); ++round, steps *= 2) {
    for (std::size_t k = 0; k < orders.size() && meter.spend(0); ++k) {
      const auto steering = ManhattanSteering::make(space, orders[k]);
      Budget share = meter.remaining();
      if (share.max_steps == 0) {
        meter.spend();
        break;
      }
      share.max_steps = std::min(share.max_steps, steps);
      const PlanReport part = plan({space, **steering, world.validator, world.watcher}, problem,
                                   options.plan, share, rng.split(1 + round).split(k), progress);
      add_search(part, report);
      meter.spend(part.steps);
      if (part.status == PlanStatus::used_up) continue;
      report.status = part.status;
      report.goal = part.goal;
      report.path = part.path;
      return report;
    }
  }
  if (meter.reason() == StopReason::cancelled) report.status = PlanStatus::cancelled;
  return report;
}

}  // namespace geste

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

/// Samples of trees for each free one of the roadmap: they take about so much less time.
constexpr std::uint64_t kSearchShare = 10;

/// All that answering one question takes.
class RoadmapPlan {
 public:
  RoadmapPlan(const PlanningWorld& world, const PlanningProblem& problem,
              const RoadmapPlanOptions& options, Roadmap& roadmap, const Rng& rng)
      : problem_(problem),
        options_(options),
        roadmap_(roadmap),
        local_(world),
        // A roadmap that was grown before goes on with other samples.
        growing_(rng.split(static_cast<std::uint64_t>(roadmap.size()))),
        searching_(rng.split(~std::uint64_t{1})) {}

  void ask() {
    PlanReport asked = query_roadmap(roadmap_, problem_, local_);
    add(asked.counts);
    // A search that failed knows more of why than a question does.
    if (asked.status != PlanStatus::used_up || report_.nearest.size() == 0) report_ = asked;
  }

  void search(std::uint64_t steps, BudgetMeter& meter) {
    report_ = search_from_roadmap(roadmap_, problem_, options_.search, local_,
                                  take_share(steps, meter), searching_);
    add(report_.counts);
    searched_ += report_.steps;
    meter.spend(report_.steps);
    is_new_ = report_.status == PlanStatus::found;
  }

  /// Whether it covers enough now.
  bool grow(std::uint64_t steps, BudgetMeter& meter) {
    const RoadmapReport part =
        grow_roadmap(roadmap_, options_.roadmap, local_, take_share(steps, meter), growing_);
    add_growth(part, grown_);
    add(part.counts);
    meter.spend(part.samples);
    return part.stopped == StopReason::none;
  }

  [[nodiscard]] bool is_open() const { return report_.status == PlanStatus::used_up; }
  [[nodiscard]] std::uint64_t steps() const { return grown_.samples + searched_; }
  [[nodiscard]] const RoadmapReport& grown() const { return grown_; }

  PlanReport sum_up(const Budget& budget, Rng shortening) {
    if (report_.status == PlanStatus::found) {
      Budget rest = budget;
      rest.max_steps = Budget::kUnlimited;
      shorten(report_.path, options_.shorten, local_, rest, shortening);
      if (is_new_) learn_way(roadmap_, report_.path, local_);
    } else if (budget.cancel.requested()) {
      report_.status = PlanStatus::cancelled;
    }
    report_.steps = steps();
    report_.nodes = static_cast<std::uint64_t>(roadmap_.size());
    report_.counts = counts_;
    return std::move(report_);
  }

 private:
  void add(const LocalPlanner::Counts& part) {
    counts_.points += part.points;
    counts_.legs += part.legs;
  }

  static Budget take_share(std::uint64_t steps, const BudgetMeter& meter) {
    Budget share = meter.remaining();
    share.max_steps = std::min(share.max_steps, steps);
    return share;
  }

  const PlanningProblem& problem_;
  const RoadmapPlanOptions& options_;
  Roadmap& roadmap_;
  LocalPlanner local_;
  Rng growing_, searching_;
  RoadmapReport grown_;
  std::uint64_t searched_ = 0;
  LocalPlanner::Counts counts_;
  bool is_new_ = false;  ///< the way was searched: the roadmap did not know it
  PlanReport report_;
};

}  // namespace

PlanReport plan_roadmap(const PlanningWorld& world, const PlanningProblem& problem,
                        const RoadmapPlanOptions& options, Roadmap& roadmap, const Budget& budget,
                        const Rng& rng, ProgressSink& progress, RoadmapReport* grown) {
  ProgressScope stage(progress, "planning");
  BudgetMeter meter(budget);
  RoadmapPlan plan(world, problem, options, roadmap, rng);
  plan.ask();
  bool is_covered = false;
  for (std::uint64_t steps = std::max<std::uint64_t>(1, options.first_round);
       plan.is_open() && meter.spend(0) && meter.remaining().max_steps > 0; steps *= 2) {
    const std::uint64_t before = plan.steps();
    if (roadmap.size() > 0) plan.search(kSearchShare * steps, meter);
    if (plan.is_open() && !is_covered && meter.remaining().max_steps > 0) {
      is_covered = plan.grow(steps, meter);
      plan.ask();
    } else if (is_covered) {
      break;
    }
    stage.advance(plan.steps() - before);
  }
  if (grown) *grown = plan.grown();
  return plan.sum_up(budget, rng.split(~std::uint64_t{0}));
}

}  // namespace geste

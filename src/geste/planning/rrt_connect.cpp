#include "geste/planning/rrt_connect.hpp"

#include <algorithm>
#include <utility>

#include "geste/core/index.hpp"

namespace geste {

const char* to_text(PlanStatus status) {
  switch (status) {
    case PlanStatus::found:
      return "found";
    case PlanStatus::start_blocked:
      return "start blocked";
    case PlanStatus::goal_blocked:
      return "goal blocked";
    case PlanStatus::used_up:
      return "budget used up";
    case PlanStatus::cancelled:
      return "cancelled";
  }
  return "";
}

void count_stop(const LocalPlanner& local, std::vector<std::uint64_t>& stops) {
  const EdgeAnswer& stop = local.last_stop();
  for (const int object : {stop.object_a, stop.object_b}) {
    if (object < 0) continue;
    if (stops.size() <= at(object)) stops.resize(at(object) + 1);
    ++stops[at(object)];
  }
}

namespace {

using Reached = LocalPlanner::Reached;

/// What a point that is added takes, in samples that come to nothing, where steps are of several.
constexpr int kSamplesPerPoint = 6;

class RrtConnect {
 public:
  RrtConnect(const PlanningProblem& problem, const RrtConnectOptions& options, LocalPlanner& local,
             RrtConnectMemory& memory, Rng& rng)
      : space_(local.world().space),
        room_(local.world(), problem),
        local_(local),
        memory_(memory),
        rng_(rng),
        range_(limit_range(options.range, room_.extent())),
        domain_(options.domain > 0 ? options.domain * range_ : kInfinity),
        adapt_(options.adapt),
        way_(space_),
        sample_(space_.size()) {}

  /// One sample. True when the trees have met: at `ends`, one point of each, joined by a way of no
  /// length.
  bool try_sample() {
    const bool from_goal = choose_side();
    SearchTree& tree = from_goal ? memory_.goal : memory_.start;
    room_.sample(rng_, sample_);
    const int near = tree.find_nearest(sample_);
    double& domain = tree.domain(near);
    if (domain < kInfinity && space_.distance(tree[near], sample_) > domain) return false;
    if (local_.advance(tree[near], sample_, range_, from_goal, way_) == Reached::nothing) {
      count_stop(local_, memory_.stops);
      domain = domain < kInfinity ? std::max(domain * (1 - adapt_), range_) : domain_;
      return false;
    }
    if (domain < kInfinity) domain *= 1 + adapt_;
    return connect(tree.add(way_, near), from_goal);
  }

  /// The smaller tree: it is the one that is shut in. Now and then the other, for when it is stuck.
  bool choose_side() {
    constexpr int kOther = 16;
    const bool is_goal_smaller = memory_.goal.size() < memory_.start.size();
    return ++memory_.samples % kOther == 0 ? !is_goal_smaller : is_goal_smaller;
  }

  /// Grows the other tree towards a point of this one until it is reached or something stops it.
  bool connect(int point, bool from_goal) {
    SearchTree& here = from_goal ? memory_.goal : memory_.start;
    SearchTree& there = from_goal ? memory_.start : memory_.goal;
    int near = there.find_nearest(here[point]);
    const double gap = space_.distance(there[near], here[point]);
    if (gap < memory_.gap) {
      memory_.gap = gap;
      memory_.nearest = from_goal ? there[near] : here[point];
    }
    const Reached reached = local_.pursue(there[near], here[point], range_, !from_goal, way_);
    if (reached != Reached::nothing) near = there.add(way_, near);
    if (reached != Reached::all) {
      count_stop(local_, memory_.stops);
      return false;
    }
    start_end_ = from_goal ? near : point;
    goal_end_ = from_goal ? point : near;
    return true;
  }

  /// Where the trees met.
  void put_path(PlanReport& report) const {
    const std::vector<int> first = memory_.start.trace(start_end_);
    std::vector<int> second = memory_.goal.trace(goal_end_);
    report.goal = memory_.goals[at(second.front())];
    // Both ends are the same point.
    second.pop_back();
    std::reverse(second.begin(), second.end());
    report.path.resize(space_.size(), static_cast<Eigen::Index>(first.size() + second.size()));
    Eigen::Index k = 0;
    for (const int i : first) report.path.col(k++) = memory_.start[i];
    for (const int i : second) report.path.col(k++) = memory_.goal[i];
  }

 private:
  const PlanningSpace& space_;
  SampleRoom room_;
  LocalPlanner& local_;
  RrtConnectMemory& memory_;
  Rng& rng_;
  double range_;
  double domain_;
  double adapt_;
  Way way_;
  VecX sample_;
  int start_end_ = -1;
  int goal_end_ = -1;
};

}  // namespace

PlanStatus plant_ends(const PlanningProblem& problem, LocalPlanner& local,
                      RrtConnectMemory& memory) {
  if (memory.start.size() > 0) return PlanStatus::found;
  if (!local.is_free(problem.start)) return PlanStatus::start_blocked;
  for (std::size_t g = 0; g < problem.goals.size(); ++g) {
    if (!local.is_free(problem.goals[g])) continue;
    memory.goals.push_back(static_cast<int>(g));
    memory.goal.add(problem.goals[g], -1);
  }
  if (memory.goals.empty()) return PlanStatus::goal_blocked;
  memory.start.add(problem.start, -1);
  return PlanStatus::found;
}

double choose_range(double extent) { return 0.077 * extent; }

double limit_range(double range, double extent) {
  constexpr double kMostLegs = 2000;
  return std::max(std::min(range > 0 ? range : choose_range(extent), kMostRange),
                  extent / kMostLegs);
}

PlanReport plan_rrt_connect(const PlanningProblem& problem, const RrtConnectOptions& options,
                            LocalPlanner& local, RrtConnectMemory& memory, const Budget& budget,
                            Rng& rng) {
  const LocalPlanner::Counts before = local.counts();
  PlanReport report;
  RrtConnect search(problem, options, local, memory, rng);
  BudgetMeter meter(budget);
  report.status = plant_ends(problem, local, memory);
  if (report.status == PlanStatus::found) {
    bool met = !std::exchange(memory.tried_direct, true) && search.connect(0, false);
    for (int owed = 0; !met && meter.spend(0);) {
      const int points = memory.start.size() + memory.goal.size();
      met = search.try_sample();
      const int added = memory.start.size() + memory.goal.size() - points;
      owed += 1 + (options.samples_per_step > 1 ? kSamplesPerPoint * added : 0);
      meter.spend(static_cast<std::uint64_t>(owed / options.samples_per_step));
      owed %= options.samples_per_step;
    }
    if (met)
      search.put_path(report);
    else
      report.status =
          meter.reason() == StopReason::cancelled ? PlanStatus::cancelled : PlanStatus::used_up;
  }
  report.gap = memory.gap;
  report.nearest = memory.nearest;
  report.stops = memory.stops;
  report.steps = meter.spent();
  report.nodes = static_cast<std::uint64_t>(memory.start.size() + memory.goal.size());
  report.counts = {local.counts().points - before.points, local.counts().legs - before.legs};
  return report;
}

}  // namespace geste

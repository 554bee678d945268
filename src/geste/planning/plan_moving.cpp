#include "geste/planning/plan_moving.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/planning/internal/leg_rates.hpp"
#include "geste/planning/rrt_connect.hpp"

namespace geste {
namespace {

/// How far a space can be gone in a second at most, in its metric.
double measure_fastest(const PlanningSpace& space, const RateLimits& limits) {
  double squared = 0;
  Eigen::Index row = 0;
  internal::visit_rates(space, [&](const internal::Rate& rate) {
    const double scale = rate.slides ? rate.item->per_metre : 1;
    squared += std::pow(scale * limits.velocity[row++], 2);
  });
  return std::sqrt(squared);
}

/// Points at moments, each joined to its parent by a proven way; roots have none. In the tree of
/// the goals it leads from the point to its parent.
struct TimedTree {
  struct Node : Stop {
    int parent = -1;
  };
  std::vector<Node> nodes;

  int add(Stop stop, int parent) {
    nodes.push_back({std::move(stop), parent});
    return static_cast<int>(nodes.size()) - 1;
  }
};

class MovingSearch {
 public:
  MovingSearch(const MovingPlanOptions& options, MovingLocalPlanner& local, Rng& rng)
      : space_(local.world().still.space),
        local_(local),
        rng_(rng),
        by_(options.by),
        range_(options.range > 0 ? options.range : choose_range(space_.extent())),
        fastest_(measure_fastest(space_, make_rate_limits(space_, local.world().timing))),
        sample_(space_.size()) {}

  /// Puts the ends into the trees; what is wrong with them otherwise.
  PlanStatus plant(const PlanningProblem& problem, MovingPlanReport& report) {
    if (!local_.may_stay(problem.start, 0, 0)) return PlanStatus::start_blocked;
    start_.add({problem.start, 0, {}, {}}, -1);
    const double rest = std::max(by_, local_.world().others.times.back());
    for (std::size_t g = 0; g < problem.goals.size(); ++g) {
      if (local_.may_stay(problem.goals[g], by_, rest)) {
        goal_.add({problem.goals[g], by_, {}, {}}, -1);
        goals_.push_back(static_cast<int>(g));
      } else if (g == 0) {
        report.stop = local_.last_stop();
        report.stop_time = local_.last_stop_time();
      }
    }
    return goals_.empty() ? PlanStatus::goal_blocked : PlanStatus::found;
  }

  /// The steering method's way to a goal, at several times.
  bool connect_directly() {
    constexpr int kTimes = 16;
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      const VecX goal = goal_.nodes[g].x;
      const std::optional<TimedWay> way = local_.steer(start_.nodes[0].x, goal);
      if (!way) continue;
      const double left = by_ - way->duration();
      for (int k = 0; k <= kTimes && left >= 0; ++k) {
        const Tempo tempo{left * k / kTimes, 1};
        if (!local_.play(*way, 0, by_, tempo)) continue;
        start_end_ = start_.add({goal, by_, way->points, tempo}, 0);
        goal_end_ = static_cast<int>(g);
        return true;
      }
    }
    return false;
  }

  /// One sample. True when the trees have met, at `start_end_` and `goal_end_`.
  bool step() {
    const bool from_goal = goal_.nodes.size() < start_.nodes.size();
    TimedTree& tree = from_goal ? goal_ : start_;
    space_.sample(rng_, sample_);
    const double t = rng_.uniform() * by_;
    const int near = find_near(tree, sample_, t, from_goal);
    if (near < 0) return false;
    const int grown = grow(tree, near, {sample_, t, {}, {}}, from_goal, false);
    return grown >= 0 && connect(grown, from_goal);
  }

  [[nodiscard]] Schedule make_schedule() const {
    Schedule schedule;
    for (int i = start_end_; i >= 0; i = start_.nodes[at(i)].parent)
      schedule.push_back(start_.nodes[at(i)]);
    std::reverse(schedule.begin(), schedule.end());
    // Both ends are the same point.
    for (int i = goal_end_; goal_.nodes[at(i)].parent >= 0;) {
      const TimedTree::Node& node = goal_.nodes[at(i)];
      i = node.parent;
      schedule.push_back({goal_.nodes[at(i)].x, goal_.nodes[at(i)].t, node.way, node.tempo});
    }
    return schedule;
  }

  [[nodiscard]] int goal() const {
    int i = goal_end_;
    while (goal_.nodes[at(i)].parent >= 0) i = goal_.nodes[at(i)].parent;
    return goals_[at(i)];
  }
  [[nodiscard]] std::size_t size() const { return start_.nodes.size() + goal_.nodes.size(); }
  [[nodiscard]] const std::vector<std::uint64_t>& stops() const { return stops_; }

 private:
  /// The nearest of those from which a point can be in time, or of the others that which is least
  /// late; -1: none is on the right side of it in time.
  [[nodiscard]] int find_near(const TimedTree& tree, ConstVecRef x, double t,
                              bool from_goal) const {
    int best = -1;
    double least = kInfinity;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const double left = from_goal ? tree.nodes[i].t - t : t - tree.nodes[i].t;
      if (left < 0) continue;
      const double away = space_.distance(tree.nodes[i].x, x);
      const double score = away + std::max(0.0, away - fastest_ * left);
      if (score >= least) continue;
      least = score;
      best = static_cast<int>(i);
    }
    return best;
  }

  /// Grows a tree from a node towards a point at a moment, for at most the range; the new node, or
  /// -1. `meets`: the moment counts, once the point is reached.
  int grow(TimedTree& tree, int near, const Stop& to, bool from_goal, bool meets) {
    const Stop from = tree.nodes[at(near)];
    const std::optional<TimedWay> way = local_.set_out(from.x, to.x, range_, from_goal);
    if (!way) return -1;
    const VecX end = from_goal ? way->points.leftCols(1) : way->points.rightCols(1);
    const double left = std::abs(to.t - from.t), duration = way->duration();
    const double whole = space_.distance(from.x, to.x);
    const double share = whole > 0 ? std::min(1.0, space_.distance(from.x, end) / whole) : 1;
    const bool is_last = end == to.x;
    // The time that is left is spread over the way.
    const double span = meets && is_last ? left : std::max(duration, share * left);
    const double t = from_goal ? from.t - span : from.t + span;
    if (t < 0 || t > by_ || (meets && span > left)) return -1;
    const double t0 = std::min(t, from.t), t1 = std::max(t, from.t);
    const std::optional<Tempo> tempo =
        meets && is_last ? local_.find_tempo(*way, t0, t1, rng_) : draw_tempo(*way, t0, t1);
    if (tempo) return tree.add({end, meets && is_last ? to.t : t, way->points, *tempo}, near);
    count_stop();
    return -1;
  }

  /// One of the tempos, if it is proven.
  std::optional<Tempo> draw_tempo(const TimedWay& way, double t0, double t1) {
    const std::vector<Tempo> tempos = list_tempos(way.duration(), t0, t1, rng_);
    const Tempo tempo = tempos[static_cast<std::size_t>(rng_.integer(0, std::ssize(tempos) - 1))];
    if (!local_.play(way, t0, t1, tempo)) return std::nullopt;
    return tempo;
  }

  /// Grows the other tree towards a node of this one until it is reached or something stops it.
  bool connect(int point, bool from_goal) {
    const TimedTree& here = from_goal ? goal_ : start_;
    TimedTree& there = from_goal ? start_ : goal_;
    const Stop target = here.nodes[at(point)];
    int near = find_near(there, target.x, target.t, !from_goal);
    while (near >= 0) {
      near = grow(there, near, target, !from_goal, true);
      if (near < 0 || there.nodes[at(near)].x != target.x) continue;
      start_end_ = from_goal ? near : point;
      goal_end_ = from_goal ? point : near;
      return true;
    }
    return false;
  }

  void count_stop() {
    for (const int object : {local_.last_stop().object_a, local_.last_stop().object_b}) {
      if (object < 0) continue;
      if (stops_.size() <= at(object)) stops_.resize(at(object) + 1);
      ++stops_[at(object)];
    }
  }

  const PlanningSpace& space_;
  MovingLocalPlanner& local_;
  Rng& rng_;
  double by_;
  double range_;
  double fastest_;
  TimedTree start_, goal_;
  std::vector<int> goals_;  ///< of the problem, by root of the goal tree
  std::vector<std::uint64_t> stops_;
  VecX sample_;
  int start_end_ = -1;
  int goal_end_ = -1;
};

/// Makes what was found better, and plays it.
void finish(const MovingPlanOptions& options, const Budget& budget, MovingLocalPlanner& local,
            Rng& rng, MovingPlanReport& report) {
  Budget rest = budget;
  rest.max_steps = Budget::kUnlimited;
  // What is earlier leaves time for shorter ways, and the other way round.
  constexpr int kRounds = 2;
  for (int i = 0; i < kRounds && options.shorten; ++i) {
    shorten_schedule(report.schedule, local, rest, rng);
    hasten_schedule(report.schedule, local, rest);
  }
  report.arrival = find_arrival(report.schedule);
  report.use = measure_rates(report.schedule, local);
  const double end = std::max(report.arrival, local.world().others.times.back());
  if (auto motion = play_schedule(report.schedule, end, local))
    report.motion = std::move(*motion);
  else
    report.search.status = PlanStatus::used_up;
}

}  // namespace

MovingPlanReport plan_moving(const MovingWorld& world, const PlanningProblem& problem,
                             const MovingPlanOptions& options, const Budget& budget, Rng rng,
                             ProgressSink& progress) {
  ProgressScope stage(progress, "planning");
  MovingPlanReport report;
  MovingLocalPlanner local(world);
  MovingSearch search(options, local, rng);
  BudgetMeter meter(budget);
  report.search.status = search.plant(problem, report);
  if (report.search.status == PlanStatus::found) {
    bool met = search.connect_directly();
    while (!met && meter.spend()) {
      met = search.step();
      stage.advance();
    }
    if (met) {
      report.search.goal = search.goal();
      report.schedule = search.make_schedule();
      finish(options, budget, local, rng, report);
    } else {
      report.search.status =
          meter.reason() == StopReason::cancelled ? PlanStatus::cancelled : PlanStatus::used_up;
    }
  }
  report.search.steps = meter.spent();
  report.search.nodes = search.size();
  report.search.counts = local.counts();
  report.search.stops = search.stops();
  return report;
}

}  // namespace geste

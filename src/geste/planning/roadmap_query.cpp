#include <algorithm>
#include <utility>

#include "geste/planning/roadmap.hpp"

namespace geste {
namespace {

/// One question to a roadmap: the shortest way over it to any of the goals.
class RoadmapQuery {
 public:
  RoadmapQuery(Roadmap& roadmap, LocalPlanner& local, int neighbours)
      : roadmap_(roadmap),
        local_(local),
        space_(local.world().space),
        neighbours_(neighbours),
        way_(space_) {}

  PlanStatus run(const PlanningProblem& problem) {
    if (!local_.is_free(problem.start)) return PlanStatus::start_blocked;
    std::vector<std::size_t> free;
    for (std::size_t g = 0; g < problem.goals.size(); ++g)
      if (local_.is_free(problem.goals[g])) free.push_back(g);
    if (free.empty()) return PlanStatus::goal_blocked;
    if (ask(problem, free)) return PlanStatus::found;
    // Whoever hangs between pipes may see only a point that is far away.
    if (std::exchange(neighbours_, roadmap_.size()) < roadmap_.size() && ask(problem, free))
      return PlanStatus::found;
    return PlanStatus::used_up;
  }

  [[nodiscard]] int goal() const { return best_goal_; }
  [[nodiscard]] std::vector<std::uint64_t>& stops() { return stops_; }
  /// The points of the steered ways one after the other, each steered as it was proven.
  MatX make_path() {
    std::vector<VecX> all{hops_.front().from};
    for (const Hop& hop : hops_) {
      const SteeringMethod& steering = local_.world().steering;
      // A method that made a way makes it again.
      const bool steered = hop.is_backwards ? steering.steer(hop.to, hop.from, way_)
                                            : steering.steer(hop.from, hop.to, way_);
      if (hop.is_backwards) way_.reverse();
      for (int k = 1; steered && k < way_.count(); ++k) all.emplace_back(way_[k]);
    }
    MatX path(space_.size(), static_cast<Eigen::Index>(all.size()));
    for (std::size_t i = 0; i < all.size(); ++i) path.col(static_cast<Eigen::Index>(i)) = all[i];
    return path;
  }

 private:
  bool ask(const PlanningProblem& problem, const std::vector<std::size_t>& free) {
    do {
      best_ = kInfinity;
      hops_.clear();
      has_entries_ = false;  // components may have come apart
      for (const std::size_t g : free) {
        goal_ = static_cast<int>(g);
        look(problem.start, problem.goals[g]);
      }
    } while (!prove_links());
    return !hops_.empty();
  }

  /// A way of the path. Back and forth a method may go differently: it must be steered again from
  /// the end it was proven from.
  struct Hop {
    VecX from;
    VecX to;
    bool is_backwards = false;
    int a = -1, b = -1;  ///< points of the roadmap, where it is a link
  };

  /// False where links of the way went because they are not free.
  bool prove_links() {
    bool holds = true;
    for (const Hop& hop : hops_) {
      if (hop.a < 0 || roadmap_.link(hop.a, hop.b).is_proven) continue;
      const bool is_free = prove_link(roadmap_, hop.a, hop.b, local_, way_);
      if (!is_free) count_stop(local_, stops_);
      holds = holds && is_free;
    }
    return holds;
  }

  void look(const VecX& start, const VecX& goal) {
    if (local_.connects(start, goal, way_)) {
      keep(measure_length(space_, way_), {{start, goal, false}});
      return;
    }
    count_stop(local_, stops_);
    if (!has_entries_) entries_ = find_doors(roadmap_, start, neighbours_, local_, stops_);
    has_entries_ = true;
    for (const Roadmap::Link& out : find_doors(roadmap_, goal, neighbours_, local_, stops_))
      for (const Roadmap::Link& in : entries_) go_over(start, in, out, goal);
  }

  void go_over(const VecX& start, const Roadmap::Link& in, const Roadmap::Link& out,
               const VecX& goal) {
    const std::vector<int> path = roadmap_.find_path(in.to, out.to);
    if (path.empty()) return;
    double length = in.length + out.length;
    std::vector<Hop> hops{{start, roadmap_[path.front()], false}};
    for (std::size_t i = 1; i < path.size(); ++i) {
      // Links were steered from the newer point.
      hops.push_back(
          {roadmap_[path[i - 1]], roadmap_[path[i]], path[i - 1] < path[i], path[i - 1], path[i]});
      length += roadmap_.link(path[i - 1], path[i]).length;
    }
    hops.push_back({roadmap_[path.back()], goal, true});
    keep(length, std::move(hops));
  }

  void keep(double length, std::vector<Hop> hops) {
    if (length >= best_) return;
    best_ = length;
    best_goal_ = goal_;
    hops_ = std::move(hops);
  }

  Roadmap& roadmap_;
  LocalPlanner& local_;
  const PlanningSpace& space_;
  int neighbours_;
  Way way_;
  bool has_entries_ = false;
  std::vector<Roadmap::Link> entries_;
  int goal_ = -1;
  double best_ = kInfinity;
  int best_goal_ = -1;
  std::vector<Hop> hops_;
  std::vector<std::uint64_t> stops_;
};

}  // namespace

bool prove_link(Roadmap& roadmap, int a, int b, LocalPlanner& local, Way& way) {
  // Links were steered from the newer point, which is known to be free only where a way has come to
  // it.
  const VecX from = roadmap[std::max(a, b)], to = roadmap[std::min(a, b)];
  const bool is_free = local.is_free(from) && local.connects(from, to, way);
  roadmap.settle(a, b, is_free);
  return is_free;
}

std::vector<Roadmap::Link> find_doors(Roadmap& roadmap, ConstVecRef x, int neighbours,
                                      LocalPlanner& local, std::vector<std::uint64_t>& stops) {
  std::vector<int> near;
  roadmap.find_nearest(x, neighbours, near);
  std::vector<Roadmap::Link> doors;
  Way way(local.world().space);
  for (const int k : near) {
    const bool is_open = std::any_of(doors.begin(), doors.end(), [&](const auto& d) {
      return roadmap.component(d.to) == roadmap.component(k);
    });
    if (is_open) continue;
    if (local.connects(x, roadmap[k], way))
      doors.push_back({k, measure_length(local.world().space, way)});
    else
      count_stop(local, stops);
  }
  return doors;
}

PlanReport query_roadmap(Roadmap& roadmap, const PlanningProblem& problem, LocalPlanner& local,
                         int neighbours) {
  const LocalPlanner::Counts before = local.counts();
  RoadmapQuery query(roadmap, local, neighbours);
  PlanReport report;
  report.status = query.run(problem);
  if (report.status == PlanStatus::found) report.path = query.make_path();
  report.goal = query.goal();
  report.nodes = static_cast<std::uint64_t>(roadmap.size());
  report.stops = std::move(query.stops());
  report.counts = {local.counts().points - before.points, local.counts().legs - before.legs};
  return report;
}

}  // namespace geste

#include "geste/planning/roadmap_search.hpp"

#include "geste/core/index.hpp"

namespace geste {
namespace {

/// Puts into a tree what a roadmap reaches from one of its roots.
class RoadmapSpread {
 public:
  RoadmapSpread(Roadmap& roadmap, LocalPlanner& local, SearchTree& tree,
                std::vector<std::uint64_t>& stops)
      : roadmap_(roadmap),
        local_(local),
        tree_(tree),
        stops_(stops),
        way_(local.world().space),
        is_in_(at(roadmap.size())) {}

  void add(int root) {
    const VecX x = tree_[root];
    for (const Roadmap::Link& door : find_doors(roadmap_, x, roadmap_.size(), local_, stops_)) {
      // A method that made a way makes it again.
      if (is_in_[at(door.to)] || !steer(x, roadmap_[door.to])) continue;
      is_in_[at(door.to)] = true;
      open_.assign(1, {door.to, tree_.add(way_, root)});
      while (!open_.empty()) go_on();
    }
  }

 private:
  /// A point of the roadmap that is in the tree, and as which.
  struct Place {
    int point = 0;
    int node = 0;
  };

  bool steer(ConstVecRef from, ConstVecRef to) {
    return local_.world().steering.steer(from, to, way_);
  }

  /// To all neighbours of a point that are not in the tree yet.
  void go_on() {
    const Place here = open_.back();
    open_.pop_back();
    // Links that are not free go while they are proven.
    const std::vector<Roadmap::Link> links = roadmap_.links(here.point);
    for (const Roadmap::Link& link : links) {
      if (is_in_[at(link.to)]) continue;
      if (!link.is_proven && !prove_link(roadmap_, here.point, link.to, local_, way_)) {
        count_stop(local_, stops_);
        continue;
      }
      // Links were steered from the newer point.
      const int newer = std::max(here.point, link.to), older = std::min(here.point, link.to);
      if (!steer(roadmap_[newer], roadmap_[older])) continue;
      if (newer == link.to) way_.reverse();
      is_in_[at(link.to)] = true;
      open_.push_back({link.to, tree_.add(way_, here.node)});
    }
  }

  Roadmap& roadmap_;
  LocalPlanner& local_;
  SearchTree& tree_;
  std::vector<std::uint64_t>& stops_;
  Way way_;
  std::vector<bool> is_in_;
  std::vector<Place> open_;
};

/// Trees with the ends of the problem as roots, then what is reached from them; what is wrong with
/// the ends otherwise.
PlanStatus plant_roadmap(Roadmap& roadmap, const PlanningProblem& problem, LocalPlanner& local,
                         RrtConnectMemory& memory) {
  const PlanStatus status = plant_ends(problem, local, memory);
  if (status != PlanStatus::found) return status;
  RoadmapSpread(roadmap, local, memory.start, memory.stops).add(0);
  RoadmapSpread from_goals(roadmap, local, memory.goal, memory.stops);
  for (std::size_t root = 0; root < memory.goals.size(); ++root)
    from_goals.add(static_cast<int>(root));
  return PlanStatus::found;
}

}  // namespace

PlanReport search_from_roadmap(Roadmap& roadmap, const PlanningProblem& problem,
                               const RrtConnectOptions& options, LocalPlanner& local,
                               const Budget& budget, Rng& rng) {
  const LocalPlanner::Counts before = local.counts();
  RrtConnectMemory memory(local.world().space);
  PlanReport report;
  report.status = plant_roadmap(roadmap, problem, local, memory);
  if (report.status == PlanStatus::found)
    report = plan_rrt_connect(problem, options, local, memory, budget, rng);
  report.counts = {local.counts().points - before.points, local.counts().legs - before.legs};
  return report;
}

void learn_way(Roadmap& roadmap, const MatX& path, LocalPlanner& local) {
  const Eigen::Index last = path.cols() - 1;
  std::vector<std::uint64_t> stops;
  const auto see = [&](Eigen::Index k) {
    return find_doors(roadmap, path.col(k), roadmap.size(), local, stops);
  };
  // Before the ends can see each other.
  const std::vector<Roadmap::Link> entries = see(0), exits = see(last);
  const auto join_doors = [&](int point, const std::vector<Roadmap::Link>& doors) {
    for (const Roadmap::Link& door : doors) roadmap.join(point, door.to, door.length);
  };
  Way way(local.world().space);
  int previous = roadmap.add(path.col(0));
  join_doors(previous, entries);
  for (Eigen::Index k = 1; k <= last; ++k) {
    const bool is_needed = k == last || !local.connects(path.col(k + 1), roadmap[previous], way);
    if (!is_needed) continue;
    const int point = roadmap.add(path.col(k));
    if (local.connects(roadmap[point], roadmap[previous], way))
      roadmap.join(point, previous, measure_length(local.world().space, way));
    previous = point;
  }
  join_doors(previous, exits);
}

}  // namespace geste

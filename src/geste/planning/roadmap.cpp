#include "geste/planning/roadmap.hpp"

#include <algorithm>
#include <queue>
#include <stdexcept>

#include "geste/core/index.hpp"

namespace geste {

int Roadmap::component(int i) const {
  while (parent_[at(i)] != i) i = parent_[at(i)];
  return i;
}

int Roadmap::add(ConstVecRef x) {
  const int i = size();
  if (i == x_.cols()) x_.conservativeResize(Eigen::NoChange, 2 * i);
  x_.col(i) = x;
  nearest_.add(x);
  links_.emplace_back();
  parent_.push_back(i);
  ++components_;
  return i;
}

void Roadmap::join(int a, int b, double length, bool is_proven) {
  links_[at(a)].push_back({b, length, is_proven});
  links_[at(b)].push_back({a, length, is_proven});
  ++count_links_;
  unite(a, b);
}

void Roadmap::unite(int a, int b) {
  const int low = std::min(component(a), component(b)), high = std::max(component(a), component(b));
  if (low == high) return;
  parent_[at(high)] = low;
  --components_;
}

void Roadmap::settle(int a, int b, bool is_free) {
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    std::vector<Link>& own = links_[at(from)];
    for (Link& link : own)
      if (link.to == to) link.is_proven = true;
    if (!is_free) std::erase_if(own, [to = to](const Link& link) { return link.to == to; });
  }
  if (is_free) return;
  --count_links_;
  components_ = size();
  for (int i = 0; i < size(); ++i) parent_[at(i)] = i;
  for (int i = 0; i < size(); ++i)
    for (const Link& link : links(i)) unite(i, link.to);
}

const Roadmap::Link& Roadmap::link(int a, int b) const {
  const std::vector<Link>& own = links(a);
  return *std::find_if(own.begin(), own.end(), [&](const Link& link) { return link.to == b; });
}

std::vector<int> Roadmap::find_path(int a, int b) const {
  if (component(a) != component(b)) return {};
  std::vector<double> lengths(at(size()), kInfinity);
  std::vector<int> before(at(size()), -1);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  lengths[at(a)] = 0;
  open.emplace(0, a);
  while (!open.empty()) {
    const auto [length, i] = open.top();
    open.pop();
    if (i == b) break;
    if (length > lengths[at(i)]) continue;
    for (const Link& link : links(i)) {
      const double there = length + link.length;
      if (there >= lengths[at(link.to)]) continue;
      lengths[at(link.to)] = there;
      before[at(link.to)] = i;
      open.emplace(there, link.to);
    }
  }
  std::vector<int> path;
  for (int i = b; i >= 0; i = before[at(i)]) path.push_back(i);
  std::reverse(path.begin(), path.end());
  return path;
}

namespace {

class Grower {
 public:
  Grower(Roadmap& roadmap, const RoadmapOptions& options, LocalPlanner& local)
      : roadmap_(roadmap),
        options_(options),
        local_(local),
        space_(local.world().space),
        way_(space_) {}

  /// One free sample; whether it was of use.
  bool take(ConstVecRef x, RoadmapReport& report) {
    return options_.kind == RoadmapKind::basic ? take_basic(x) : take_visible(x, report);
  }

 private:
  bool take_basic(ConstVecRef x) {
    list_candidates(x, options_.strategy == Strategy::component);
    const int i = roadmap_.add(x);
    for (const int k : candidates_) {
      const bool is_joined = roadmap_.component(k) == roadmap_.component(i);
      if (is_joined && options_.strategy == Strategy::component) continue;
      join(i, k);
    }
    return true;
  }

  /// A guard sees no other one; a connector joins components. Everything else is left out.
  bool take_visible(ConstVecRef x, RoadmapReport& report) {
    list_candidates(x, true);
    seen_.clear();
    for (const int k : candidates_) {
      const int component = roadmap_.component(k);
      const bool is_seen = std::any_of(seen_.begin(), seen_.end(), [&](const auto& s) {
        return roadmap_.component(s.to) == component;
      });
      if (is_seen || !local_.connects(x, roadmap_[k], way_)) continue;
      seen_.push_back({k, measure_length(space_, way_)});
    }
    if (seen_.size() == 1) return false;
    const int i = roadmap_.add(x);
    for (const Roadmap::Link& link : seen_) roadmap_.join(i, link.to, link.length);
    ++(seen_.empty() ? report.guards : report.connectors);
    return true;
  }

  /// The nearest points, or the nearest of each component, nearest first.
  void list_candidates(ConstVecRef x, bool by_component) {
    candidates_.clear();
    roadmap_.find_nearest(x, by_component ? roadmap_.size() : options_.neighbours, all_);
    if (!by_component) {
      candidates_ = all_;
      return;
    }
    counts_.assign(at(roadmap_.size()), 0);
    for (const int k : all_) {
      if (counts_[at(roadmap_.component(k))]++ < options_.neighbours) candidates_.push_back(k);
    }
  }

  void join(int i, int k) {
    if (local_.connects(roadmap_[i], roadmap_[k], way_))
      roadmap_.join(i, k, measure_length(space_, way_));
  }

  Roadmap& roadmap_;
  const RoadmapOptions& options_;
  LocalPlanner& local_;
  const PlanningSpace& space_;
  Way way_;
  std::vector<int> all_, candidates_, counts_;
  std::vector<Roadmap::Link> seen_;
};

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
    do {
      best_ = kInfinity;
      hops_.clear();
      has_entries_ = false;  // components may have come apart
      for (const std::size_t g : free) {
        goal_ = static_cast<int>(g);
        look(problem.start, problem.goals[g]);
      }
    } while (!prove_links());
    return hops_.empty() ? PlanStatus::used_up : PlanStatus::found;
  }

  [[nodiscard]] int goal() const { return best_goal_; }
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
  /// A way of the path. Back and forth a method may go differently: it must be steered again from
  /// the end it was proven from.
  struct Hop {
    VecX from;
    VecX to;
    bool is_backwards = false;
    int a = -1, b = -1;  ///< points of the roadmap, where it is a link
  };

  /// False where links of the way went because they are not free. A point of a link is known to be
  /// free only where a way has come to it.
  bool prove_links() {
    bool holds = true;
    for (const Hop& hop : hops_) {
      if (hop.a < 0 || roadmap_.link(hop.a, hop.b).is_proven) continue;
      const VecX &from = hop.is_backwards ? hop.to : hop.from,
                 &to = hop.is_backwards ? hop.from : hop.to;
      const bool is_free = local_.is_free(from) && local_.connects(from, to, way_);
      roadmap_.settle(hop.a, hop.b, is_free);
      holds = holds && is_free;
    }
    return holds;
  }

  void look(const VecX& start, const VecX& goal) {
    if (local_.connects(start, goal, way_)) {
      keep(measure_length(space_, way_), {{start, goal, false}});
      return;
    }
    if (!has_entries_) entries_ = find_doors(start);
    has_entries_ = true;
    for (const Roadmap::Link& out : find_doors(goal))
      for (const Roadmap::Link& in : entries_) go_over(start, in, out, goal);
  }

  /// Ways from a point into the roadmap: into each component by the nearest point that it sees.
  std::vector<Roadmap::Link> find_doors(const VecX& x) {
    std::vector<int> near;
    roadmap_.find_nearest(x, neighbours_, near);
    std::vector<Roadmap::Link> doors;
    for (const int k : near) {
      const bool is_open = std::any_of(doors.begin(), doors.end(), [&](const auto& d) {
        return roadmap_.component(d.to) == roadmap_.component(k);
      });
      if (!is_open && local_.connects(x, roadmap_[k], way_))
        doors.push_back({k, measure_length(space_, way_)});
    }
    return doors;
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
};

}  // namespace

RoadmapReport grow_roadmap(Roadmap& roadmap, const RoadmapOptions& options, LocalPlanner& local,
                           const Budget& budget, Rng& rng, ProgressSink& progress) {
  // Links lead both ways.
  if (!local.world().steering.is_reversible())
    throw std::invalid_argument("grow_roadmap: the steering method has no way back");
  Grower grower(roadmap, options, local);
  FreeSampler sampler(local.world().space, options.sampler);
  BudgetMeter meter(budget);
  ProgressScope stage(progress, "growing a roadmap");
  RoadmapReport report;
  VecX x(local.world().space.size());
  int useless = 0, dry = 0;
  constexpr int kDry = 10'000;  // blocks of draws without a free one: there is next to nothing free
  while (dry < kDry && (options.kind == RoadmapKind::basic || useless < options.enough)) {
    if (!sampler.draw(local, rng, x)) {
      if (!meter.spend(0)) break;
      ++dry;
      continue;
    }
    if (!meter.spend()) break;
    dry = 0;
    ++report.samples;
    stage.advance();
    useless = grower.take(x, report) ? 0 : useless + 1;
  }
  report.stopped = meter.reason();
  if (options.kind == RoadmapKind::visibility && useless > 0) report.coverage = 1 - 1.0 / useless;
  return report;
}

PlanReport query_roadmap(Roadmap& roadmap, const PlanningProblem& problem, LocalPlanner& local,
                         int neighbours) {
  const LocalPlanner::Counts before = local.counts();
  RoadmapQuery query(roadmap, local, neighbours);
  PlanReport report;
  report.status = query.run(problem);
  if (report.status == PlanStatus::found) report.path = query.make_path();
  report.goal = query.goal();
  report.counts = {local.counts().points - before.points, local.counts().legs - before.legs};
  return report;
}

}  // namespace geste

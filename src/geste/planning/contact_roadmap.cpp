#include "geste/planning/contact_roadmap.hpp"

#include <algorithm>
#include <queue>
#include <stdexcept>

#include "geste/core/index.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/planning/rrt_connect.hpp"
#include "geste/planning/shorten.hpp"
#include "geste/planning/slide.hpp"

namespace geste {

ContactRoadmapMemory::ContactRoadmapMemory(const PlanningSpace& space)
    : space_(&space), x_(space.size(), 64), nearest_(space) {}

int ContactRoadmapMemory::component(int i) const { return component_[at(i)]; }

int ContactRoadmapMemory::add(ConstVecRef x) {
  const int i = size();
  if (i == x_.cols()) x_.conservativeResize(Eigen::NoChange, 2 * i);
  x_.col(i) = x;
  nearest_.add(x);
  component_.push_back(i);
  members_.push_back({i});
  links_.emplace_back();
  return i;
}

void ContactRoadmapMemory::join(int a, int b, const Eigen::Ref<const MatX>& way, bool is_proven) {
  const double length = measure_length(*space_, way);
  const int number = static_cast<int>(ways_.size());
  ways_.push_back({way, is_proven});
  links_[at(a)].push_back({b, number, false, length});
  links_[at(b)].push_back({a, number, true, length});
  merge(component(a), component(b));
}

void ContactRoadmapMemory::merge(int kept, int gone) {
  if (kept == gone) return;
  if (members_[at(kept)].size() < members_[at(gone)].size()) std::swap(kept, gone);
  for (const int i : members_[at(gone)]) component_[at(i)] = kept;
  members_[at(kept)].insert(members_[at(kept)].end(), members_[at(gone)].begin(),
                            members_[at(gone)].end());
  members_[at(gone)].clear();
}

void ContactRoadmapMemory::cut(int way) {
  for (std::vector<Link>& links : links_)
    std::erase_if(links, [&](const Link& link) { return link.way == way; });
  for (int i = 0; i < size(); ++i) {
    component_[at(i)] = i;
    members_[at(i)].assign(1, i);
  }
  for (int i = 0; i < size(); ++i)
    for (const Link& link : links_[at(i)]) merge(component(i), component(link.to));
}

std::vector<ContactRoadmapMemory::Link> ContactRoadmapMemory::find_path(int a, int b) const {
  // Dijkstra from b, so that what was found leads from a to b.
  std::vector<double> far(at(size()), kInfinity);
  std::vector<Link> next(at(size()));
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  far[at(b)] = 0;
  open.push({0, b});
  while (!open.empty()) {
    const auto [length, i] = open.top();
    open.pop();
    if (length > far[at(i)]) continue;
    for (const Link& link : links_[at(i)]) {
      if (!(length + link.length < far[at(link.to)])) continue;
      far[at(link.to)] = length + link.length;
      next[at(link.to)] = {i, link.way, !link.is_reversed, link.length};
      open.push({far[at(link.to)], link.to});
    }
  }
  std::vector<Link> path;
  for (int i = a; i != b; i = path.back().to) path.push_back(next[at(i)]);
  return path;
}

void ContactRoadmapMemory::find_breaks(std::vector<int>& breaks) const {
  breaks.clear();
  int before = -1;
  for (int k = 0; k < std::ssize(laid); ++k) {
    if (laid[at(k)] < 0) continue;
    // Points that were lost are in the middle of it.
    if (before >= 0 && component(laid[at(k)]) != component(laid[at(before)]))
      breaks.push_back((before + k + 1) / 2);
    before = k;
  }
}

namespace {

using Reached = LocalPlanner::Reached;

/// Of new points from points that are there, in steps.
constexpr double kSpacing = 0.5;

class ContactSearch {
 public:
  ContactSearch(const PlanningProblem& problem, const ContactRoadmapOptions& options,
                LocalPlanner& local, ContactRoadmapMemory& memory, Rng& rng)
      : options_(options),
        space_(local.world().space),
        local_(local),
        memory_(memory),
        rng_(rng),
        slider_(local, {.step = options.step, .proves = false}),
        careful_(local, {.step = options.step / 8}),
        room_(local.world(), problem),
        range_(options.range > 0 ? options.range : std::min(1.0, choose_range(room_.extent()))),
        way_(space_),
        mended_(space_),
        x_(space_.size()),
        onward_(space_.size()),
        before_(space_.size()),
        block_(space_.size(), kBlock),
        ahead_(space_.size(), 4) {}

  [[nodiscard]] bool is_done() const { return goal_ >= 0; }
  [[nodiscard]] int goal() const { return goal_; }

  /// One sample, from the source that has cost the least so far. What it cost.
  std::uint64_t step() {
    if (memory_.guide.cols() > 0) return step_along();
    const auto least = std::min_element(memory_.work.begin(), memory_.work.end());
    const std::uint64_t before = slider_.work();
    switch (least - memory_.work.begin()) {
      case kRetractAnywhere:
        draw_block();
        retract();
        break;
      case kRetractNear:
        draw_block_near();
        retract();
        break;
      case kGrowNear: {
        const double deviation = range_ * std::exp(rng_.uniform(std::log(0.1), std::log(2.0)));
        const int point = pick_shut_in();
        space_.sample_near(memory_[point], deviation, rng_, x_);
        slider_.find_onward(memory_[point], memory_[point], x_, 2 * range_, onward_);
        follow(point);
        break;
      }
      default:
        room_.sample(rng_, x_);
        grow();
    }
    const std::uint64_t work = slider_.work() - before + 1;
    *least += work;
    return work;
  }

  /// Lays the next point of the guide, or looks for one where it is broken. What that cost.
  std::uint64_t step_along() {
    const std::uint64_t before = slider_.work();
    if (memory_.is_laid())
      seek_break();
    else
      lay();
    return slider_.work() - before + 1;
  }

  /// Follows the passage that a point lies in, both ways.
  void explore(int point) {
    slider_.find_freest(memory_[point], 2 * range_, ahead_);
    for (Eigen::Index k = 0; k < ahead_.cols() && !is_done(); ++k) {
      onward_ = ahead_.col(k);
      follow(point);
    }
    if (!is_done()) join(point, options_.neighbours);
  }

  /// From a point towards onward_, and on around bends while it is narrow.
  void follow(int point) {
    constexpr int kMostTurns = 30;
    for (int turn = 0; turn < kMostTurns; ++turn) {
      if (slider_.slide(memory_[point], onward_, way_) == Reached::nothing) return;
      if (!is_new(way_.back())) return;
      const int end = memory_.add(way_.back());
      memory_.join(point, end, way_.points(), false);
      before_ = way_[way_.count() - 2];
      join(end, 1);
      if (is_done() || !slider_.is_narrow(memory_[end], rng_)) return;
      slider_.find_onward(memory_[end], before_, memory_[end], 2 * range_, onward_);
      point = end;
    }
  }

  /// Joins a point to the nearest points of other components.
  void join(int point, int most) {
    memory_.find_nearest(memory_[point], kNear, near_);
    std::vector<int> asked;
    for (const int other : near_) {
      const int component = memory_.component(other);
      if (component == memory_.component(point)) continue;
      if (std::find(asked.begin(), asked.end(), component) != asked.end()) continue;
      if (static_cast<int>(asked.size()) == most) return;
      asked.push_back(component);
      reach(point, other);
      look();
      if (is_done()) return;
    }
  }

  /// Whether start and a goal are joined, and the way between them stands.
  void look() {
    for (int g = 1; g <= static_cast<int>(memory_.goals.size()) && !is_done(); ++g) {
      while (!is_done() && memory_.component(0) == memory_.component(g))
        if (prove(memory_.find_path(0, g))) goal_ = g;
    }
  }

  [[nodiscard]] MatX make_path() const {
    Way path(space_);
    path.add(memory_[0]);
    for (const ContactRoadmapMemory::Link& link : memory_.find_path(0, goal_)) {
      const MatX& way = memory_.way(link.way);
      for (Eigen::Index k = 1; k < way.cols(); ++k)
        path.add(way.col(link.is_reversed ? way.cols() - 1 - k : k));
    }
    return path.points();
  }

 private:
  enum Source { kRetractAnywhere, kRetractNear, kGrowNear, kGrowAnywhere };

  static constexpr int kBlock = 8;
  static constexpr int kNear = 40;
  static constexpr double kWide = 0.05;  ///< share of the points in contact elsewhere that are kept

  /// Brings the next point of the guide to where it is free and joins it to the one before it.
  void lay() {
    std::vector<int>& laid = memory_.laid;
    x_ = memory_.guide.col(std::ssize(laid));
    int point = -1;
    if (local_.is_free(x_) || slider_.retract(x_)) {
      const int near = memory_.find_nearest(x_);
      const bool is_known = space_.distance(memory_[near], x_) < kSpacing * slider_.step();
      point = is_known ? near : memory_.add(x_);
      const auto before = std::find_if(laid.rbegin(), laid.rend(), [](int i) { return i >= 0; });
      if (before != laid.rend() && memory_.component(*before) != memory_.component(point))
        reach(*before, point);
    }
    laid.push_back(point);
    look();
  }

  /// A point near one of the places where the guide is broken.
  void seek_break() {
    constexpr int kBeside = 3;
    constexpr double kNearest = 0.02, kFarthest = 0.5;
    memory_.find_breaks(breaks_);
    if (breaks_.empty()) return look();
    const int k = breaks_[at(static_cast<int>(rng_.integer(0, std::ssize(breaks_) - 1)))] +
                  static_cast<int>(rng_.integer(-kBeside, kBeside));
    const double deviation = std::exp(rng_.uniform(std::log(kNearest), std::log(kFarthest)));
    const Eigen::Index beside = std::clamp<Eigen::Index>(k, 0, memory_.guide.cols() - 1);
    space_.sample_near(memory_.guide.col(beside), deviation, rng_, x_);
    if (!local_.is_free(x_) && !slider_.retract(x_)) return;
    if (is_new(x_)) join(memory_.add(x_), options_.neighbours);
  }

  /// Mends or cuts the first way that is not free.
  bool prove(const std::vector<ContactRoadmapMemory::Link>& path) {
    for (const ContactRoadmapMemory::Link& link : path) {
      if (memory_.is_proven(link.way)) continue;
      if (!mend(memory_.way(link.way))) {
        memory_.cut(link.way);
        return false;
      }
      memory_.set_proven(link.way, mended_.points());
    }
    return true;
  }

  /// The same way with every leg proven, into mended_: in smaller steps where it has to be.
  bool mend(const MatX& way) {
    mended_.clear();
    mended_.add(way.col(0));
    for (Eigen::Index k = 1; k < way.cols(); ++k) {
      if (local_.is_leg_free(way.col(k - 1), way.col(k))) {
        mended_.add(way.col(k));
        continue;
      }
      if (careful_.slide(way.col(k - 1), way.col(k), way_) != Reached::all) return false;
      for (int i = 1; i < way_.count(); ++i) mended_.add(way_[i]);
    }
    return true;
  }

  void draw_block() {
    for (int k = 0; k < kBlock; ++k) room_.sample_inside(rng_, block_.col(k));
  }
  void draw_block_near() {
    const int point = pick_shut_in();
    for (int k = 0; k < kBlock; ++k)
      space_.sample_near(memory_[point], range_, rng_, block_.col(k));
  }

  /// Brings what collides of a block to where it does not, and follows the passages it lies in.
  void retract() {
    std::array<char, kBlock> free{};
    local_.check(block_, free);
    for (int k = 0; k < kBlock && !is_done(); ++k) {
      if (free[at(k)]) continue;
      x_ = block_.col(k);
      if (slider_.retract(x_) && is_new(x_) &&
          (slider_.is_narrow(x_, rng_) || rng_.uniform() < kWide))
        explore(memory_.add(x_));
    }
  }

  [[nodiscard]] bool is_new(ConstVecRef x) {
    return space_.distance(memory_[memory_.find_nearest(x)], x) > kSpacing * slider_.step();
  }

  /// From the nearest point towards the sample.
  void grow() {
    const int near = memory_.find_nearest(x_);
    if (slider_.slide(memory_[near], x_, way_) == Reached::nothing)
      return count_stop(local_, memory_.stops);
    if (!is_new(way_.back())) return;
    const int point = memory_.add(way_.back());
    memory_.join(near, point, way_.points(), false);
    join(point, 1);
  }

  /// A point of the smaller of the components of start and goal: it is the one that is shut in. Now
  /// and then any point.
  int pick_shut_in() {
    constexpr double kAny = 0.2;
    if (rng_.uniform() < kAny) return static_cast<int>(rng_.integer(0, memory_.size() - 1));
    const std::vector<int>&start = memory_.points(memory_.component(0)),
          &goal = memory_.points(memory_.component(1));
    const std::vector<int>& points = start.size() < goal.size() ? start : goal;
    return points[at(static_cast<int>(rng_.integer(0, std::ssize(points) - 1)))];
  }

  /// From one point to another, as far as it goes; then back from the other to where that ended.
  void reach(int from, int to) {
    note_gap(from, to);
    Reached reached = local_.pursue(memory_[from], memory_[to], range_, false, way_);
    const bool is_straight = reached == Reached::all;
    if (!is_straight) reached = slider_.slide(memory_[from], memory_[to], way_);
    if (reached == Reached::all) {
      memory_.join(from, to, way_.points(), is_straight);
      return;
    }
    count_stop(local_, memory_.stops);
    if (reached == Reached::nothing || !is_new(way_.back())) return;
    const int end = memory_.add(way_.back());
    memory_.join(from, end, way_.points(), false);
    if (slider_.slide(memory_[to], memory_[end], way_) == Reached::all)
      memory_.join(to, end, way_.points(), false);
  }

  void note_gap(int a, int b) {
    const int start = memory_.component(0), goal = memory_.component(1);
    const int i = memory_.component(a), j = memory_.component(b);
    const bool faces = (i == start && j == goal) || (i == goal && j == start);
    const double gap = faces ? space_.distance(memory_[a], memory_[b]) : kInfinity;
    if (gap >= memory_.gap) return;
    memory_.gap = gap;
    memory_.nearest = memory_[i == start ? a : b];
  }

  const ContactRoadmapOptions& options_;
  const PlanningSpace& space_;
  LocalPlanner& local_;
  ContactRoadmapMemory& memory_;
  Rng& rng_;
  Slider slider_;
  Slider careful_;  ///< proves every step
  SampleRoom room_;
  double range_;
  Way way_, mended_;
  VecX x_, onward_, before_;
  MatX block_, ahead_;
  std::vector<int> near_, breaks_;
  int goal_ = -1;
};

/// Puts the ends into an empty roadmap; what is wrong with them otherwise.
PlanStatus plant(const PlanningProblem& problem, LocalPlanner& local,
                 ContactRoadmapMemory& memory) {
  if (memory.size() > 0) return PlanStatus::found;
  if (!local.is_free(problem.start)) return PlanStatus::start_blocked;
  for (std::size_t g = 0; g < problem.goals.size(); ++g)
    if (local.is_free(problem.goals[g])) memory.goals.push_back(static_cast<int>(g));
  if (memory.goals.empty()) return PlanStatus::goal_blocked;
  memory.add(problem.start);
  for (const int g : memory.goals) memory.add(problem.goals[at(g)]);
  return PlanStatus::found;
}

}  // namespace

PlanReport plan_contact_roadmap(const PlanningProblem& problem,
                                const ContactRoadmapOptions& options, LocalPlanner& local,
                                ContactRoadmapMemory& memory, const Budget& budget, Rng& rng) {
  if (!Slider::fits(local.world()))
    throw std::invalid_argument("plan_contact_roadmap: nothing can slide in this space");
  const LocalPlanner::Counts before = local.counts();
  PlanReport report;
  ContactSearch search(problem, options, local, memory, rng);
  BudgetMeter meter(budget);
  report.status = plant(problem, local, memory);
  if (report.status == PlanStatus::found) {
    if (memory.work[0] == 0 && memory.guide.cols() == 0) search.join(0, options.neighbours);
    search.look();
    while (!search.is_done() && meter.spend(0)) {
      const std::uint64_t work = search.step();
      report.steps += work;
      meter.spend(work);
    }
    if (search.is_done()) {
      report.path = search.make_path();
      report.goal = memory.goals[at(search.goal() - 1)];
    } else {
      report.status =
          meter.reason() == StopReason::cancelled ? PlanStatus::cancelled : PlanStatus::used_up;
    }
  }
  report.gap = memory.gap;
  report.nearest = memory.nearest;
  report.stops = memory.stops;
  report.nodes = static_cast<std::uint64_t>(memory.size());
  report.counts = {local.counts().points - before.points, local.counts().legs - before.legs};
  return report;
}

}  // namespace geste

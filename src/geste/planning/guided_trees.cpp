#include "geste/planning/guided_trees.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/planning/plan.hpp"

namespace geste {
namespace {

/// Configurations around one, how far away, and how many of them are free at most where it is
/// narrow: beside a wall half of them are.
constexpr int kProbes = 16;
constexpr double kNearby = 0.02;
constexpr int kMostFree = 1;

/// Looks around configurations, and counts which links are in the way.
class NarrownessProbe {
 public:
  NarrownessProbe(LocalPlanner& local, Rng& rng)
      : local_(local),
        space_(local.world().space),
        rng_(rng),
        around_(space_.size()),
        stops_(space_.scene().movers().size(), 0) {}

  bool is_narrow(ConstVecRef x) {
    int free = 0;
    for (int k = 0; k < kProbes && free <= kMostFree; ++k) {
      space_.sample_near(x, kNearby, rng_, around_);
      if (local_.is_free(around_))
        ++free;
      else
        count_stop();
    }
    return free <= kMostFree;
  }

  /// The link that was stopped most often by what it does not move with; -1: none was.
  [[nodiscard]] int find_link() const {
    const auto most = std::max_element(stops_.begin(), stops_.end());
    return *most > 0 ? static_cast<int>(most - stops_.begin()) : -1;
  }

 private:
  void count_stop() {
    const EdgeAnswer& stop = local_.last_stop();
    if (stop.object_a < 0) return;
    const CollisionModel& model = local_.world().validator.model();
    const int a = model.objects()[at(stop.object_a)].mover;
    const int b = model.objects()[at(stop.object_b)].mover;
    if (space_.moves(a) == space_.moves(b)) return;
    ++stops_[at(find_planned(space_.moves(a) ? a : b))];
  }

  /// The link with a planned joint that a mover is, or hangs on.
  [[nodiscard]] int find_planned(int mover) const {
    const Scene& scene = space_.scene();
    const auto is_planned = [&](int m) {
      const int q = scene.joint(scene.movers()[at(m)].joint).q;
      return std::any_of(space_.items().begin(), space_.items().end(),
                         [&](const auto& item) { return item.joint.q == q; });
    };
    while (!is_planned(mover)) mover = scene.movers()[at(mover)].parent;
    return mover;
  }

  LocalPlanner& local_;
  const PlanningSpace& space_;
  Rng& rng_;
  VecX around_;
  std::vector<int> stops_;  ///< by mover
};

/// Poses of a link along a path of its free body.
class GuidePath {
 public:
  GuidePath(const FreeBodyWorld& free, const MatX& path)
      : free_(free), space_(free.world().space), path_(path) {
    for (Eigen::Index k = 1; k < path.cols(); ++k)
      lengths_.push_back(lengths_.back() + space_.distance(path.col(k - 1), path.col(k)));
  }

  /// In the free body's metric.
  [[nodiscard]] double length() const { return lengths_.back(); }
  [[nodiscard]] Pose pose_at(double s) const {
    const auto after = std::upper_bound(lengths_.begin() + 1, lengths_.end() - 1, s);
    const int k = static_cast<int>(after - lengths_.begin());
    const double whole = *after - lengths_[at(k - 1)];
    const double share = whole > 0 ? std::clamp((s - lengths_[at(k - 1)]) / whole, 0.0, 1.0) : 1;
    VecX x(space_.size());
    space_.interpolate(path_.col(k - 1), path_.col(k), Course::straight, share, x);
    return free_.find_pose(x);
  }

 private:
  const FreeBodyWorld& free_;
  const PlanningSpace& space_;
  const MatX& path_;
  std::vector<double> lengths_{0};
};

}  // namespace

NarrowEnds find_narrow_ends(const PlanningProblem& problem, LocalPlanner& local, Rng rng) {
  const PlanningWorld& world = local.world();
  NarrowEnds ends;
  ends.goals.assign(problem.goals.size(), 0);
  if (world.space.has_loops() || !world.steering.takes_any_leg() || world.space.items().size() < 2)
    return ends;
  NarrownessProbe probe(local, rng);
  ends.start = local.is_free(problem.start) && probe.is_narrow(problem.start);
  bool any = ends.start;
  for (std::size_t g = 0; g < problem.goals.size(); ++g) {
    ends.goals[g] = local.is_free(problem.goals[g]) && probe.is_narrow(problem.goals[g]) ? 1 : 0;
    any = any || ends.goals[g] != 0;
  }
  if (any) ends.link = probe.find_link();
  return ends;
}

/// One call of plan_guided_trees.
class GuidedTreesSearch {
 public:
  GuidedTreesSearch(const PlanningProblem& problem, const GuidedTreesOptions& options,
                    LocalPlanner& local, GuidedTreesMemory& memory, const Budget& budget, Rng& rng)
      : problem_(problem),
        options_(options),
        local_(local),
        memory_(memory),
        meter_(budget),
        rng_(rng),
        tracker_(local, memory.narrow_.link),
        way_(local.world().space) {}

  PlanReport run() {
    report_.status = plant_ends(problem_, local_, memory_.trees_);
    if (report_.status != PlanStatus::found) return std::move(report_);
    report_.status = PlanStatus::used_up;
    if (!memory_.free_) prepare();
    while (report_.status == PlanStatus::used_up && meter_.spend(0)) {
      if (is_guide_due())
        guide();
      else
        grow();
    }
    if (meter_.reason() == StopReason::cancelled) report_.status = PlanStatus::cancelled;
    report_.steps = meter_.spent();
    report_.gap = memory_.trees_.gap;
    report_.nearest = memory_.trees_.nearest;
    report_.stops = memory_.trees_.stops;
    report_.nodes = at(memory_.trees_.start.size() + memory_.trees_.goal.size());
    return std::move(report_);
  }

 private:
  /// The world of the free body, and which roots of the trees lie in narrow passages.
  void prepare() {
    const auto add = [&](bool is_goal, int root, bool is_narrow, ConstVecRef x) {
      const Pose X_WL = *tracker_.find_pose(x);
      if (is_narrow) memory_.ends_.push_back({is_goal, root, X_WL});
      return X_WL;
    };
    std::vector<Pose> poses{add(false, 0, memory_.narrow_.start, problem_.start)};
    for (std::size_t r = 0; r < memory_.trees_.goals.size(); ++r) {
      const int goal = memory_.trees_.goals[r];
      memory_.goals_.push_back(add(true, static_cast<int>(r), memory_.narrow_.goals[at(goal)] != 0,
                                   problem_.goals[at(goal)]));
      poses.push_back(memory_.goals_.back());
    }
    const PlanningSpace& space = local_.world().space;
    VecX q(space.scene().nq());
    Workspace workspace(space.scene());
    static_cast<void>(space.complete(root_of(memory_.ends_.front()), q, workspace));
    memory_.free_ = std::make_unique<FreeBodyWorld>(memory_.world_, memory_.narrow_.link, q, poses);
  }

  SearchTree& tree_of(const GuidedTreesMemory::End& end) {
    return end.is_goal ? memory_.trees_.goal : memory_.trees_.start;
  }
  VecX root_of(const GuidedTreesMemory::End& end) { return tree_of(end)[end.root]; }

  /// Guides come first, and get most of the work until all ends are out.
  [[nodiscard]] bool is_guide_due() const {
    constexpr std::uint64_t kMore = 4;
    if (memory_.guides_ == 0) return true;
    const bool is_out = std::all_of(memory_.ends_.begin(), memory_.ends_.end(),
                                    [](const auto& end) { return end.is_out; });
    return is_out ? kMore * memory_.guide_work_ < memory_.tree_work_
                  : memory_.guide_work_ < kMore * memory_.tree_work_;
  }

  void grow() {
    constexpr std::uint64_t kTurn = 300;
    Budget budget = meter_.remaining();
    budget.max_steps = std::min(budget.max_steps, kTurn);
    PlanReport found =
        plan_rrt_connect(problem_, options_.trees, local_, memory_.trees_, budget, rng_);
    spend(found.steps, memory_.tree_work_);
    report_.counts.points += found.counts.points;
    report_.counts.legs += found.counts.legs;
    if (found.status != PlanStatus::found) return;
    report_.status = found.status;
    report_.path = std::move(found.path);
    report_.goal = found.goal;
  }

  void spend(std::uint64_t steps, std::uint64_t& work) {
    work += std::max<std::uint64_t>(1, steps);
    meter_.spend(std::max<std::uint64_t>(1, std::min(steps, meter_.remaining().max_steps)));
  }

  void guide() {
    const std::uint64_t before = tracker_.work();
    std::uint64_t work = 0;
    if (memory_.guides_++ == 0) {
      for (GuidedTreesMemory::End& end : memory_.ends_) work += slide_out(end);
    } else {
      work = follow_path();
    }
    // What was reached may see the other tree.
    memory_.trees_.tried_direct = false;
    spend(work + kStepsPerTry * (tracker_.work() - before), memory_.guide_work_);
  }

  /// Lets the free body slide to where its contacts leave it the most freedom, and the arm follow.
  std::uint64_t slide_out(GuidedTreesMemory::End& end) {
    constexpr double kFar = 2;  // in the metric of the free body: as much as it is long
    LocalPlanner free(memory_.free_->world());
    Slider slider(free, {.step = 0.05, .most_steps = 200, .proves = false});
    const VecX x = memory_.free_->make_point(end.X_WL);
    MatX shifts(x.size(), 2), all(x.size(), 4);
    slider.find_freest(x, kFar, shifts, Slider::Freedom::translation);
    slider.find_freest(x, kFar, all);
    MatX aims(x.size(), shifts.cols() + all.cols());
    aims << shifts, all;
    Way slid(free.world().space);
    for (Eigen::Index k = 0; k < aims.cols() && !end.is_out; ++k) {
      if (slider.slide(x, aims.col(k), slid) == LocalPlanner::Reached::nothing) continue;
      follow(end, slid.points());
    }
    return slider.work();
  }

  /// A path of the free body from the start to a goal, followed from all ends in narrow passages.
  std::uint64_t follow_path() {
    PlanningProblem problem{memory_.free_->make_point(*tracker_.find_pose(problem_.start)), {}};
    for (const Pose& pose : memory_.goals_)
      problem.goals.push_back(memory_.free_->make_point(pose));
    Budget budget = meter_.remaining();
    const int longer = std::min(memory_.guides_ - 2, 20);
    // The first ones come early, though rounds are short then.
    budget.max_steps =
        std::clamp(budget.max_steps, options_.guide_steps, options_.guide_steps << longer);
    PlanOptions options;
    options.threads = 1;
    const PlanReport found = plan(memory_.free_->world(), problem, options, budget,
                                  Rng(rng_.split(at(memory_.guides_))));
    if (found.status != PlanStatus::found) return found.steps;
    const MatX back = found.path.rowwise().reverse();
    for (GuidedTreesMemory::End& end : memory_.ends_) {
      const bool is_his = !end.is_goal || is_same(memory_.goals_[at(found.goal)], end.X_WL);
      if (is_his) follow(end, end.is_goal ? back : found.path);
    }
    return found.steps;
  }

  static bool is_same(const Pose& a, const Pose& b) {
    constexpr double kNear = 1e-4;
    return (a.p - b.p).norm() < kNear && (a.R - b.R).norm() < kNear;
  }

  /// The arm goes along a path of the free body that begins at an end, as far as it can.
  void follow(GuidedTreesMemory::End& end, const MatX& path) {
    const GuidePath guide(*memory_.free_, path);
    if (tracker_.track(
            root_of(end), [&](double s) { return guide.pose_at(s); }, guide.length(), way_) <= 0)
      return;
    tree_of(end).add(way_, end.root);
    NarrownessProbe probe(local_, rng_);
    for (int k = way_.count() - 1; k > 0 && !end.is_out; --k)
      end.is_out = !probe.is_narrow(way_[k]);
  }

  /// A step of tracking is inverse kinematics and a proof.
  static constexpr std::uint64_t kStepsPerTry = 3;

  const PlanningProblem& problem_;
  const GuidedTreesOptions& options_;
  LocalPlanner& local_;
  GuidedTreesMemory& memory_;
  BudgetMeter meter_;
  Rng& rng_;
  PoseTracker tracker_;
  Way way_;
  PlanReport report_;
};

PlanReport plan_guided_trees(const PlanningProblem& problem, const GuidedTreesOptions& options,
                             LocalPlanner& local, GuidedTreesMemory& memory, const Budget& budget,
                             Rng& rng) {
  return GuidedTreesSearch(problem, options, local, memory, budget, rng).run();
}

}  // namespace geste

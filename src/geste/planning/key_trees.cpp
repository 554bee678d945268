#include "geste/planning/key_trees.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "geste/core/index.hpp"

namespace geste {

/// One call of plan_key_trees.
class KeyTreesSearch {
 public:
  KeyTreesSearch(const PlanningProblem& problem, const KeyTreesOptions& options,
                 LocalPlanner& local, KeyTreesMemory& memory, Rng& rng)
      : problem_(problem),
        space_(local.world().space),
        room_(local.world(), problem),
        local_(local),
        memory_(memory),
        forest_(memory.forest_),
        rng_(rng),
        range_(limit_range(options.range > 0 ? options.range : choose_range(room_.extent()) / 2,
                           room_.extent())),
        way_(space_),
        x_(space_.size()) {}

  /// Puts the ends into an empty forest; what is wrong with them otherwise.
  PlanStatus plant() {
    if (forest_.size() > 0) return PlanStatus::found;
    if (!local_.is_free(problem_.start)) return PlanStatus::start_blocked;
    for (std::size_t g = 0; g < problem_.goals.size(); ++g)
      if (local_.is_free(problem_.goals[g])) memory_.goals_.push_back(static_cast<int>(g));
    if (memory_.goals_.empty()) return PlanStatus::goal_blocked;
    plant(problem_.start, kStart);
    for (const int g : memory_.goals_) plant(problem_.goals[at(g)], kGoal);
    return PlanStatus::found;
  }

  [[nodiscard]] bool is_done() const { return memory_.met_ > 0; }

  /// What was found.
  void fill(PlanReport& report) const {
    if (is_done()) {
      report.path = forest_.find_path(0, memory_.met_);
      report.goal = memory_.goals_[at(memory_.met_ - 1)];
    }
    report.stops = memory_.stops_;
    report.nodes = at(forest_.count_points());
  }

  /// One sample, or one place for a new key. What it cost, in samples that come to nothing.
  std::uint64_t step() {
    if (wants_key()) {
      const std::uint64_t cost = kSamplesPerWork * find_key();
      memory_.drawing_ += cost;
      return cost;
    }
    const int before = forest_.count_points();
    const Side side = choose_side();
    const int tree = choose_tree(side);
    try_sample(tree);
    const auto cost = at(1 + kSamplesPerPoint * (forest_.count_points() - before));
    memory_.work_[at(tree)] += cost;
    memory_.shared_[side] += cost;
    return cost;
  }

 private:
  enum Side { kStart, kGoal, kKeys };

  /// What a point that is added takes, and a look at contacts, in samples that come to nothing.
  static constexpr int kSamplesPerPoint = 20;
  static constexpr std::uint64_t kSamplesPerWork = 10;

  void plant(ConstVecRef x, Side side) {
    forest_.plant(x);
    memory_.work_.push_back(0);
    memory_.side_.push_back(side);
  }

  /// Who comes late does not make up for what others had before.
  void plant_key() {
    auto& had = memory_.shared_;
    const int least = choose_tree(kKeys);
    const std::uint64_t before = least < 0 ? 0 : memory_.work_[at(least)];
    if (least < 0) had[kKeys] = std::max(had[kKeys], std::min(had[kStart], had[kGoal]));
    plant(x_, kKeys);
    memory_.work_.back() = before;
  }

  // ---- Keys

  /// Half as much work goes into keys as into trees, while few of them have met nothing. What trees
  /// find at once needs none: looking for narrow places and slim shapes takes some tenths of a
  /// second.
  [[nodiscard]] bool wants_key() {
    constexpr std::uint64_t kPatience = 50'000, kWorkPerKey = 1'000'000;
    constexpr int kFew = 6;
    const std::uint64_t growing =
        std::accumulate(memory_.shared_.begin(), memory_.shared_.end(), std::uint64_t{0});
    if (growing < kPatience || 2 * memory_.drawing_ > growing) return false;
    if (!memory_.places_) memory_.places_.emplace(memory_.world_, rng_);
    return !memory_.places_->is_empty() &&
           at(forest_.count_components()) < kFew + growing / kWorkPerKey;
  }

  /// Looks at contacts that it took.
  std::uint64_t find_key() {
    constexpr double kSlimness[] = {0.8, 0.6, 0.4, 0.3, 0.2, 0.1, 0};
    if (memory_.sizes_.empty())
      for (const double slimness : kSlimness) memory_.sizes_.emplace_back(memory_.world_, slimness);
    std::uint64_t looks = 1;
    if (!memory_.places_->draw(rng_, x_)) return looks;
    for (const KeyTreesMemory::Size& size : memory_.sizes_) {
      ++looks;
      if (size.slim.local().is_free(x_)) continue;
      const std::uint64_t before = size.slider->work();
      const bool is_free = size.slider->retract(x_);
      looks += size.slider->work() - before;
      if (!is_free) return looks;
    }
    constexpr double kApart = 0.5;
    Slider& slider = *memory_.sizes_.back().slider;
    if (forest_.measure_distance(x_) > kApart * slider.step() && slider.is_narrow(x_, rng_))
      plant_key();
    return looks;
  }

  // ---- Trees

  /// Who had the least: not samples but work, or most would go to where all samples become points.
  [[nodiscard]] Side choose_side() const {
    const auto& had = memory_.shared_;
    Side least = had[kGoal] < had[kStart] ? kGoal : kStart;
    if (had[kKeys] < had[least] && choose_tree(kKeys) >= 0) least = kKeys;
    return least;
  }

  /// -1: there is none.
  [[nodiscard]] int choose_tree(Side side) const {
    int best = -1;
    for (int t = 0; t < forest_.size(); ++t) {
      if (memory_.side_[at(t)] != side) continue;
      if (best < 0 || memory_.work_[at(t)] < memory_.work_[at(best)]) best = t;
    }
    return best;
  }

  void try_sample(int tree) {
    room_.sample(rng_, x_);
    const SearchForest::Place near = forest_.find_nearest(tree, x_);
    if (local_.advance(forest_[near], x_, range_, false, way_) == LocalPlanner::Reached::nothing)
      return count_stop(local_, memory_.stops_);
    const SearchForest::Place point = forest_.add(way_, near);
    // Towards the start, a goal, and whoever is nearest.
    connect(point, forest_.find_nearest(0, forest_[point]));
    const auto goal = static_cast<int>(rng_.integer(1, std::ssize(memory_.goals_)));
    connect(point, forest_.find_nearest(goal, forest_[point]));
    if (const auto other = forest_.find_nearest_stranger(tree, forest_[point]))
      connect(point, *other);
  }

  /// Grows the other tree towards a point of this one until it is reached or something stops it.
  void connect(SearchForest::Place point, SearchForest::Place near) {
    const auto side = [&](int tree) { return memory_.side_[at(tree)]; };
    if (is_done() || forest_.have_met(point.tree, near.tree)) return;
    // From one goal to another nobody wants to go.
    if (side(point.tree) == kGoal && side(near.tree) == kGoal) return;
    const LocalPlanner::Reached reached =
        local_.pursue(forest_[near], forest_[point], range_, false, way_);
    if (reached != LocalPlanner::Reached::nothing) near = forest_.add(way_, near);
    if (reached != LocalPlanner::Reached::all) return count_stop(local_, memory_.stops_);
    forest_.join(point, near);
    update_sides();
  }

  /// After trees have met.
  void update_sides() {
    for (int t = 0; t < forest_.size(); ++t) {
      if (forest_.have_met(t, 0)) memory_.side_[at(t)] = kStart;
      for (int g = 1; g <= static_cast<int>(memory_.goals_.size()); ++g)
        if (forest_.have_met(t, g)) memory_.side_[at(t)] = kGoal;
    }
    for (int g = 1; g <= static_cast<int>(memory_.goals_.size()); ++g)
      if (forest_.have_met(0, g)) memory_.met_ = g;
  }

  const PlanningProblem& problem_;
  const PlanningSpace& space_;
  SampleRoom room_;
  LocalPlanner& local_;
  KeyTreesMemory& memory_;
  SearchForest& forest_;
  Rng& rng_;
  double range_;
  Way way_;
  VecX x_;
};

PlanReport plan_key_trees(const PlanningProblem& problem, const KeyTreesOptions& options,
                          LocalPlanner& local, KeyTreesMemory& memory, const Budget& budget,
                          Rng& rng) {
  if (!Slider::fits(local.world()) || !KeyPlaces::fits(local.world().space))
    throw std::invalid_argument("plan_key_trees: what moves is no loose part");
  if (options.samples_per_step < 1)
    throw std::invalid_argument("plan_key_trees: a step is at least one sample");
  const LocalPlanner::Counts before = local.counts();
  PlanReport report;
  BudgetMeter meter(budget);
  KeyTreesSearch search(problem, options, local, memory, rng);
  report.status = search.plant();
  if (report.status == PlanStatus::found) {
    const auto per_step = static_cast<std::uint64_t>(options.samples_per_step);
    for (std::uint64_t owed = 0; !search.is_done() && meter.spend(0); owed %= per_step) {
      owed += search.step();
      report.steps += owed / per_step;
      meter.spend(owed / per_step);
    }
    if (!search.is_done())
      report.status =
          meter.reason() == StopReason::cancelled ? PlanStatus::cancelled : PlanStatus::used_up;
  }
  search.fill(report);
  report.counts = {local.counts().points - before.points, local.counts().legs - before.legs};
  return report;
}

}  // namespace geste

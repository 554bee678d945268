#include "geste/planning/growing.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "geste/core/index.hpp"
#include "geste/planning/slide.hpp"

namespace geste {

GrowingMemory::Size& GrowingMemory::size(double slimness) {
  return sizes_.try_emplace(slimness, world_, slimness).first->second;
}

/// One call of plan_growing.
class GrowingSearch {
 public:
  GrowingSearch(const PlanningProblem& problem, const GrowingOptions& options,
                GrowingMemory& memory, const Budget& budget, Rng& rng)
      : problem_(problem), options_(options), memory_(memory), meter_(budget), rng_(rng) {}

  PlanReport run() {
    bool is_over = !plant();
    while (!is_over && meter_.spend(0)) {
      if (memory_.guide_.cols() == 0)
        find_guide();
      else
        is_over = grow();
    }
    if (!is_over) report_.status = give_up();
    if (memory_.trees_)
      report_.nodes += at(memory_.trees_->start.size() + memory_.trees_->goal.size());
    for (const auto& [slimness, size] : memory_.sizes_) report_.nodes += at(size.roadmap.size());
    return std::move(report_);
  }

 private:
  /// Where it can hardly grow that way.
  static constexpr double kLeastGrowth = 0.02;
  static constexpr double kSlimmest = 0.9;
  /// How much longer tries become with every guide that led nowhere.
  static constexpr double kLonger = 1.5;

  [[nodiscard]] PlanStatus give_up() const {
    return meter_.reason() == StopReason::cancelled ? PlanStatus::cancelled : PlanStatus::used_up;
  }

  /// What is left of the current try.
  [[nodiscard]] Budget make_budget() const {
    Budget budget = meter_.remaining();
    budget.max_steps = std::min(budget.max_steps, most() - std::min(most(), memory_.tried_) + 1);
    return budget;
  }
  [[nodiscard]] std::uint64_t most() const {
    const bool is_growing = memory_.guide_.cols() > 0;
    const double longer = is_growing ? memory_.longer_ : memory_.trees_longer_;
    // At least as long as it took to lay the guide.
    const std::uint64_t least = std::max(options_.patience, is_growing ? memory_.laying_ : 0);
    return static_cast<std::uint64_t>(longer * static_cast<double>(least));
  }
  [[nodiscard]] bool is_enough() const { return memory_.tried_ >= most(); }

  void count(const PlanReport& part) {
    const std::uint64_t steps = std::max<std::uint64_t>(1, part.steps);
    meter_.spend(steps);
    memory_.tried_ += steps;
    report_.steps += steps;
    report_.counts.points += part.counts.points;
    report_.counts.legs += part.counts.legs;
  }

  /// Asks for ends that are free for the whole, which may not be all that are for the slim. Whether
  /// there are any.
  bool plant() {
    if (!memory_.goals_.empty()) return true;
    RrtConnectMemory ends(space());
    report_.status = plant_ends(problem_, memory_.size(0).slim.local(), ends);
    if (report_.status != PlanStatus::found) return false;
    memory_.goals_ = ends.goals;
    memory_.asked_.start = problem_.start;
    for (const int goal : memory_.goals_) memory_.asked_.goals.push_back(problem_.goals[at(goal)]);
    memory_.slimmest_ = options_.slimness;
    return true;
  }

  /// Searches a way for the slimmest.
  void find_guide() {
    if (!memory_.trees_) memory_.trees_.emplace(space());
    GrowingMemory::Size& slimmest = memory_.size(memory_.slimmest_);
    PlanReport found = plan_rrt_connect(memory_.asked_, options_.trees, slimmest.slim.local(),
                                        *memory_.trees_, make_budget(), rng_);
    count(found);
    if (found.status == PlanStatus::found) {
      memory_.growth_ = 1;
      set_guide(found.path, memory_.slimmest_);
    } else if (is_enough()) {
      // Slimmer, as far as that goes; the same trees go on then.
      const double slimmer = (1 + memory_.slimmest_) / 2;
      if (slimmer <= kSlimmest) memory_.slimmest_ = slimmer, memory_.trees_.reset();
      memory_.tried_ = 0;
      memory_.trees_longer_ *= kLonger;
    }
  }

  /// Tries the next size. Whether that is a way for what is whole.
  bool grow() {
    GrowingMemory::Size& size = memory_.size(memory_.to_);
    const bool is_laying = !size.roadmap.is_laid();
    Budget budget = make_budget();
    if (is_laying) budget.max_steps = 1;
    PlanReport found = plan_contact_roadmap(memory_.asked_, options_.contact, size.slim.local(),
                                            size.roadmap, budget, rng_);
    count(found);
    if (is_laying && found.status != PlanStatus::found) {
      if (!size.roadmap.is_laid()) return false;
      judge(size.roadmap);
    }
    if (found.status == PlanStatus::found) {
      if (memory_.to_ == 0) {
        report_.status = found.status;
        report_.path = std::move(found.path);
        report_.goal = memory_.goals_[at(found.goal)];
        return true;
      }
      memory_.growth_ *= 2;
      set_guide(found.path, memory_.to_);
    } else if (is_enough()) {
      memory_.growth_ = (memory_.from_ - memory_.to_) / 2;
      if (memory_.growth_ < kLeastGrowth)
        drop_guide();
      else
        grow_on();
    }
    return false;
  }

  /// A guide was laid: how long to look for what is missing of it.
  void judge(const ContactRoadmapMemory& roadmap) {
    constexpr std::size_t kMany = 6;
    std::vector<int> breaks;
    roadmap.find_breaks(breaks);
    memory_.laying_ = memory_.tried_;
    memory_.tried_ = breaks.size() > kMany ? most() : 0;
  }

  void set_guide(const MatX& path, double slimness) {
    memory_.guide_ = make_guide(path, memory_.size(slimness).slim.local());
    memory_.from_ = slimness;
    grow_on();
  }
  /// To the next size.
  void grow_on() {
    const double left = memory_.from_ - memory_.growth_;
    memory_.to_ = left < kLeastGrowth ? 0 : left;
    memory_.tried_ = memory_.laying_ = 0;
    memory_.size(memory_.to_).roadmap.follow(memory_.guide_);
  }
  void drop_guide() {
    memory_.guide_.resize(0, 0);
    memory_.trees_.reset();
    // Or they would lead the same way again.
    for (auto& [slimness, size] : memory_.sizes_)
      if (slimness > 0) size.roadmap = ContactRoadmapMemory(space());
    memory_.tried_ = 0;
    memory_.longer_ *= kLonger;
  }

  [[nodiscard]] const PlanningSpace& space() const { return memory_.world_.space; }

  /// Points a step apart on the leg from a to b, without a.
  void add_leg(ConstVecRef a, ConstVecRef b, Way& way) const {
    const double length = space().distance(a, b);
    // A guide over many kilometres is followed roughly.
    constexpr double kMost = 5000;
    const int legs =
        std::max(1, static_cast<int>(std::min(kMost, std::ceil(length / options_.contact.step))));
    VecX x(space().size());
    for (int i = 1; i <= legs; ++i) {
      space().interpolate(a, b, memory_.world_.steering.course(), static_cast<double>(i) / legs, x);
      way.add(x);
    }
  }

  /// Points a step apart, without the zigzag of roadmaps: shortcuts that are free where they are
  /// looked at. A guide need not be proven.
  [[nodiscard]] MatX make_guide(const MatX& path, LocalPlanner& local) const {
    constexpr int kShortcuts = 100;
    Way guide(space()), leg(space());
    guide.add(path.col(0));
    for (Eigen::Index k = 1; k < path.cols(); ++k) add_leg(path.col(k - 1), path.col(k), guide);
    MatX points = guide.points();
    std::vector<char> free;
    for (int tries = 0; tries < kShortcuts && points.cols() > 2; ++tries) {
      auto a = rng_.integer(0, points.cols() - 1), b = rng_.integer(0, points.cols() - 1);
      if (a > b) std::swap(a, b);
      leg.clear();
      add_leg(points.col(a), points.col(b), leg);
      if (leg.count() >= b - a) continue;
      free.assign(at(leg.count()), 0);
      local.check(leg.points(), free);
      if (std::count(free.begin(), free.end(), 0) > 0) continue;
      MatX shorter(points.rows(), points.cols() - (b - a) + leg.count());
      shorter << points.leftCols(a + 1), leg.points(), points.rightCols(points.cols() - 1 - b);
      points = std::move(shorter);
    }
    return points;
  }

  const PlanningProblem& problem_;
  const GrowingOptions& options_;
  GrowingMemory& memory_;
  BudgetMeter meter_;
  Rng& rng_;
  PlanReport report_;
};

PlanReport plan_growing(const PlanningProblem& problem, const GrowingOptions& options,
                        GrowingMemory& memory, const Budget& budget, Rng& rng) {
  if (!Slider::fits(memory.world()))
    throw std::invalid_argument("plan_growing: nothing can slide in this space");
  return GrowingSearch(problem, options, memory, budget, rng).run();
}

}  // namespace geste

#include "geste/planning/plan.hpp"

#include <memory>

#include "geste/core/parallel.hpp"

namespace geste {
namespace {

/// Searches that take turns: in each round every one makes as many steps, so that who is first does
/// not depend on threads. The first search alone has the first round, in which most end.
class Race {
 public:
  Race(const LocalPlanner& local, const VecX& start, const std::vector<VecX>& goals,
       const PlanOptions& options)
      : local_(local), start_(start), goals_(goals), options_(options) {}

  void run(const Budget& budget, ProgressSink& progress, PlanReport& report) {
    BudgetMeter meter(budget);
    ProgressScope scope(progress, "planning");
    std::uint64_t steps = kFirst;
    for (int count = 1;; count = options_.searches, steps *= 2) {
      while (static_cast<int>(searches_.size()) < count) add();
      const std::uint64_t before = count_steps();
      const bool found = advance(std::min(steps, meter.remaining().max_steps), budget.cancel);
      scope.advance(count_steps() - before);
      if (found || !meter.spend(count_steps() - before) || !meter.spend(0)) break;
      if (count_steps() == before) break;
    }
    report.stopped = meter.reason();
    report.steps = count_steps();
    for (const auto& search : searches_) report.counts.add(search->counts());
    for (const auto& search : searches_) {
      if (search->advance(0, {}) != SearchStatus::found) continue;
      report.found = true;
      report.way = search->make_way();
      return;
    }
  }

 private:
  static constexpr std::uint64_t kFirst = 1000;

  void add() {
    auto search = std::make_unique<RrtConnect>(local_, options_.rrt,
                                               Rng(options_.seed).split(searches_.size()));
    search->add_start(start_);
    for (const VecX& goal : goals_) search->add_goal(goal);
    searches_.push_back(std::move(search));
  }

  bool advance(std::uint64_t steps, const CancelToken& cancel) {
    std::vector<char> found(searches_.size(), 0);
    const auto body = [&](std::size_t i) {
      found[i] = searches_[i]->advance(steps, cancel) == SearchStatus::found;
    };
    if (searches_.size() == 1) {
      body(0);
    } else {
      static_cast<void>(parallel_for(searches_.size(), options_.threads, cancel, body));
    }
    return std::find(found.begin(), found.end(), 1) != found.end();
  }

  [[nodiscard]] std::uint64_t count_steps() const {
    std::uint64_t steps = 0;
    for (const auto& search : searches_) steps += search->steps();
    return steps;
  }

  const LocalPlanner& local_;
  const VecX& start_;
  const std::vector<VecX>& goals_;
  const PlanOptions& options_;
  std::vector<std::unique_ptr<RrtConnect>> searches_;
};

}  // namespace

PlanReport plan(const LocalPlanner& local, const VecX& start, const std::vector<VecX>& goals,
                const PlanOptions& options, const Budget& budget, ProgressSink& progress) {
  PlanReport report;
  LocalPlanner::Memory memory(local);
  // Often there is nothing in the way.
  Way direct(local.space().scene().nq());
  for (const VecX& goal : goals) {
    if (!local.connect(start, goal, direct, memory)) continue;
    report.found = true;
    report.way = direct;
    break;
  }
  if (!report.found) Race(local, start, goals, options).run(budget, progress, report);
  if (report.found) {
    report.first = report.way;
    report.way = shorten(local, report.first, options.shorten, memory);
  }
  report.counts.add(memory.counts);
  return report;
}

}  // namespace geste

#pragma once

#include <functional>

#include "geste/core/progress.hpp"
#include "geste/planning/rrt_connect.hpp"
#include "geste/planning/shorten.hpp"

namespace geste {

struct PlanOptions {
  RrtConnectOptions search;
  ShortenOptions shorten;
  /// Searches that go on side by side, each with random numbers and a range of its own; of a
  /// loose part also in narrow places, slim at first (growing.hpp), and from where it is narrowest
  /// (key_trees.hpp). Arms with ends in narrow passages get one more (guided_trees.hpp).
  int searches = 4;
  /// Samples of the first round, in which one search is alone; of a loose part forty times as many,
  /// up to a tenth of the budget.
  std::uint64_t first_round = 300;
  int threads = 0;  ///< 0: all cores; the same answer on any number
  /// Asked once, when the first round found nothing: whether it is proven that there is no way.
  /// Then the search ends, its budget as good as used up.
  std::function<bool()> is_hopeless{};
};

/// Searches a way and makes it shorter, several searches at once in rounds: after each round the
/// first search that found something answers, and rounds become longer. So the answer depends on
/// the seed alone, not on threads (GX-6). A step of the budget is a sample of any search; of a
/// loose part, whose searches differ, about as much work in each: some tens of microseconds.
PlanReport plan(const PlanningWorld& world, const PlanningProblem& problem,
                const PlanOptions& options, const Budget& budget, const Rng& rng,
                ProgressSink& progress = no_progress());

}  // namespace geste

#pragma once

#include "geste/core/progress.hpp"
#include "geste/planning/rrt_connect.hpp"
#include "geste/planning/shorten.hpp"

namespace geste {

struct PlanOptions {
  RrtConnectOptions rrt;
  ShortenOptions shorten;
  /// Searches with seeds of their own, side by side: the times that random searches take differ so
  /// much that several end sooner than one. Not more than that is used of the threads there are.
  int searches = 4;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores; the answer is the same on any number
};

struct PlanReport {
  bool found = false;
  Way way{0};                             ///< proven, shortened
  Way first{0};                           ///< as the search found it
  StopReason stopped = StopReason::none;  ///< what ended a search that found nothing
  std::uint64_t steps = 0;                ///< of all searches
  CheckCounts counts;
};

/// A free way from the start to one of the goals. All are complete and free (LocalPlanner::admit).
/// A step of the budget is a sample.
PlanReport plan(const LocalPlanner& local, const VecX& start, const std::vector<VecX>& goals,
                const PlanOptions& options = {}, const Budget& budget = {},
                ProgressSink& progress = no_progress());

}  // namespace geste

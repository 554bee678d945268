#pragma once

#include "geste/planning/local_planner.hpp"

namespace geste {

/// From where to where. Goals are points; one of them is enough.
struct PlanningProblem {
  VecX start;
  std::vector<VecX> goals;
};

/// How a search ended.
enum class PlanStatus {
  found,
  start_blocked,  ///< the start collides or is outside its limits
  goal_blocked,   ///< every goal is
  used_up,        ///< the budget's steps or time
  cancelled,
};

/// "found", "start blocked", ...
const char* to_text(PlanStatus status);

/// What came of a search; complete however it ended.
struct PlanReport {
  PlanStatus status = PlanStatus::used_up;
  MatX path;               ///< points from the start to a goal, each leg proven; empty: none
  int goal = -1;           ///< which was reached
  double gap = kInfinity;  ///< how near the trees came to each other, where no path was found
  VecX nearest;            ///< where that was: the point that was reached from the start
  std::uint64_t steps = 0;
  std::uint64_t nodes = 0;
  LocalPlanner::Counts counts;
  /// By collision object: how often it was one of two that stopped a leg.
  std::vector<std::uint64_t> stops;
};

/// Counts what stopped the local planner last (PlanReport::stops).
void count_stop(const LocalPlanner& local, std::vector<std::uint64_t>& stops);

}  // namespace geste

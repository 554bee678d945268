#pragma once

#include "geste/core/progress.hpp"
#include "geste/planning/problem.hpp"
#include "geste/planning/schedule.hpp"

namespace geste {

struct MovingPlanOptions {
  double by = 60;       ///< s; when a goal must be reached at the latest
  double range = 0;     ///< how far one step goes at most, in the space's metric; 0: chosen
  bool shorten = true;  ///< and hasten
};

/// What came of a search among things that move; complete however it ended.
struct MovingPlanReport {
  PlanReport search;   ///< without a path
  Schedule schedule;   ///< from the start at 0 to a goal at `by`; empty: none was found
  JointMotion motion;  ///< of all, until the goal is reached and the others have come to rest
  double arrival = 0;  ///< s
  RateUse use;         ///< of the planned joints' limits
  /// Goal blocked: two of CollisionModel::objects that are in each other's way at the first goal,
  /// and when.
  EdgeAnswer stop;
  double stop_time = 0;
};

/// Searches a way among others that go on a given motion: from the start at time 0 to a goal, at
/// any time until `by`, from where on it may stay until the others have come to rest. Waiting is
/// allowed everywhere.
///
/// Two trees of points at moments grow towards each other (RRT-Connect with time as a coordinate:
/// F. Grothe, V. Hartmann, A. Orthey, M. Toussaint, "ST-RRT*: asymptotically-optimal bidirectional
/// motion planning through space-time", ICRA 2022, section III): one from the start at 0 to later,
/// one from the goals at `by` to earlier. Only those that can come in time are tried, and since
/// waiting is allowed two that meet in place can meet in time. The first thing that is tried is the
/// way of the steering method, set out for at several times.
///
/// A step of the budget is a sample; the search is one thread's.
MovingPlanReport plan_moving(const MovingWorld& world, const PlanningProblem& problem,
                             const MovingPlanOptions& options, const Budget& budget, Rng rng,
                             ProgressSink& progress = no_progress());

}  // namespace geste

#pragma once

#include "geste/core/budget.hpp"
#include "geste/core/rng.hpp"
#include "geste/planning/problem.hpp"
#include "geste/planning/sample_room.hpp"
#include "geste/planning/tree.hpp"

namespace geste {

/// Two trees that grow towards each other: J. Kuffner, S. LaValle, "RRT-Connect: an efficient
/// approach to single-query path planning", ICRA 2000 (MV-5), with sampling domains that adapt
/// (SearchTree::domain).
struct RrtConnectOptions {
  double range = 0;          ///< how far one step goes at most, in the space's metric; 0: chosen
  double domain = 4;         ///< first radius of a point's domain, in ranges; 0: no domains
  double adapt = 0.0001;     ///< how much a domain grows or shrinks each time
  int samples_per_step = 1;  ///< of the budget; where several, points that are added count as more
};

/// What the search has found so far; goes on where it ended when given again.
struct RrtConnectMemory {
  explicit RrtConnectMemory(const PlanningSpace& space) : start(space), goal(space) {}

  SearchTree start;
  SearchTree goal;
  std::vector<int> goals;     ///< of the problem, by root of the goal tree: those that are free
  double gap = kInfinity;     ///< how near the two came to each other
  VecX nearest;               ///< the start's point there
  bool tried_direct = false;  ///< the way from the start to the nearest goal
  std::uint64_t samples = 0;
  std::vector<std::uint64_t> stops;  ///< PlanReport::stops
};

/// Legs of half a turn could go either way, and so elsewhere on the way back.
inline constexpr double kMostRange = 3;

/// The range to search with: as asked for, or where nothing is (0) as choose_range has it, within
/// kMostRange. Where samples are drawn from far apart (a goal a thousand kilometres away) it is
/// longer, so that no way is of more than some thousand legs.
double limit_range(double range, double extent);

/// A thirteenth of the extent of where samples are drawn: about one radian for an arm of seven
/// joints.
double choose_range(double extent);

/// Makes start and free goals the roots of empty trees, `found`; what is wrong with them otherwise.
PlanStatus plant_ends(const PlanningProblem& problem, LocalPlanner& local,
                      RrtConnectMemory& memory);

/// Ends of the problem are checked here.
PlanReport plan_rrt_connect(const PlanningProblem& problem, const RrtConnectOptions& options,
                            LocalPlanner& local, RrtConnectMemory& memory, const Budget& budget,
                            Rng& rng);

}  // namespace geste

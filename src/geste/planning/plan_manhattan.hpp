#pragma once

#include "geste/planning/plan.hpp"

namespace geste {

struct ManhattanPlanOptions {
  PlanOptions plan;
  int orders = 24;                   ///< tried at most
  std::uint64_t first_round = 1000;  ///< samples that each order gets in the first round
};

/// Searches a way of one move at a time whose order is free (Move3D section 3.1): first one order
/// for the whole way (manhattan_search.hpp), then trees, each order with its own, in rounds that
/// double. The first order in their order that found something answers, so the answer depends on
/// the seed alone. The world's own steering is not used. A step of the budget is a sample of any
/// search.
PlanReport plan_manhattan(const PlanningWorld& world, const PlanningProblem& problem,
                          const ManhattanPlanOptions& options, const Budget& budget, const Rng& rng,
                          ProgressSink& progress = no_progress());

}  // namespace geste

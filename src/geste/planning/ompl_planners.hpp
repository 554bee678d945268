#pragma once

#include <string>

#include "geste/core/progress.hpp"
#include "geste/planning/problem.hpp"
#include "geste/planning/shorten.hpp"

namespace geste {

/// A planner of OMPL 1.5 (I. Sucan, M. Moll, L. Kavraki, "The Open Motion Planning Library", IEEE
/// RAM 2012) on our spaces, steering and proofs (MV-5).
struct OmplOptions {
  std::string planner = "RRTConnect";                      ///< a class of ompl::geometric
  std::vector<std::pair<std::string, double>> parameters;  ///< by OMPL's names
  ShortenOptions shorten;
};

/// Every planner of ompl::geometric that needs no more than a space, but for SST, which hardly ever
/// meets a goal that is a point, and LazyLBTRRT, which ends the program when one of its assertions
/// fails. Others need a task space, a vector field, a stack of spaces, other planners or a store of
/// experience.
const std::vector<std::string>& list_ompl_planners();

/// Whether the same seed gives the same way. Planners with threads of their own depend on who is
/// faster, and LBTRRT on where its memory lies.
bool is_ompl_repeatable(std::string_view planner);

/// Samples, distances and ways between states are those of the world, so edges are proven while
/// the planner grows, and those of the way once more when it is done. A step is a sample or a
/// question whether to go on. OMPL keeps one source of seeds for the whole process: runs wait for
/// each other. The error names a planner or a parameter that does not exist.
Result<PlanReport> plan_ompl(const PlanningWorld& world, const PlanningProblem& problem,
                             const OmplOptions& options, const Budget& budget, const Rng& rng,
                             ProgressSink& progress = no_progress());

}  // namespace geste

#pragma once

#include <string>

#include "geste/planning/problem.hpp"

#include "common/fcl_world.hpp"

namespace geste::bench {

/// What a planner of OMPL came to.
struct OmplAnswer {
  bool found = false;
  double plan_seconds = 0;      ///< CPU time
  double simplify_seconds = 0;  ///< CPU time
  MatX path;                    ///< points of the space, simplified
};

struct OmplOptions {
  std::string planner = "RRTConnect";  ///< RRTConnect, KPIECE1, LBKPIECE or PRM
  double resolution = 0.01;  ///< longest step that is not looked at, as a share of the extent
  double seconds = 10;       ///< to plan at most
  bool simplify = true;
  std::uint32_t seed = 1;
};

/// OMPL on the space's joints, collisions by FCL at samples: the classical stack. Joints are those
/// of the space; the metric is OMPL's own. One thread.
OmplAnswer plan_with_ompl(const PlanningSpace& space, const PlanningProblem& problem,
                          FclWorld& world, const OmplOptions& options);

}  // namespace geste::bench

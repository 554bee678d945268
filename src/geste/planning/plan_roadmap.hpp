#pragma once

#include "geste/core/progress.hpp"
#include "geste/planning/roadmap.hpp"
#include "geste/planning/shorten.hpp"

namespace geste {

struct RoadmapPlanOptions {
  RoadmapOptions roadmap;
  ShortenOptions shorten;
  std::uint64_t first_round = 200;  ///< free samples before the roadmap is asked the second time
};

/// Asks a roadmap for a way and makes it shorter; where it knows none it is grown, by twice as many
/// samples each time, and asked again (MV-6). It ends with a way, or when the budget is used up or
/// a visibility roadmap covers enough. A step is a free sample. `grown` tells what was added.
PlanReport plan_roadmap(const PlanningWorld& world, const PlanningProblem& problem,
                        const RoadmapPlanOptions& options, Roadmap& roadmap, const Budget& budget,
                        const Rng& rng, ProgressSink& progress = no_progress(),
                        RoadmapReport* grown = nullptr);

}  // namespace geste

#pragma once

#include "geste/core/progress.hpp"
#include "geste/planning/roadmap_search.hpp"
#include "geste/planning/shorten.hpp"

namespace geste {

struct RoadmapPlanOptions {
  RoadmapOptions roadmap;
  RrtConnectOptions search;
  ShortenOptions shorten;
  std::uint64_t first_round = 200;  ///< free samples before the roadmap is asked the second time
};

/// Asks a roadmap for a way and makes it shorter. Where it knows none, trees search one from what
/// it reaches (roadmap_search.hpp), and what they find it knows from then on; then it is grown and
/// asked again, in rounds that double (MV-6). It ends with a way, or when the budget is used up, or
/// when a visibility roadmap covers enough and trees found nothing either. A step is a sample of
/// either: free ones of the roadmap, all of the trees. `grown` tells what was added by samples.
PlanReport plan_roadmap(const PlanningWorld& world, const PlanningProblem& problem,
                        const RoadmapPlanOptions& options, Roadmap& roadmap, const Budget& budget,
                        const Rng& rng, ProgressSink& progress = no_progress(),
                        RoadmapReport* grown = nullptr);

}  // namespace geste

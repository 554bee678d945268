#pragma once

#include "geste/planning/roadmap.hpp"
#include "geste/planning/rrt_connect.hpp"

namespace geste {

/// Searches a way where a roadmap knows none: two trees (rrt_connect.hpp) that begin with all that
/// the roadmap reaches from the start and from the goals. An end that hangs in a corner where it
/// sees no point is the smaller tree, and grows until it meets the rest. A step is a sample. Links
/// that were not proven are so here.
PlanReport search_from_roadmap(Roadmap& roadmap, const PlanningProblem& problem,
                               const RrtConnectOptions& options, LocalPlanner& local,
                               const Budget& budget, Rng& rng);

/// Adds a way that was found elsewhere, so that the roadmap knows it from now on: its ends, joined
/// to what they see, and as few points between them as the steering method needs.
void learn_way(Roadmap& roadmap, const MatX& path, LocalPlanner& local);

}  // namespace geste

#pragma once

#include <filesystem>

#include "geste/planning/roadmap.hpp"
#include "geste/tasks/internal/planning_rig.hpp"
#include "geste/tasks/planner_choice.hpp"

namespace geste::internal {

/// What a search may use, beside its planner's own parameters.
struct PlannerRun {
  Budget budget;
  Rng rng;
  bool shorten = true;
  int threads = 0;
  ProgressSink& progress;
  std::filesystem::path folder;         ///< of relative paths
  std::function<bool()> is_hopeless{};  ///< whether it is proven that there is no way; asked once
};

/// Searches with the planner that was chosen, by the rig's steering. A roadmap is read from its
/// file and written there when it was grown; figures of it go into `result`. The error names a
/// planner, a parameter, a value or a file that does not fit.
Result<PlanReport> run_planner(const PlanningRig& rig, const PlannerChoice& choice,
                               const PlanningProblem& problem, const PlannerRun& run,
                               TaskResult& result);

/// Grows a roadmap, on from what its file holds, and writes it unless it was called off.
struct GrownRoadmap {
  RoadmapReport report;
  int points = 0;
  std::size_t links = 0;
  int components = 0;
  std::size_t bytes = 0;  ///< of the file
};
Result<GrownRoadmap> run_grower(const PlanningRig& rig, const PlannerChoice& choice,
                                const PlannerRun& run);

}  // namespace geste::internal

#pragma once

#include "geste/tasks/mover_choice.hpp"
#include "geste/tasks/planner_choice.hpp"
#include "geste/tasks/steering_choice.hpp"
#include "geste/tasks/task.hpp"

namespace geste {

struct GrowRoadmapOptions : MoverChoice {
  SteeringChoice steering;
  PlannerChoice planner{.planner = "visibility_prm"};
  long long samples = 20'000;  ///< free ones, at most
};

/// Grows the roadmap of an actor or a loose part and keeps it in a file, for moves to ask (MV-6).
/// Where the file is there already it goes on with it.
class GrowRoadmap final : public Task {
 public:
  void describe(FieldVisitor& visitor) override;
  Result<TaskOutcome> run(const TaskRun& run) override;

 private:
  GrowRoadmapOptions options_;
};

}  // namespace geste

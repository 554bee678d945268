#pragma once

#include "geste/formats/fields.hpp"

namespace geste {

/// A planner as a task file asks for it (MV-5).
struct PlannerChoice {
  std::string planner = "rrt_connect";
  /// Numbers that the planner takes, by name.
  std::vector<std::pair<std::string, std::vector<double>>> parameters{};
  std::string sampler = "uniform";     ///< of roadmaps
  std::string strategy = "component";  ///< of basic roadmaps
  std::string roadmap{};               ///< file that it is kept in; empty: none
};

/// Its fields, beside those of the task: how ways are searched, or only how roadmaps are grown.
void describe_planner(FieldVisitor& visitor, PlannerChoice& choice);
void describe_grower(FieldVisitor& visitor, PlannerChoice& choice);

}  // namespace geste

#pragma once

#include "geste/planning/problem.hpp"

namespace geste {

/// The ways that the steering method makes from the start to each goal, tried in the goals' order:
/// the first that is proven free. What slides out of a hole with no play goes so, and no random
/// sample would find it. Nothing where none is free. Ends that are not free are left out.
std::optional<PlanReport> find_straight_way(const PlanningProblem& problem, LocalPlanner& local);

}  // namespace geste

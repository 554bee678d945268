#include "geste/planning/straight.hpp"

#include "geste/core/index.hpp"

namespace geste {

std::optional<PlanReport> find_straight_way(const PlanningProblem& problem, LocalPlanner& local) {
  if (!local.is_free(problem.start)) return std::nullopt;
  const LocalPlanner::Counts before = local.counts();
  Way way(local.world().space);
  for (std::size_t g = 0; g < problem.goals.size(); ++g) {
    if (!local.connects(problem.start, problem.goals[g], way)) continue;
    PlanReport report;
    report.status = PlanStatus::found;
    report.path.resize(local.world().space.size(), way.count());
    for (int i = 0; i < way.count(); ++i) report.path.col(i) = way[i];
    report.goal = static_cast<int>(g);
    report.gap = 0;
    report.nodes = at(way.count());
    report.counts = {local.counts().points - before.points, local.counts().legs - before.legs};
    return report;
  }
  return std::nullopt;
}

}  // namespace geste

#include "geste/planning/local_planner.hpp"

#include "geste/core/index.hpp"

namespace geste {
namespace {

/// Ends the way after `range`; false where it is not that long.
bool cut(const PlanningSpace& space, double range, Way& way) {
  double gone = 0;
  for (int leg = 0; leg < way.legs(); ++leg) {
    const double length = space.distance(way.q().col(leg), way.q().col(leg + 1));
    if (gone + length <= range) {
      gone += length;
      continue;
    }
    const VecX q0 = way.q().col(leg), q1 = way.q().col(leg + 1);
    while (way.points() > leg + 2) way.pop();
    interpolate(space.scene(), q0, q1, way.course(), (range - gone) / length, way.q().col(leg + 1));
    return true;
  }
  return false;
}

void reverse(Way& way) {
  auto q = way.q();
  for (int a = 0, b = way.points() - 1; a < b; ++a, --b) q.col(a).swap(q.col(b));
}

}  // namespace

LocalPlanner::Memory::Memory(const LocalPlanner& planner)
    : workspace(planner.space().scene()), validator(planner.validator()) {}

bool LocalPlanner::admit(VecRef q, Memory& memory) const {
  if (!space_.complete(q, memory.workspace) || !space_.is_within_limits(q)) return false;
  ConfigurationAnswer answer;
  ++memory.counts.configurations;
  validator_.check(q, {&answer, 1}, memory.validator);
  return answer.is_free;
}

LocalPlanner::Reach LocalPlanner::extend(ConstVecRef q0, ConstVecRef q1, double range,
                                         bool backward, Way& way, Memory& memory) const {
  const bool turned = backward && !steering_.is_symmetric();
  if (!steering_.steer(turned ? q1 : q0, turned ? q0 : q1, way)) return Reach::none;
  if (turned) reverse(way);
  const bool is_cut = cut(space_, range, way);
  if (!prove(way, memory)) return Reach::none;
  if (backward) reverse(way);
  return is_cut ? Reach::part : Reach::all;
}

bool LocalPlanner::prove(Way& way, Memory& memory) const {
  for (int k = 1; k < way.points(); ++k) {
    if (!space_.complete(way.q().col(k), memory.workspace)) return false;
    if (!space_.is_within_limits(way.q().col(k))) return false;
  }
  // One leg at a time: the first that touches spares the others.
  const auto q = std::as_const(way).q();
  for (int leg = 0; leg < way.legs(); ++leg) {
    EdgeAnswer answer;
    ++memory.counts.legs;
    validator_.check_edges(q.col(leg), q.col(leg + 1), way.course(), {&answer, 1},
                           memory.validator);
    if (!answer.is_free) return false;
  }
  return true;
}

double compute_length(const PlanningSpace& space, const Way& way) {
  double length = 0;
  for (int leg = 0; leg < way.legs(); ++leg)
    length += space.distance(way.q().col(leg), way.q().col(leg + 1));
  return length;
}

}  // namespace geste

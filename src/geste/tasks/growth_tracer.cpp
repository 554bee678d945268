#include "geste/tasks/internal/growth_tracer.hpp"

#include <map>

#include "geste/core/index.hpp"
#include "geste/model/kinematics.hpp"

namespace geste::internal {
namespace {

/// How many planned joints lie between a mover and the world.
int count_planned_above(const PlanningSpace& space, int mover) {
  const std::vector<Mover>& movers = space.scene().movers();
  int count = 0;
  for (; mover != 0; mover = movers[at(mover)].parent)
    for (const PlanningSpace::Item& item : space.items())
      count += space.scene().joint(movers[at(mover)].joint).name == item.joint.name;
  return count;
}

}  // namespace

GrowthTracer::GrowthTracer(const PlanningSpace& space, GrowthSink& sink)
    : scene_(space.scene()), sink_(sink), workspace_(space.scene()) {
  std::map<ActorId, std::pair<int, int>> farthest;  // joints above, mover
  for (int m = 1; m < static_cast<int>(scene_.movers().size()); ++m) {
    const Mover& mover = scene_.movers()[at(m)];
    const int above = count_planned_above(space, m);
    if (above == 0 || mover.carried) continue;
    auto& best = farthest[scene_.body(scene_.joint(mover.joint).child).actor];
    if (above > best.first) best = {above, m};
  }
  for (const auto& [actor, best] : farthest) movers_.push_back(best.second);
  from_.resize(movers_.size());
}

void GrowthTracer::take(ConstVecRef q0, ConstVecRef q1) {
  const std::lock_guard lock(mutex_);
  compute_kinematics(scene_, q0, workspace_);
  for (std::size_t i = 0; i < movers_.size(); ++i) from_[i] = workspace_.X_WM()[at(movers_[i])].p;
  compute_kinematics(scene_, q1, workspace_);
  for (std::size_t i = 0; i < movers_.size(); ++i)
    sink_.add(from_[i], workspace_.X_WM()[at(movers_[i])].p);
}

}  // namespace geste::internal

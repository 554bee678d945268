#include "geste/planning/sample_room.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/model/joint_manifold.hpp"

namespace geste {
namespace {

/// Origins of what a joint moves from which something fixed can be touched, and those of start and
/// goals, in the joint's frame.
AxisBox find_box(const PlanningSpace::Item& item, const CollisionModel& model,
                 const PlanningProblem& problem) {
  AxisBox box =
      inflate(place_box(item.joint.X_PJ.inverse(), model.fixed().box()), 1 / item.per_metre);
  const int positions = count_positions(item.joint.type);
  const auto include = [&](const VecX& x) {
    Vec3 p = box.centre();
    p.head(positions) = x.segment(item.x, positions);
    box.add(p);
  };
  include(problem.start);
  for (const VecX& goal : problem.goals) include(goal);
  return box;
}

/// Whether no chain holds what the joint moves.
bool is_loose(const Joint& joint) {
  return (joint.type == JointType::free || joint.type == JointType::planar) &&
         !joint.parent.valid();
}

}  // namespace

SampleRoom::SampleRoom(const PlanningWorld& world, const PlanningProblem& problem)
    : space_(world.space), extent_(world.space.extent()) {
  const CollisionModel& model = world.validator.model();
  const auto& items = space_.items();
  const bool has_loose = std::any_of(items.begin(), items.end(),
                                     [](const auto& item) { return is_loose(item.joint); });
  if (!has_loose || model.fixed().empty() || space_.has_loops()) return;
  double squared = extent_ * extent_;
  bool is_narrower = false;
  for (const PlanningSpace::Item& item : items) {
    Joint joint = item.joint;
    if (is_loose(joint)) {
      const AxisBox box = find_box(item, model, problem);
      for (int k = 0; k < count_positions(joint.type); ++k) {
        DofLimits& limits = joint.limits[at(k)];
        const double before = (limits.upper - limits.lower) * item.per_metre;
        const double low = std::max(limits.lower, box.min[k]),
                     high = std::min(limits.upper, box.max[k]);
        if (!(low < high) || high - low == limits.upper - limits.lower) continue;
        limits.lower = low;
        limits.upper = high;
        is_narrower = true;
        squared += std::pow((high - low) * item.per_metre, 2) - before * before;
      }
    }
    joints_.push_back(std::move(joint));
  }
  if (!is_narrower) joints_.clear();
  extent_ = std::sqrt(squared);
}

void SampleRoom::sample(Rng& rng, VecRef x) const {
  constexpr double kAnywhere = 0.1;
  if (joints_.empty() || rng.uniform() < kAnywhere) return space_.sample(rng, x);
  sample_inside(rng, x);
}

void SampleRoom::sample_inside(Rng& rng, VecRef x) const {
  if (joints_.empty()) return space_.sample(rng, x);
  for (std::size_t k = 0; k < joints_.size(); ++k)
    space_.items()[k].sample(joints_[k], rng, x.data() + space_.items()[k].x);
}

}  // namespace geste

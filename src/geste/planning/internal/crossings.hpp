#pragma once

#include <algorithm>
#include <optional>

#include "geste/core/index.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/planning/space.hpp"
#include "geste/proximity/collision_query.hpp"

namespace geste::internal {

/// What points of a space collide with.
class Crossings {
 public:
  Crossings(const PlanningSpace& space, const CollisionModel& model)
      : space_(space),
        model_(model),
        workspace_(space.scene()),
        memory_(model),
        q_(space.scene().nq()) {}

  std::vector<PairClearance> find(ConstVecRef x, const DepthOptions& depth) {
    if (!space_.complete(x, q_, workspace_)) return {};
    compute_kinematics(space_.scene(), q_, workspace_);
    return find_collisions(model_, workspace_, memory_, depth);
  }

  /// Whom of a pair the space does not move; nothing where it moves both.
  [[nodiscard]] std::optional<BodyId> other(const PairClearance& pair) const {
    const bool moves_a = space_.moves(model_.objects()[at(pair.object_a)].mover);
    const bool moves_b = space_.moves(model_.objects()[at(pair.object_b)].mover);
    if (moves_a == moves_b) return std::nullopt;
    return moves_a ? pair.b : pair.a;
  }

 private:
  const PlanningSpace& space_;
  const CollisionModel& model_;
  Workspace workspace_;
  CollisionWorkspace memory_;
  VecX q_;
};

/// m; how deep the deepest is, 0 where nothing collides.
inline double measure_depth(const std::vector<PairClearance>& pairs) {
  return pairs.empty() ? 0 : std::max(0.0, -pairs.front().separation.distance);
}

inline void add_once(BodyId body, std::vector<BodyId>& bodies) {
  if (std::find(bodies.begin(), bodies.end(), body) == bodies.end()) bodies.push_back(body);
}

}  // namespace geste::internal

#pragma once

#include <optional>

#include "common/fcl_world.hpp"

namespace geste::bench {

/// What a stack found for one problem, and what it took: CPU seconds of one thread.
struct ArmAnswer {
  bool solved = false;
  double plan_s = 0;
  double shorten_s = 0;
  double length = 0;  ///< rad, of the shortened path
  MatX path{};        ///< one configuration per column
};

/// OMPL's RRT-Connect with FCL on the same meshes, as it is mostly set up: motions are looked at
/// every 1 % of the space's extent, then the path is simplified with OMPL's defaults.
ArmAnswer solve_classically(const Scene& scene, std::span<const JointId> joints, const VecX& start,
                            const VecX& goal, FclWorld& world, double patience_s,
                            std::uint32_t seed);

}  // namespace geste::bench

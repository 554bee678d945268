#pragma once

#include "geste/planning/space.hpp"

namespace geste::internal {

/// Whether some of the joints move a general loop.
bool moves_loops(const Scene& scene, std::span<const JointId> joints);

/// Why nothing can be planned from where the scene is: general loops that are open there.
std::vector<Diagnostic> find_open_loops(const Scene& scene, ConstVecRef rest);

/// The same: loops that have less to answer with there than around it, so that nothing tells how
/// they go on.
std::vector<Diagnostic> find_singular_loops(const PlanningSpace& space);

}  // namespace geste::internal

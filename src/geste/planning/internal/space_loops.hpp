#pragma once

#include "geste/planning/space.hpp"

namespace geste::internal {

/// Adds the joints that general loops move when some of `joints` move, in the order of the scene.
/// Whether there are such loops.
bool add_loop_joints(const Scene& scene, std::vector<JointId>& joints);

/// Why nothing can be planned from where the scene is: general loops that are open there.
std::vector<Diagnostic> find_open_loops(const Scene& scene, ConstVecRef rest);

/// The same: loops that have less to answer with there than around it, so that nothing tells how
/// they go on.
std::vector<Diagnostic> find_singular_loops(const PlanningSpace& space);

}  // namespace geste::internal

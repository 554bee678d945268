#pragma once

#include <vector>

#include "geste/model/scene.hpp"
#include "geste/model/workspace.hpp"

namespace geste::internal {

/// What may move to bring a body somewhere: the independent joints that it depends on, directly or
/// through followers, formulas and loops. The joint that places an actor freely in the world is not
/// among them, unless the body itself hangs on it.
struct DragChain {
  std::vector<JointId> joints;  ///< in ascending order
  std::vector<int> dofs;        ///< their degrees of freedom
  std::vector<int> loops;       ///< indices of the general loops that they move
};

/// `only`: nothing else may move; empty: all of them may.
DragChain find_drag_chain(const Scene& scene, BodyId body, const std::vector<JointId>& only = {});

/// The free joint of a loose part: independent, on the world and in no loop. Invalid: the body is
/// something else.
JointId find_loose_joint(const Scene& scene, BodyId body);

/// Rows of the loops' Jacobian with respect to the chain's degrees of freedom: their product with a
/// velocity is zero when the loops stay closed. `N`: compute_velocity_map of the same degrees of
/// freedom; `workspace` has the joint columns.
MatX compute_loop_rows(const Scene& scene, const Workspace& workspace, const DragChain& chain,
                       const MatX& N);

}  // namespace geste::internal

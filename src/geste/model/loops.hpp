#pragma once

#include "geste/model/scene.hpp"
#include "geste/model/workspace.hpp"

namespace geste {

struct ProjectionOptions {
  double tolerance = 1e-11;  ///< residual that counts as closed: norm over all loops, m and rad
  int max_iterations = 100;
};

struct ProjectionReport {
  bool closed = false;
  double residual = 0;  ///< norm of all constrained components, m and rad
  int iterations = 0;
};

/// What messages call all general loops: "loop 'a'", "loops 'a', 'b'".
std::string describe_loops(const Scene& scene);

/// Residual of all general loops at a complete configuration, whose kinematics `workspace` holds.
double compute_loop_residual(const Scene& scene, const Workspace& workspace);
/// Of one loop of the scene.
double compute_loop_residual(const Scene& scene, const Workspace& workspace, const Loop& loop);

/// How many equations of all general loops their joints answer to at a complete configuration,
/// whose kinematics it leaves in the workspace: at singular places fewer than around them.
/// Allocates.
int compute_loop_rank(const Scene& scene, ConstVecRef q, Workspace& workspace);

/// Moves the joints of the general loops (Scene::loops) until these close, by damped Gauss-Newton
/// steps of least length (Levenberg-Marquardt), then fills the dependents: near a closed
/// configuration the result is the nearest one to first order. Joint limits are not looked at. The
/// residual that is left is always reported; q holds the best configuration found (MV-4).
ProjectionReport project_to_loops(const Scene& scene, VecRef q, Workspace& workspace,
                                  const ProjectionOptions& options = {});

}  // namespace geste

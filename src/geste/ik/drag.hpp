#pragma once

#include <optional>
#include <vector>

#include "geste/model/scene.hpp"
#include "geste/model/workspace.hpp"

namespace geste {

/// Where a body is pulled to by hand: a point of it to a place and, where asked, the body to an
/// orientation.
struct DragTarget {
  BodyId body;
  Vec3 p_B = Vec3::Zero();  ///< the point, in the body
  Vec3 p_W = Vec3::Zero();  ///< where it should be
  std::optional<Mat3> R_WB{};
};

struct DragOptions {
  int max_iterations = 30;
  double tolerance = 1e-7;        ///< m, and rad times `rotation_length`: near enough
  double rotation_length = 0.3;   ///< m; what a radian off weighs against a metre off
  double max_pull = 0.3;          ///< m; how much of the error one iteration tries to take away
  std::vector<JointId> joints{};  ///< that may move, of those above the body; empty: all of them
};

struct DragReport {
  double residual_m = 0;          ///< how far the point stays away
  double residual_rad = 0;        ///< and how far it is turned away; 0 where any way will do
  std::vector<JointId> at_limit;  ///< joints above the body that cannot go on
  int iterations = 0;
};

/// Moves the joints above a body until it is as near to its target as they let it, by damped least
/// squares steps (Levenberg-Marquardt; Y. Nakamura, H. Hanafusa, "Inverse kinematic solutions with
/// singularity robustness for robot manipulator control", 1986) in the tangent space of the
/// configuration manifold: dq = J^T (J J^T + damping)^-1 e.
///
/// - Joints stay within their limits: one that would leave them is held while the others go on.
///   Those that were beyond them come back first.
/// - Followers, formulas and carried bodies count through compute_velocity_map; closed loops
///   through their tangent, and are closed again after each step.
/// - A loose part (a free joint on the world, not carried, in no loop) is set where it should be.
///   Above other bodies such a joint is held: an arm reaches, it does not fly.
/// - Where the error is at right angles to all that the joints can do (a stretched arm that is to
///   fold), a small bend is tried.
///
/// The error never grows, the same input gives the same bytes. `q` must be complete and is complete
/// afterwards; `workspace` then holds its kinematics. Allocates a little; for an arm some tens of
/// microseconds. An id of another scene throws std::out_of_range.
DragReport drag_body(const Scene& scene, const DragTarget& target, VecRef q, Workspace& workspace,
                     const DragOptions& options = {});

}  // namespace geste

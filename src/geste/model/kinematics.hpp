#pragma once

#include "geste/model/scene.hpp"
#include "geste/model/workspace.hpp"

namespace geste {

// Kinematics without allocation. Order: compute_kinematics, then what needs it. `q` must be
// complete: followers and carried bodies hold their values (compute_dependents). A vector of the
// wrong size throws std::invalid_argument.

/// Pose of every mover, O(movers).
void compute_kinematics(const Scene& scene, ConstVecRef q, Workspace& workspace);

/// A mover's place in its parent, at its joint's entries of q.
Pose compute_joint_pose(const Mover& mover, const double* q);

/// Places of named things; each one product after compute_kinematics.
Pose compute_pose(const Scene& scene, const Workspace& workspace, BodyId body);
Pose compute_pose(const Scene& scene, const Workspace& workspace, FrameId frame);
Pose compute_geometry_pose(const Scene& scene, const Workspace& workspace, int geometry);

/// All joint columns of the world Jacobian, from which every frame's Jacobian is read. O(nv).
void compute_joint_columns(const Scene& scene, Workspace& workspace);

/// 6 x nv Jacobian of a point fixed to `body` at p_B: J v is (velocity of the point, angular
/// velocity), both in world axes. Needs compute_joint_columns. Columns of joints that do not move
/// the body are zero.
void compute_point_jacobian(const Scene& scene, const Workspace& workspace, BodyId body,
                            const Vec3& p_B, Eigen::Ref<Mat6X> J);
void compute_frame_jacobian(const Scene& scene, const Workspace& workspace, FrameId frame,
                            Eigen::Ref<Mat6X> J);

/// Velocity of every mover by the forward recursion. O(movers).
void compute_velocities(const Scene& scene, ConstVecRef v, Workspace& workspace);
/// Velocity of the body's origin and angular velocity, in world axes.
Motion compute_velocity(const Scene& scene, const Workspace& workspace, BodyId body);

/// Centre of mass in the world of the bodies that can move: of one actor, or of all when the id is
/// invalid. Bodies welded to the world are left out. Zero when nothing has mass.
Vec3 compute_com(const Scene& scene, const Workspace& workspace, ActorId actor = {});
/// 3 x nv. Needs compute_joint_columns.
void compute_com_jacobian(const Scene& scene, Workspace& workspace, Eigen::Ref<Mat3X> J,
                          ActorId actor = {});

}  // namespace geste

#include "geste/model/internal/loop_system.hpp"

#include <set>

#include "geste/math/se3.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"

namespace geste::internal {
namespace {

/// World-axes Jacobian of a point as one of the body twist seen in a frame with rotation R_WF.
void rotate_into(const Mat3& R_WF, Mat6X& J) {
  J.topRows(3) = R_WF.transpose() * J.topRows(3).eval();
  J.bottomRows(3) = R_WF.transpose() * J.bottomRows(3).eval();
}

}  // namespace

Pose compute_loop_offset(const Scene& scene, const Workspace& workspace, const Loop& loop) {
  const Pose X_WA = compute_pose(scene, workspace, loop.body_a) * loop.X_A;
  const Pose X_WB = compute_pose(scene, workspace, loop.body_b) * loop.X_B;
  return X_WA.inverse() * X_WB;
}

int count_loop_rows(const Scene& scene) {
  int rows = 0;
  for (const Loop& loop : scene.loops()) rows += loop.size;
  return rows;
}

LoopSystem::LoopSystem(const Scene& scene)
    : rows_(count_loop_rows(scene)), J_A_(6, scene.nv()), J_B_(6, scene.nv()) {
  std::set<int> dofs;
  for (const Loop& loop : scene.loops()) {
    for (JointId id : loop.joints) {
      const Joint& j = scene.joint(id);
      for (int k = 0; k < j.nv; ++k) dofs.insert(j.v + k);
    }
  }
  dofs_.assign(dofs.begin(), dofs.end());
}

void LoopSystem::set(const Scene& scene, ConstVecRef q, Workspace& workspace) {
  compute_velocity_map(scene, q, workspace, dofs_, map_);
}

const Mat6X& LoopSystem::compute_relative(const Scene& scene, const Workspace& workspace,
                                          const Loop& loop) {
  compute_point_jacobian(scene, workspace, loop.body_a, loop.X_A.p, J_A_);
  compute_point_jacobian(scene, workspace, loop.body_b, loop.X_B.p, J_B_);
  rotate_into((compute_pose(scene, workspace, loop.body_a) * loop.X_A).R, J_A_);
  rotate_into((compute_pose(scene, workspace, loop.body_b) * loop.X_B).R, J_B_);
  const Pose X_BA = compute_loop_offset(scene, workspace, loop).inverse();
  relative_ = (J_B_ - se3::adjoint(X_BA) * J_A_) * map_;
  return relative_;
}

}  // namespace geste::internal

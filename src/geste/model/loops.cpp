#include "geste/model/loops.hpp"

#include <Eigen/Cholesky>
#include <iterator>
#include <set>

#include "geste/math/se3.hpp"
#include "geste/math/so3.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

Pose loop_offset(const Scene& scene, const Workspace& workspace, const Loop& loop) {
  const Pose X_WA = compute_pose(scene, workspace, loop.body_a) * loop.X_A;
  const Pose X_WB = compute_pose(scene, workspace, loop.body_b) * loop.X_B;
  return X_WA.inverse() * X_WB;
}

int count_rows(const Scene& scene) {
  int rows = 0;
  for (const Loop& loop : scene.loops()) rows += loop.size;
  return rows;
}

void compute_residual(const Scene& scene, const Workspace& workspace, VecX& r) {
  int row = 0;
  for (const Loop& loop : scene.loops()) {
    const Pose X_AB = loop_offset(scene, workspace, loop);
    const Vec6 offset = (Vec6() << X_AB.p, so3::log(X_AB.R)).finished();
    for (int k = 0; k < 6; ++k) {
      if (loop.constrained[static_cast<std::size_t>(k)]) r[row++] = offset[k];
    }
  }
}

/// World-axes Jacobian of a point as one of the body twist seen in a frame with rotation R_WF.
void rotate_into(const Mat3& R_WF, Mat6X& J) {
  J.topRows(3) = R_WF.transpose() * J.topRows(3).eval();
  J.bottomRows(3) = R_WF.transpose() * J.bottomRows(3).eval();
}

/// d residual / d v, over the degrees of freedom that the loops may move. With (v, w) the twist of
/// B less that of A, both seen from B: the place changes by R_AB v, the logarithm of the rotation
/// by Jr^-1 w.
class LoopJacobian {
 public:
  explicit LoopJacobian(const Scene& scene) : J_A_(6, scene.nv()), J_B_(6, scene.nv()) {
    std::set<int> dofs;
    for (const Loop& loop : scene.loops()) {
      for (JointId id : loop.joints) {
        const Joint& j = scene.joint(id);
        for (int k = 0; k < j.nv; ++k) dofs.insert(j.v + k);
      }
    }
    dofs_.assign(dofs.begin(), dofs.end());
  }

  [[nodiscard]] const std::vector<int>& dofs() const { return dofs_; }

  void compute(const Scene& scene, ConstVecRef q, Workspace& workspace, MatX& J) {
    compute_velocity_map(scene, q, workspace, dofs_, map_);
    int row = 0;
    for (const Loop& loop : scene.loops()) {
      const Pose X_AB = loop_offset(scene, workspace, loop);
      compute_point_jacobian(scene, workspace, loop.body_a, loop.X_A.p, J_A_);
      compute_point_jacobian(scene, workspace, loop.body_b, loop.X_B.p, J_B_);
      rotate_into((compute_pose(scene, workspace, loop.body_a) * loop.X_A).R, J_A_);
      rotate_into((compute_pose(scene, workspace, loop.body_b) * loop.X_B).R, J_B_);
      const Mat6X relative = J_B_ - se3::adjoint(X_AB.inverse()) * J_A_;
      Mat6X full = relative * map_;
      full.topRows(3) = X_AB.R * full.topRows(3).eval();
      full.bottomRows(3) =
          so3::right_jacobian_inverse(so3::log(X_AB.R)) * full.bottomRows(3).eval();
      for (int k = 0; k < 6; ++k) {
        if (loop.constrained[static_cast<std::size_t>(k)]) {
          J.row(row++) = full.row(k);
        }
      }
    }
  }

 private:
  Mat6X J_A_;
  Mat6X J_B_;
  std::vector<int> dofs_;
  MatX map_;
};

}  // namespace

double compute_loop_residual(const Scene& scene, const Workspace& workspace) {
  VecX r(count_rows(scene));
  compute_residual(scene, workspace, r);
  return r.norm();
}

ProjectionReport project_to_loops(const Scene& scene, VecRef q, Workspace& workspace,
                                  const ProjectionOptions& options) {
  ProjectionReport report;
  const int rows = count_rows(scene);
  if (rows == 0) {
    report.closed = compute_dependents(scene, q, workspace);
    return report;
  }
  // Puts the dependents of `at` and the whole scene into the workspace.
  const auto evaluate = [&](VecRef at, VecX& residual) {
    const bool formulas_closed = compute_dependents(scene, at, workspace);
    compute_residual(scene, workspace, residual);
    return formulas_closed;
  };
  LoopJacobian jacobian(scene);
  VecX r(rows), trial_r(rows), step = VecX::Zero(scene.nv());
  MatX J(rows, std::ssize(jacobian.dofs()));
  VecX trial(scene.nq());
  double damping = 1e-6;
  evaluate(q, r);

  while (r.norm() > options.tolerance && report.iterations < options.max_iterations) {
    ++report.iterations;
    jacobian.compute(scene, q, workspace, J);
    // The smallest step that closes the loops to first order: v = -J^T (J J^T + damping)^-1 r.
    const MatX normal = J * J.transpose() + damping * MatX::Identity(rows, rows);
    step(jacobian.dofs()) = -J.transpose() * normal.ldlt().solve(r);
    integrate(scene, q, step, trial);
    evaluate(trial, trial_r);
    if (trial_r.norm() < r.norm()) {
      q = trial;
      r = trial_r;
      damping = std::max(damping / 10, 1e-15);
    } else {
      // No better: shorten the step; a damping this large means that there is no way down.
      damping *= 10;
      if (damping > 1e6) break;
      evaluate(q, r);
    }
  }
  const bool formulas_closed = evaluate(q, r);
  report.residual = r.norm();
  report.closed = formulas_closed && report.residual <= options.tolerance;
  return report;
}

}  // namespace geste

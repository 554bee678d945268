#include "geste/model/loops.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <iterator>

#include "geste/math/so3.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/internal/loop_system.hpp"

namespace geste {
namespace {

Vec6 compute_offset(const Scene& scene, const Workspace& workspace, const Loop& loop) {
  const Pose X_AB = internal::compute_loop_offset(scene, workspace, loop);
  return (Vec6() << X_AB.p, so3::log(X_AB.R)).finished();
}

void compute_residual(const Scene& scene, const Workspace& workspace, VecX& r) {
  int row = 0;
  for (const Loop& loop : scene.loops()) {
    const Vec6 offset = compute_offset(scene, workspace, loop);
    for (int k = 0; k < 6; ++k) {
      if (loop.constrained[static_cast<std::size_t>(k)]) r[row++] = offset[k];
    }
  }
}

/// How the logarithm of a loop's rotation changes: by Jr^-1 w.
Mat3 compute_turn(const Loop& /*loop*/, const Mat3& R) {
  return so3::right_jacobian_inverse(so3::log(R));
}

}  // namespace

std::string describe_loops(const Scene& scene) {
  std::string names;
  for (const Loop& loop : scene.loops())
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", loop.name);
  return (scene.loops().size() == 1 ? "loop " : "loops ") + names;
}

double compute_loop_residual(const Scene& scene, const Workspace& workspace) {
  VecX r(internal::count_loop_rows(scene));
  compute_residual(scene, workspace, r);
  return r.norm();
}

double compute_loop_residual(const Scene& scene, const Workspace& workspace, const Loop& loop) {
  const Vec6 offset = compute_offset(scene, workspace, loop);
  double squared = 0;
  for (int k = 0; k < 6; ++k)
    if (loop.constrained[static_cast<std::size_t>(k)]) squared += offset[k] * offset[k];
  return std::sqrt(squared);
}

int compute_loop_rank(const Scene& scene, ConstVecRef q, Workspace& workspace) {
  // Of the largest singular value: what lies below is not told from nothing.
  constexpr double kNothing = 1e-6;
  internal::LoopSystem system(scene);
  MatX J(system.rows(), std::ssize(system.dofs()));
  if (J.size() == 0) return 0;
  system.compute_jacobian(scene, q, workspace, J, compute_turn);
  const VecX values = J.jacobiSvd().singularValues();
  return static_cast<int>((values.array() > kNothing * std::max(values[0], 1.0)).count());
}

ProjectionReport project_to_loops(const Scene& scene, VecRef q, Workspace& workspace,
                                  const ProjectionOptions& options) {
  ProjectionReport report;
  if (scene.loops().empty()) {
    report.closed = compute_dependents(scene, q, workspace);
    return report;
  }
  // Puts the dependents of `at` and the whole scene into the workspace.
  const auto evaluate = [&](VecRef at, VecX& residual) {
    const bool formulas_closed = compute_dependents(scene, at, workspace);
    compute_residual(scene, workspace, residual);
    return formulas_closed;
  };
  const int rows = internal::count_loop_rows(scene);
  VecX r(rows);
  if (evaluate(q, r) && r.norm() <= options.tolerance) {
    report.closed = true;
    report.residual = r.norm();
    return report;
  }
  internal::LoopSystem system(scene);
  VecX trial_r(rows), step = VecX::Zero(scene.nv());
  MatX J(rows, std::ssize(system.dofs()));
  VecX trial(scene.nq());
  double damping = 1e-6;

  while (r.norm() > options.tolerance && report.iterations < options.max_iterations) {
    ++report.iterations;
    system.compute_jacobian(scene, q, workspace, J, compute_turn);
    // The smallest step that closes the loops to first order: v = -J^T (J J^T + damping)^-1 r.
    const MatX normal = J * J.transpose() + damping * MatX::Identity(rows, rows);
    step(system.dofs()) = -J.transpose() * normal.ldlt().solve(r);
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

#include "geste/model/dependents.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geste/core/overloaded.hpp"
#include "geste/model/internal/require.hpp"
#include "geste/model/internal/workspace_access.hpp"
#include "geste/model/joint_manifold.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

using Access = WorkspaceAccess;

/// The segment of the table that holds x, as an iterator to its right end; first or last beyond the
/// ends.
auto find_segment(const TableFollow& table, double x) {
  return std::upper_bound(table.points.begin(), table.points.end(), x,
                          [](double value, const auto& point) { return value < point.first; });
}

double table_value(const TableFollow& table, double x) {
  const auto right = find_segment(table, x);
  if (right == table.points.begin()) return table.points.front().second;
  if (right == table.points.end()) return table.points.back().second;
  const auto left = std::prev(right);
  const double t = (x - left->first) / (right->first - left->first);
  return left->second + t * (right->second - left->second);
}

double table_slope(const TableFollow& table, double x) {
  const auto right = find_segment(table, x);
  if (right == table.points.begin() || right == table.points.end()) return 0;
  const auto left = std::prev(right);
  return (right->second - left->second) / (right->first - left->first);
}

void differentiate(const CallableFollow& f, std::span<const double> leaders,
                   std::span<double> gradient) {
  std::vector<double> x(leaders.begin(), leaders.end());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double h = 1e-6 * std::max(1.0, std::abs(leaders[i]));
    x[i] = leaders[i] + h;
    const double above = f.value(x);
    x[i] = leaders[i] - h;
    gradient[i] = (above - f.value(x)) / (2 * h);
    x[i] = leaders[i];
  }
}

void gather(const Scene& scene, const std::vector<JointId>& joints, const VecRef& q,
            std::vector<double>& values) {
  std::size_t k = 0;
  for (JointId id : joints) {
    const Joint& j = scene.joint(id);
    for (int i = 0; i < j.nq; ++i) values[k++] = q[j.q + i];
  }
}

/// Values of one explicit loop; its leading joints are already complete.
bool close_explicit_loop(const Scene& scene, const ExplicitLoop& loop, VecRef q,
                         Workspace& workspace) {
  std::vector<double>& leading = Access::leading(workspace);
  std::vector<double>& dependent = Access::dependent(workspace);
  gather(scene, loop.leading, q, leading);
  gather(scene, loop.dependent, q, dependent);
  const bool closed = loop.formula({leading.data(), static_cast<std::size_t>(loop.nq_leading)},
                                   {dependent.data(), static_cast<std::size_t>(loop.nq_dependent)});
  std::size_t k = 0;
  for (JointId id : loop.dependent) {
    const Joint& j = scene.joint(id);
    for (int i = 0; i < j.nq; ++i) q[j.q + i] = dependent[k++];
  }
  return closed;
}

bool fill_followers_and_formulas(const Scene& scene, VecRef q, Workspace& workspace) {
  bool closed = true;
  for (const ExplicitLoop& loop : scene.explicit_loops()) {
    closed = close_explicit_loop(scene, loop, q, workspace) && closed;
  }
  std::vector<double>& leaders = Access::leading(workspace);
  for (const Follower& f : scene.followers()) {
    gather(scene, f.leaders, q, leaders);
    q[scene.joint(f.joint).q] = evaluate_follow(f, {leaders.data(), f.leaders.size()});
  }
  return closed;
}

/// A carried body's free joint is relative to its own parent in the spec: the world.
void write_carried(const Scene& scene, const Workspace& workspace, int mover, VecRef q) {
  const Mover& m = scene.movers()[static_cast<std::size_t>(mover)];
  const Joint& joint = scene.joint(m.joint);
  const Pose X_JB = joint.X_PJ.inverse() * workspace.X_WM()[static_cast<std::size_t>(mover)];
  const Quat rotation = X_JB.quaternion();
  q.segment<3>(joint.q) = X_JB.p;
  // Of the two signs take the one nearer to what was there, so that recorded motions stay smooth.
  const double sign = rotation.coeffs().dot(q.segment<4>(joint.q + 3)) < 0 ? -1 : 1;
  q.segment<4>(joint.q + 3) = sign * rotation.coeffs();
}

/// d(dependent)/d(leading) of explicit loops, by central differences of the whole completion.
/// column_of: where each degree of freedom has its column in N, or -1.
void differentiate_formulas(const Scene& scene, const VecX& q, Workspace& workspace,
                            const std::vector<int>& column_of, MatX& N) {
  VecX step = VecX::Zero(scene.nv());
  VecX above(scene.nq()), below(scene.nq()), slope(scene.nv());
  constexpr double h = 1e-6;
  for (const ExplicitLoop& loop : scene.explicit_loops()) {
    for (JointId leader : loop.leading) {
      const Joint& lead = scene.joint(leader);
      for (int k = lead.v; k < lead.v + lead.nv; ++k) {
        const int column = column_of[static_cast<std::size_t>(k)];
        if (column < 0) continue;
        above = below = q;
        step[k] = h;
        integrate(lead, q.data() + lead.q, step.data() + lead.v, above.data() + lead.q);
        step[k] = -h;
        integrate(lead, q.data() + lead.q, step.data() + lead.v, below.data() + lead.q);
        step[k] = 0;
        close_explicit_loop(scene, loop, above, workspace);
        close_explicit_loop(scene, loop, below, workspace);
        for (JointId id : loop.dependent) {
          const Joint& j = scene.joint(id);
          difference(j, below.data() + j.q, above.data() + j.q, slope.data() + j.v);
          N.col(column).segment(j.v, j.nv) = slope.segment(j.v, j.nv) / (2 * h);
        }
      }
    }
  }
}

}  // namespace

double evaluate_follow(const Follower& follower, std::span<const double> leaders) {
  return std::visit(
      Overloaded{[&](const LinearFollow& f) { return f.multiplier * leaders[0] + f.offset; },
                 [&](const TableFollow& f) { return table_value(f, leaders[0]); },
                 [&](const CallableFollow& f) { return f.value(leaders); }},
      follower.function);
}

void evaluate_follow_gradient(const Follower& follower, std::span<const double> leaders,
                              std::span<double> gradient) {
  std::visit(Overloaded{[&](const LinearFollow& f) { gradient[0] = f.multiplier; },
                        [&](const TableFollow& f) { gradient[0] = table_slope(f, leaders[0]); },
                        [&](const CallableFollow& f) {
                          if (f.gradient) {
                            f.gradient(leaders, gradient);
                          } else {
                            differentiate(f, leaders, gradient);
                          }
                        }},
             follower.function);
}

bool compute_dependents(const Scene& scene, VecRef q, Workspace& workspace) {
  internal::require_size("q", q.size(), scene.nq());
  const bool closed = fill_followers_and_formulas(scene, q, workspace);
  compute_kinematics(scene, q, workspace);
  for (int mover : scene.carried()) write_carried(scene, workspace, mover, q);
  return closed;
}

void compute_velocity_map(const Scene& scene, ConstVecRef q, Workspace& workspace, MatX& N) {
  std::vector<int> all(static_cast<std::size_t>(scene.nv()));
  std::iota(all.begin(), all.end(), 0);
  compute_velocity_map(scene, q, workspace, all, N);
}

void compute_velocity_map(const Scene& scene, ConstVecRef q, Workspace& workspace,
                          std::span<const int> dofs, MatX& N) {
  internal::require_size("q", q.size(), scene.nq());
  N.setZero(scene.nv(), std::ssize(dofs));
  std::vector<int> column_of(static_cast<std::size_t>(scene.nv()), -1);
  for (std::size_t i = 0; i < dofs.size(); ++i)
    column_of[static_cast<std::size_t>(dofs[i])] = static_cast<int>(i);
  for (const Joint& j : scene.joints()) {
    if (j.role != JointRole::independent) continue;
    for (int k = j.v; k < j.v + j.nv; ++k) {
      const int column = column_of[static_cast<std::size_t>(k)];
      if (column >= 0) N(k, column) = 1;
    }
  }
  const VecX here = q;
  differentiate_formulas(scene, here, workspace, column_of, N);
  std::vector<double>& leaders = Access::leading(workspace);
  std::vector<double> gradient;
  for (const Follower& f : scene.followers()) {
    VecX values = here;
    gather(scene, f.leaders, values, leaders);
    gradient.assign(f.leaders.size(), 0);
    evaluate_follow_gradient(f, {leaders.data(), f.leaders.size()}, gradient);
    const int row = scene.joint(f.joint).v;
    for (std::size_t i = 0; i < f.leaders.size(); ++i) {
      N.row(row) += gradient[i] * N.row(scene.joint(f.leaders[i]).v);
    }
  }
  // A carried body moves with its mover: its own velocity, in its own axes, from the Jacobian.
  compute_kinematics(scene, here, workspace);
  compute_joint_columns(scene, workspace);
  Mat6X J(6, scene.nv());
  for (int mover : scene.carried()) {
    const Joint& joint = scene.joint(scene.movers()[static_cast<std::size_t>(mover)].joint);
    compute_point_jacobian(scene, workspace, joint.child, Vec3::Zero(), J);
    const Mat3 R_BW = workspace.X_WM()[static_cast<std::size_t>(mover)].R.transpose();
    const Mat6X J_full = J * N;
    N.middleRows(joint.v, 3) = R_BW * J_full.topRows(3);
    N.middleRows(joint.v + 3, 3) = R_BW * J_full.bottomRows(3);
  }
}

}  // namespace geste

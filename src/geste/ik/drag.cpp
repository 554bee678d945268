#include "geste/ik/drag.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "geste/ik/internal/drag_chain.hpp"
#include "geste/math/so3.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/loops.hpp"

namespace geste {
namespace {

constexpr double kAtLimit = 1e-9;

/// Whether velocities of the joint are rates of its entries, so that a limit holds one of them.
bool has_plain_rates(JointType type) {
  return type == JointType::revolute || type == JointType::prismatic ||
         type == JointType::universal || type == JointType::continuous;
}

bool is_at_limit(const Joint& joint, const double* q) {
  if (joint.type == JointType::spherical) {
    const double angle = 2 * std::atan2(Vec3(q[0], q[1], q[2]).norm(), std::abs(q[3]));
    return angle >= joint.limits.front().upper - kAtLimit;
  }
  const int entries = joint.type == JointType::free ? 3 : joint.nv;
  for (int k = 0; k < entries; ++k) {
    const DofLimits& l = joint.limits[static_cast<std::size_t>(k)];
    if (q[k] <= l.lower + kAtLimit || q[k] >= l.upper - kAtLimit) return true;
  }
  return false;
}

/// One drag. The error is (place, turning times a length) in world axes.
class Dragger {
 public:
  Dragger(const Scene& scene, const DragTarget& target, Workspace& workspace,
          const DragOptions& options)
      : scene_(scene),
        target_(target),
        workspace_(workspace),
        options_(options),
        chain_(internal::find_drag_chain(scene, target.body, options.joints)),
        J_full_(6, scene.nv()),
        step_(VecX::Zero(scene.nv())) {}

  DragReport run(VecRef q) {
    bring_within_limits(q);
    DragReport report;
    const double error = descend(q, report.iterations);
    if (error > options_.tolerance && !chain_.dofs.empty()) {
      // Perhaps no minimum but a straight arm: bent a little, it may find a way.
      VecX bent = q;
      constexpr double kMuchBetter = 0.99;
      if (bend(bent) && descend(bent, report.iterations) < kMuchBetter * error) q = bent;
    }
    evaluate(q);
    const Vec6 e = compute_error();
    report.residual_m = e.head<3>().norm();
    report.residual_rad = e.tail<3>().norm() / options_.rotation_length;
    for (const JointId id : chain_.joints)
      if (is_at_limit(scene_.joint(id), q.data() + scene_.joint(id).q))
        report.at_limit.push_back(id);
    return report;
  }

 private:
  bool evaluate(VecRef q) { return project_to_loops(scene_, q, workspace_).closed; }

  [[nodiscard]] Vec6 compute_error() const {
    const Pose X_WB = compute_pose(scene_, workspace_, target_.body);
    Vec6 e = Vec6::Zero();
    e.head<3>() = target_.p_W - X_WB * target_.p_B;
    if (target_.R_WB)
      e.tail<3>() =
          options_.rotation_length * (X_WB.R * so3::log(Mat3(X_WB.R.transpose() * *target_.R_WB)));
    return e;
  }

  /// Clamps the chain's joints and leaves all others as they are.
  void clamp_chain(VecRef q) {
    clamped_ = q;
    clamp_to_limits(scene_, clamped_);
    for (const JointId id : chain_.joints) {
      const Joint& j = scene_.joint(id);
      q.segment(j.q, j.nq) = clamped_.segment(j.q, j.nq);
    }
  }

  void bring_within_limits(VecRef q) {
    VecX inside = q;
    clamp_chain(inside);
    if (inside == q) return;
    if (evaluate(inside)) q = inside;
  }

  /// Steps while they help; the error that is left. Leaves no particular kinematics behind.
  double descend(VecRef q, int& iterations) {
    was_closed_ = evaluate(q);
    excess_ = find_limit_violation(scene_, q).excess;
    Vec6 e = compute_error();
    if (chain_.dofs.empty()) return e.norm();
    double damping = 1e-4;
    constexpr double kNoWayDown = 1e4;
    for (int i = 0; i < options_.max_iterations && e.norm() > options_.tolerance; ++i) {
      ++iterations;
      compute_jacobian(q);
      double gained = 0;
      for (; damping < kNoWayDown; damping *= 10) {
        if (!try_step(q, e, damping)) continue;
        const Vec6 trial_error = compute_error();
        gained = e.norm() - trial_error.norm();
        // Less than a share of what the Jacobian promises: so long a step says nothing of the way.
        constexpr double kShare = 0.05;
        if (gained <= kShare * promised_) continue;
        q = trial_;
        e = trial_error;
        damping = std::max(damping / 10, 1e-10);
        break;
      }
      if (gained <= 1e-3 * options_.tolerance) break;
    }
    return e.norm();
  }

  /// Takes a step into trial_ and the workspace; false: it leads out of loops or limits.
  bool try_step(const VecRef& q, const Vec6& e, double damping) {
    const double pull = std::min(1.0, options_.max_pull / e.norm());
    const VecX dofs = compute_step(q, pull * e, damping);
    promised_ = std::max(0.0, e.dot(J_ * dofs) / e.norm());
    for (std::size_t i = 0; i < chain_.dofs.size(); ++i)
      step_[chain_.dofs[i]] = dofs[static_cast<Eigen::Index>(i)];
    trial_.resize(q.size());
    integrate(scene_, q, step_, trial_);
    for (const int dof : chain_.dofs) step_[dof] = 0;
    clamp_chain(trial_);
    return is_allowed(trial_);
  }

  /// Completes q. Followers and loops may break limits that no joint of the chain has.
  bool is_allowed(VecRef q) {
    return (evaluate(q) || !was_closed_) &&
           find_limit_violation(scene_, q).excess <= std::max(excess_, kAtLimit);
  }

  void compute_jacobian(const VecRef& q) {
    compute_velocity_map(scene_, q, workspace_, chain_.dofs, N_);
    compute_point_jacobian(scene_, workspace_, target_.body, target_.p_B, J_full_);
    J_ = J_full_ * N_;
    J_.bottomRows(3) *= target_.R_WB ? options_.rotation_length : 0;
    if (!chain_.loops.empty())
      loop_rows_ = internal::compute_loop_rows(scene_, workspace_, chain_, N_);
  }

  /// The Jacobian of what is free to move: joints that are held do not, loops stay closed.
  [[nodiscard]] Mat6X restrict_jacobian(const std::vector<bool>& held) const {
    Mat6X J = J_;
    for (std::size_t i = 0; i < held.size(); ++i)
      if (held[i]) J.col(static_cast<Eigen::Index>(i)).setZero();
    return chain_.loops.empty() ? J : Mat6X(J * compute_tangent(held));
  }

  /// I - L^+ L takes velocities to those that keep the loops closed; L has a row for each joint
  /// that is held, too.
  [[nodiscard]] MatX compute_tangent(const std::vector<bool>& held) const {
    const Eigen::Index n = std::ssize(held), count = std::count(held.begin(), held.end(), true);
    MatX rows = MatX::Zero(loop_rows_.rows() + count, n);
    rows.topRows(loop_rows_.rows()) = loop_rows_;
    Eigen::Index row = loop_rows_.rows();
    for (Eigen::Index i = 0; i < n; ++i)
      if (held[static_cast<std::size_t>(i)]) rows(row++, i) = 1;
    return MatX::Identity(n, n) - rows.completeOrthogonalDecomposition().solve(rows);
  }

  /// Joints that push against a limit are taken out until none does.
  VecX compute_step(const VecRef& q, const Vec6& e, double damping) {
    std::vector<bool> held(chain_.dofs.size(), false);
    for (std::size_t round = 0;; ++round) {
      const Mat6X J = restrict_jacobian(held);
      const Mat6 normal = J * J.transpose() + damping * Mat6::Identity();
      const VecX step = J.transpose() * normal.ldlt().solve(e);
      if (!hold_pushing(q, step, held) || round > held.size()) return step;
    }
  }

  bool hold_pushing(const VecRef& q, const VecX& step, std::vector<bool>& held) const {
    bool grows = false;
    std::size_t i = 0;
    for (const JointId id : chain_.joints) {
      const Joint& joint = scene_.joint(id);
      for (int k = 0; k < joint.nv; ++k, ++i) {
        if (held[i] || !has_plain_rates(joint.type)) continue;
        const DofLimits& limits = joint.limits[static_cast<std::size_t>(k)];
        const double value = q[joint.q + k], rate = step[static_cast<Eigen::Index>(i)];
        held[i] = (rate < 0 && value <= limits.lower + kAtLimit) ||
                  (rate > 0 && value >= limits.upper - kAtLimit);
        grows = grows || held[i];
      }
    }
    return grows;
  }

  /// Alternate signs, so that the bends do not cancel at the end of the arm.
  bool bend(VecRef q) {
    constexpr double kBend = 0.02;
    VecX dofs(std::ssize(chain_.dofs));
    for (Eigen::Index i = 0; i < dofs.size(); ++i) dofs[i] = i % 2 == 0 ? kBend : -2 * kBend;
    if (!chain_.loops.empty())
      dofs = compute_tangent(std::vector<bool>(chain_.dofs.size(), false)) * dofs;
    VecX step = VecX::Zero(scene_.nv());
    for (std::size_t i = 0; i < chain_.dofs.size(); ++i)
      step[chain_.dofs[i]] = dofs[static_cast<Eigen::Index>(i)];
    VecX bent(q.size());
    integrate(scene_, q, step, bent);
    clamp_chain(bent);
    if (!is_allowed(bent)) return false;
    q = bent;
    return true;
  }

  const Scene& scene_;
  const DragTarget& target_;
  Workspace& workspace_;
  const DragOptions& options_;
  const internal::DragChain chain_;
  double promised_ = 0;  ///< how much nearer the last step leads, to first order
  bool was_closed_ = true;
  double excess_ = 0;  ///< how far limits were broken before: by joints that are not ours
  MatX N_;
  Mat6X J_full_;
  Mat6X J_;
  MatX loop_rows_;
  VecX step_;
  VecX trial_;
  VecX clamped_;
};

/// A loose part goes where it should, within the limits of its places.
DragReport place_loose(const Scene& scene, const DragTarget& target, const Joint& joint, VecRef q,
                       Workspace& workspace) {
  compute_kinematics(scene, q, workspace);
  const Body& body = scene.body(target.body);
  const Mat3 R_WB = target.R_WB.value_or(compute_pose(scene, workspace, target.body).R);
  const Pose X_WB(R_WB, Vec3(target.p_W - R_WB * target.p_B));
  const Mover& mover = scene.movers()[static_cast<std::size_t>(body.mover)];
  const Pose X_JM = mover.X_PJ.inverse() * X_WB * body.X_MB.inverse();
  VecX wanted = q;
  wanted.segment<3>(joint.q) = X_JM.p;
  const Quat rotation = X_JM.quaternion();
  const double sign = rotation.coeffs().dot(q.segment<4>(joint.q + 3)) < 0 ? -1 : 1;
  wanted.segment<4>(joint.q + 3) = sign * rotation.coeffs();
  clamp_to_limits(scene, wanted);
  q.segment<7>(joint.q) = wanted.segment<7>(joint.q);

  project_to_loops(scene, q, workspace);
  DragReport report;
  report.residual_m =
      (target.p_W - compute_pose(scene, workspace, target.body) * target.p_B).norm();
  if (is_at_limit(joint, q.data() + joint.q)) report.at_limit.push_back(mover.joint);
  return report;
}

}  // namespace

DragReport drag_body(const Scene& scene, const DragTarget& target, VecRef q, Workspace& workspace,
                     const DragOptions& options) {
  if (const JointId loose = internal::find_loose_joint(scene, target.body); loose.valid())
    return place_loose(scene, target, scene.joint(loose), q, workspace);
  return Dragger(scene, target, workspace, options).run(q);
}

}  // namespace geste

#include "geste/model/internal/manifold.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geste/math/so3.hpp"

namespace geste::internal {

using std::numbers::pi;

namespace {

using QuatMap = Eigen::Map<Quat>;
using ConstQuatMap = Eigen::Map<const Quat>;
using Vec3Map = Eigen::Map<Vec3>;
using ConstVec3Map = Eigen::Map<const Vec3>;

void integrate_rotation(const double* q, const double* w, double* q_out) {
  const Quat turned = Quat(ConstQuatMap(q)) * so3::exp_quaternion(ConstVec3Map(w));
  QuatMap{q_out} = turned.normalized();
}

void rotation_difference(const double* q0, const double* q1, double* w_out) {
  Vec3Map{w_out} = so3::log(Quat(ConstQuatMap(q0).conjugate() * ConstQuatMap(q1)));
}

/// Angle of a unit quaternion away from the identity.
double rotation_angle(const double* q) {
  return 2 * std::atan2(ConstVec3Map(q).norm(), std::abs(q[3]));
}

/// How many leading entries of q are plain numbers with a lower and upper limit each.
int count_plain_entries(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::continuous:
    case JointType::prismatic:
      return 1;
    case JointType::universal:
      return 2;
    case JointType::planar:
    case JointType::free:
      return 3;
    case JointType::fixed:
    case JointType::spherical:
      return 0;
  }
  return 0;
}

double excess(const DofLimits& limit, double x) {
  return std::max(limit.lower - x, x - limit.upper);
}

}  // namespace

double wrap_angle(double angle) {
  if (angle >= -pi && angle < pi) return angle;
  const double wrapped = angle - 2 * pi * std::floor((angle + pi) / (2 * pi));
  return wrapped >= pi ? -pi : wrapped;
}

void integrate(const Joint& joint, const double* q, const double* v, double* q_out) {
  switch (joint.type) {
    case JointType::fixed:
      return;
    case JointType::revolute:
    case JointType::prismatic:
      q_out[0] = q[0] + v[0];
      return;
    case JointType::continuous:
      q_out[0] = wrap_angle(q[0] + v[0]);
      return;
    case JointType::universal:
      q_out[0] = q[0] + v[0];
      q_out[1] = q[1] + v[1];
      return;
    case JointType::planar: {
      // The velocity is the child's, in the child's axes: turn it by the angle at the start.
      const double c = std::cos(q[2]);
      const double s = std::sin(q[2]);
      q_out[0] = q[0] + c * v[0] - s * v[1];
      q_out[1] = q[1] + s * v[0] + c * v[1];
      q_out[2] = wrap_angle(q[2] + v[2]);
      return;
    }
    case JointType::spherical:
      integrate_rotation(q, v, q_out);
      return;
    case JointType::free: {
      const Vec3 p = ConstVec3Map(q) + ConstQuatMap(q + 3) * Vec3(ConstVec3Map(v));
      integrate_rotation(q + 3, v + 3, q_out + 3);
      Vec3Map{q_out} = p;
      return;
    }
  }
}

void difference(const Joint& joint, const double* q0, const double* q1, double* v_out) {
  switch (joint.type) {
    case JointType::fixed:
      return;
    case JointType::revolute:
    case JointType::prismatic:
      v_out[0] = q1[0] - q0[0];
      return;
    case JointType::continuous:
      v_out[0] = wrap_angle(q1[0] - q0[0]);
      return;
    case JointType::universal:
      v_out[0] = q1[0] - q0[0];
      v_out[1] = q1[1] - q0[1];
      return;
    case JointType::planar: {
      const double c = std::cos(q0[2]);
      const double s = std::sin(q0[2]);
      const double dx = q1[0] - q0[0];
      const double dy = q1[1] - q0[1];
      v_out[0] = c * dx + s * dy;
      v_out[1] = -s * dx + c * dy;
      v_out[2] = wrap_angle(q1[2] - q0[2]);
      return;
    }
    case JointType::spherical:
      rotation_difference(q0, q1, v_out);
      return;
    case JointType::free:
      Vec3Map{v_out} = ConstQuatMap(q0 + 3).conjugate() * Vec3(ConstVec3Map(q1) - ConstVec3Map(q0));
      rotation_difference(q0 + 3, q1 + 3, v_out + 3);
      return;
  }
}

double limit_violation(const Joint& joint, const double* q) {
  double worst = 0;
  for (int k = 0; k < joint.nq; ++k) {
    if (!std::isfinite(q[k])) return kInfinity;
  }
  for (int k = 0; k < count_plain_entries(joint.type); ++k) {
    worst = std::max(worst, excess(joint.limits[static_cast<std::size_t>(k)], q[k]));
  }
  if (joint.type == JointType::spherical) {
    worst = std::max(worst, rotation_angle(q) - joint.limits[0].upper);
  }
  return worst;
}

void clamp_to_limits(const Joint& joint, double* q) {
  for (int k = 0; k < count_plain_entries(joint.type); ++k) {
    const DofLimits& limit = joint.limits[static_cast<std::size_t>(k)];
    q[k] = std::clamp(q[k], limit.lower, limit.upper);
  }
  if (joint.type == JointType::spherical && rotation_angle(q) > joint.limits[0].upper) {
    const Vec3 w = so3::log(Quat(ConstQuatMap(q)));
    QuatMap{q} = so3::exp_quaternion(w.normalized() * joint.limits[0].upper);
  }
}

bool has_unlimited_position(const Joint& joint) {
  const int positions = joint.type == JointType::prismatic ? 1
                        : joint.type == JointType::planar  ? 2
                        : joint.type == JointType::free    ? 3
                                                           : 0;
  for (int k = 0; k < positions; ++k) {
    const DofLimits& limit = joint.limits[static_cast<std::size_t>(k)];
    if (!std::isfinite(limit.lower) || !std::isfinite(limit.upper)) return true;
  }
  return false;
}

}  // namespace geste::internal

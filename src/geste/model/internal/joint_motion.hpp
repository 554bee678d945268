#pragma once

#include <cmath>

#include "geste/math/so3.hpp"
#include "geste/model/scene.hpp"

namespace geste::internal {

inline Eigen::Map<const Quat> quaternion_at(const double* q) { return Eigen::Map<const Quat>(q); }

/// Mover's frame in its parent mover, X_PM, at the joint's entries `q` of the configuration.
/// (Turning joints go through turn() in kinematics.cpp, which is the hot one.)
inline Pose local_pose(const Mover& m, const double* q) {
  if (m.carried) return m.X_PJ;
  switch (m.type) {
    case JointType::revolute:
    case JointType::continuous:
      return {Mat3(m.R0 + std::sin(q[0]) * m.R1 + (1 - std::cos(q[0])) * m.R2), m.X_PJ.p};
    case JointType::prismatic:
      return {m.R0, Vec3(m.X_PJ.p + q[0] * m.u1)};
    case JointType::universal:
      return {Mat3((m.R0 + std::sin(q[0]) * m.R1 + (1 - std::cos(q[0])) * m.R2) *
                   Eigen::AngleAxisd(q[1], m.axis2).toRotationMatrix()),
              m.X_PJ.p};
    case JointType::planar:
      return {Mat3(m.R0 + std::sin(q[2]) * m.R1 + (1 - std::cos(q[2])) * m.R2),
              Vec3(m.X_PJ.p + m.R0 * (q[0] * m.u1 + q[1] * m.u2))};
    case JointType::spherical:
      return {Mat3(m.R0 * quaternion_at(q).toRotationMatrix()), m.X_PJ.p};
    case JointType::free:
      return {Mat3(m.R0 * quaternion_at(q + 3).toRotationMatrix()),
              Vec3(m.X_PJ.p + m.R0 * Eigen::Map<const Vec3>(q))};
    case JointType::fixed:
      break;
  }
  return m.X_PJ;
}

/// Velocity of the child relative to the parent, at the child's origin in world axes. R_WP and R_WM
/// are the rotations of parent and child.
inline Motion joint_velocity(const Mover& m, const Mat3& R_WP, const Mat3& R_WM, const double* v) {
  if (m.carried) return {};
  switch (m.type) {
    case JointType::revolute:
    case JointType::continuous:
      return {Vec3::Zero(), R_WM * (v[0] * m.axis)};
    case JointType::prismatic:
      return {R_WM * (v[0] * m.axis), Vec3::Zero()};
    case JointType::universal:  // the first axis turns with the parent, the second with the child
      return {Vec3::Zero(), R_WP * (m.R0 * (v[0] * m.axis)) + R_WM * (v[1] * m.axis2)};
    case JointType::planar:
      return {R_WM * (v[0] * m.u1 + v[1] * m.u2), R_WM * (v[2] * m.axis)};
    case JointType::spherical:
      return {Vec3::Zero(), R_WM * Eigen::Map<const Vec3>(v)};
    case JointType::free:
      return {R_WM * Eigen::Map<const Vec3>(v), R_WM * Eigen::Map<const Vec3>(v + 3)};
    case JointType::fixed:
      break;
  }
  return {};
}

}  // namespace geste::internal

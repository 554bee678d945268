#pragma once

#include "geste/math/types.hpp"

namespace geste {

/// A rigid placement: `X_AB` takes points from frame B to frame A, p_A = R p_B + p.
/// R is a rotation matrix (orthonormal, determinant 1); nothing here re-normalises it.
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();

  Pose() = default;
  Pose(const Mat3& rotation, const Vec3& translation) : R(rotation), p(translation) {}
  Pose(const Quat& rotation, const Vec3& translation)
      : R(rotation.toRotationMatrix()), p(translation) {}

  static Pose translation(const Vec3& p) { return {Mat3::Identity(), p}; }
  static Pose translation(double x, double y, double z) { return translation(Vec3(x, y, z)); }
  static Pose rotation(const Vec3& unit_axis, double angle) {
    return {Eigen::AngleAxisd(angle, unit_axis).toRotationMatrix(), Vec3::Zero()};
  }
  /// Roll, pitch, yaw about the fixed x, y, z axes, as URDF means them: R = Rz(yaw) Ry(pitch)
  /// Rx(roll).
  static Pose from_rpy(const Vec3& p, double roll, double pitch, double yaw);

  [[nodiscard]] Pose inverse() const { return {Mat3(R.transpose()), Vec3(-(R.transpose() * p))}; }
  /// Unit quaternion with w >= 0.
  [[nodiscard]] Quat quaternion() const;
  [[nodiscard]] bool is_approx(const Pose& other, double tolerance) const {
    return (R - other.R).cwiseAbs().maxCoeff() <= tolerance &&
           (p - other.p).cwiseAbs().maxCoeff() <= tolerance;
  }

  friend Pose operator*(const Pose& X_AB, const Pose& X_BC) {
    return {Mat3(X_AB.R * X_BC.R), Vec3(X_AB.R * X_BC.p + X_AB.p)};
  }
  friend Vec3 operator*(const Pose& X_AB, const Vec3& p_B) { return X_AB.R * p_B + X_AB.p; }
};

}  // namespace geste

#include "geste/math/pose.hpp"

namespace geste {

Pose Pose::from_rpy(const Vec3& p, double roll, double pitch, double yaw) {
  const Mat3 R = (Eigen::AngleAxisd(yaw, Vec3::UnitZ()) * Eigen::AngleAxisd(pitch, Vec3::UnitY()) *
                  Eigen::AngleAxisd(roll, Vec3::UnitX()))
                     .toRotationMatrix();
  return {R, p};
}

Quat Pose::quaternion() const {
  Quat q(R);
  q.normalize();
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  return q;
}

}  // namespace geste

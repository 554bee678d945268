#include "geste/math/so3.hpp"

#include <cmath>

#include "geste/math/internal/coefficients.hpp"

namespace geste::so3 {

Mat3 hat(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

Vec3 vee(const Mat3& skew) { return {skew(2, 1), skew(0, 2), skew(1, 0)}; }

Mat3 exp(const Vec3& w) {
  const Mat3 W = hat(w);
  const double angle2 = w.squaredNorm();
  return Mat3::Identity() + internal::sine_over_angle(angle2) * W +
         internal::versine_over_angle2(angle2) * W * W;
}

Quat exp_quaternion(const Vec3& w) {
  // sin(angle/2)/angle = sinc(angle/2)/2.
  const double angle2 = w.squaredNorm();
  const Vec3 v = 0.5 * internal::sine_over_angle(angle2 / 4) * w;
  return {std::cos(std::sqrt(angle2) / 2), v.x(), v.y(), v.z()};
}

Vec3 log(const Mat3& R) { return log(Quat(R)); }

Vec3 log(const Quat& q) {
  const double sign = q.w() < 0 ? -1.0 : 1.0;  // q and -q are the same rotation: take the short way
  const double sine = q.vec().norm();
  const double cosine = sign * q.w();
  // angle/sin(angle/2) -> 2/cos for tiny angles.
  const double factor = sine < 1e-9 ? 2.0 / cosine : 2.0 * std::atan2(sine, cosine) / sine;
  return sign * factor * q.vec();
}

Mat3 right_jacobian(const Vec3& w) {
  const Mat3 W = hat(w);
  const double angle2 = w.squaredNorm();
  return Mat3::Identity() - internal::versine_over_angle2(angle2) * W +
         internal::angle_minus_sine_over_angle3(angle2) * W * W;
}

Mat3 right_jacobian_inverse(const Vec3& w) {
  const Mat3 W = hat(w);
  return Mat3::Identity() + 0.5 * W + internal::cotangent_remainder(w.squaredNorm()) * W * W;
}

Quat interpolate(const Quat& q0, const Quat& q1, double t) {
  return (q0 * exp_quaternion(t * log(q0.conjugate() * q1))).normalized();
}

double distance(const Quat& q0, const Quat& q1) {
  const Quat d = q0.conjugate() * q1;
  return 2.0 * std::atan2(d.vec().norm(), std::abs(d.w()));
}

}  // namespace geste::so3

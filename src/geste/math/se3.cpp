#include "geste/math/se3.hpp"

#include "geste/math/internal/coefficients.hpp"
#include "geste/math/so3.hpp"

namespace geste::se3 {
namespace {

/// The coupling block of the left Jacobian, [barfoot] eq. 7.86b.
Mat3 left_jacobian_coupling(const Vec3& v, const Vec3& w) {
  const Mat3 V = so3::hat(v);
  const Mat3 W = so3::hat(w);
  const Mat3 WV = W * V;
  const Mat3 VW = V * W;
  const Mat3 WVW = WV * W;
  const double x = w.squaredNorm();
  return 0.5 * V + internal::angle_minus_sine_over_angle3(x) * (WV + VW + WVW) +
         internal::cosine_remainder_over_angle4(x) * (W * WV + VW * W - 3 * WVW) +
         internal::sine_cosine_remainder_over_angle5(x) * (WVW * W + W * WVW);
}

Mat6 block_triangular(const Mat3& diagonal, const Mat3& corner) {
  Mat6 m;
  m << diagonal, corner, Mat3::Zero(), diagonal;
  return m;
}

}  // namespace

Pose exp(const Vec6& xi) {
  const Vec3 v = xi.head<3>();
  const Vec3 w = xi.tail<3>();
  // The left Jacobian of SO(3) is the right one of -w.
  return {so3::exp(w), so3::right_jacobian(-w) * v};
}

Vec6 log(const Pose& X) {
  const Vec3 w = so3::log(X.R);
  Vec6 xi;
  xi << so3::right_jacobian_inverse(-w) * X.p, w;
  return xi;
}

Mat6 adjoint(const Pose& X_AB) { return block_triangular(X_AB.R, so3::hat(X_AB.p) * X_AB.R); }

Mat6 right_jacobian(const Vec6& xi) {
  const Vec3 v = xi.head<3>();
  const Vec3 w = xi.tail<3>();
  return block_triangular(so3::right_jacobian(w), left_jacobian_coupling(-v, -w));
}

Mat6 right_jacobian_inverse(const Vec6& xi) {
  const Vec3 v = xi.head<3>();
  const Vec3 w = xi.tail<3>();
  const Mat3 J = so3::right_jacobian_inverse(w);
  return block_triangular(J, -J * left_jacobian_coupling(-v, -w) * J);
}

Pose interpolate_screw(const Pose& X0, const Pose& X1, double t) {
  return X0 * exp(t * log(X0.inverse() * X1));
}

Pose interpolate_straight(const Pose& X0, const Pose& X1, double t) {
  return {Mat3(X0.R * so3::exp(t * so3::log(Mat3(X0.R.transpose() * X1.R)))),
          Vec3(X0.p + t * (X1.p - X0.p))};
}

}  // namespace geste::se3

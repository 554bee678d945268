#pragma once

#include "geste/math/types.hpp"

/// Rotations. Tangent vectors are rotation vectors (axis times angle) in the body: R exp(w).
/// J. Sola et al., "A micro Lie theory for state estimation in robotics", 2018, cited as [micro].
namespace geste::so3 {

/// hat(a) b = a x b.
Mat3 hat(const Vec3& a);
Vec3 vee(const Mat3& skew);

/// Rodrigues' formula, [micro] eq. 132; exact to rounding at and near zero.
Mat3 exp(const Vec3& w);
Quat exp_quaternion(const Vec3& w);

/// The rotation vector with angle in [0, pi], through the quaternion, so that it stays accurate
/// near pi. At exactly pi either of the two axes may come.
Vec3 log(const Mat3& R);
Vec3 log(const Quat& q);

/// exp(w + dw) = exp(w) exp(Jr dw) to first order, [micro] eq. 143; and its inverse, eq. 144
/// (angle below 2 pi).
Mat3 right_jacobian(const Vec3& w);
Mat3 right_jacobian_inverse(const Vec3& w);

/// Along the shorter arc at constant speed; t outside [0, 1] goes on in the same sense.
Quat interpolate(const Quat& q0, const Quat& q1, double t);

/// Angle of the rotation between the two, in [0, pi].
double distance(const Quat& q0, const Quat& q1);

}  // namespace geste::so3

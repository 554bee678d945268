#pragma once

#include "geste/math/pose.hpp"

/// Rigid motions. Tangent vectors are body twists, linear part first: X exp(xi), xi = (v, w).
/// Formulas: [micro] = Sola et al. 2018; [barfoot] = T. Barfoot, "State Estimation for Robotics",
/// 2017.
namespace geste::se3 {

/// [micro] eq. 172.
Pose exp(const Vec6& xi);
/// Rotation angle in [0, pi]; [micro] eq. 173.
Vec6 log(const Pose& X);

/// Twists from B to A: xi_A = adjoint(X_AB) xi_B. [micro] eq. 175.
Mat6 adjoint(const Pose& X_AB);

/// exp(xi + d) = exp(xi) exp(Jr d) to first order; [barfoot] eq. 7.86 with Jr(xi) = Jl(-xi).
Mat6 right_jacobian(const Vec6& xi);
Mat6 right_jacobian_inverse(const Vec6& xi);

/// Along the screw from X0 to X1 at constant body twist.
Pose interpolate_screw(const Pose& X0, const Pose& X1, double t);

/// Straight line of the origin, shorter arc of the rotation, both at constant speed. This is how
/// configurations of a free body interpolate.
Pose interpolate_straight(const Pose& X0, const Pose& X1, double t);

}  // namespace geste::se3

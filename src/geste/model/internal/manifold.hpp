#pragma once

#include "geste/model/scene.hpp"

/// The manifold operations of one joint on its own entries of q and v.
namespace geste::internal {

/// Into [-pi, pi).
double wrap_angle(double angle);

/// q_out may be q.
void integrate(const Joint& joint, const double* q, const double* v, double* q_out);
void difference(const Joint& joint, const double* q0, const double* q1, double* v_out);

/// By how much the worst entry lies outside its limits; 0 or less when within.
double limit_violation(const Joint& joint, const double* q);
void clamp_to_limits(const Joint& joint, double* q);

/// Whether a translation, which cannot wrap around, lacks a finite limit.
bool has_unlimited_position(const Joint& joint);

}  // namespace geste::internal

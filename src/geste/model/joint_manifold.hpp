#pragma once

#include "geste/core/rng.hpp"
#include "geste/model/motion.hpp"
#include "geste/model/scene.hpp"

namespace geste {

// The manifold operations of one joint on its own entries of q and v; configuration.hpp has them
// for all joints of a scene, with the laws.

/// Into [-pi, pi).
double wrap_angle(double angle);

/// q_out may be q.
void integrate(const Joint& joint, const double* q, const double* v, double* q_out);
void difference(const Joint& joint, const double* q0, const double* q1, double* v_out);
/// At `s` of the way from q0 (0) to q1 (1). q_out may not be q0.
void interpolate(const Joint& joint, const double* q0, const double* q1, Course course, double s,
                 double* q_out);

/// By how much the worst entry lies outside its limits; 0 or less when within.
double limit_violation(const Joint& joint, const double* q);
void clamp_to_limits(const Joint& joint, double* q);

/// How many leading entries are plain numbers with a lower and upper limit each: those before a
/// quaternion.
int count_plain_entries(JointType type);
/// How many leading entries are translations.
int count_positions(JointType type);

/// Whether a translation, which cannot wrap around, lacks a finite limit.
bool has_unlimited_position(const Joint& joint);

/// Uniform within the limits (ConfigurationSampler); positions must have some.
void sample(const Joint& joint, Rng& rng, double* q);

}  // namespace geste

#pragma once

#include "geste/core/result.hpp"
#include "geste/core/rng.hpp"
#include "geste/model/scene.hpp"

namespace geste {

// The configuration space as a manifold, joint by joint. Velocities of planar, spherical and free
// joints are the child's relative to the parent, in the child's axes; of universal joints the two
// rates. The laws (tests/model/configuration_test.cpp), for every joint type:
//   integrate(q, 0) = q                        integrate(q0, difference(q0, q1)) = q1
//   difference(q, integrate(q, v)) = v         for angles of v below pi
//   interpolate(q0, q1, 0) = q0                interpolate(q0, q1, 1) = q1
//   interpolate(q0, q1, t) = interpolate(q1, q0, 1 - t)
//   d/dt integrate(q, t v) at t = 0 is the velocity v of compute_velocities
// A free body integrates and interpolates along the straight line of its origin and the shorter arc
// of its rotation, not along a screw: this is what people expect of "from here to there".

/// Every joint at zero: quaternions the identity, positions 0 or the nearest value within the
/// limits; followers at what they follow.
VecX make_neutral(const Scene& scene);

void integrate(const Scene& scene, ConstVecRef q, ConstVecRef v, VecRef q_out);
void difference(const Scene& scene, ConstVecRef q0, ConstVecRef q1, VecRef v_out);
void interpolate(const Scene& scene, ConstVecRef q0, ConstVecRef q1, double t, VecRef q_out);

/// Norm of the difference over the independent joints, in rad and m alike; `weights` (nv entries)
/// scale each degree of freedom where given.
double distance(const Scene& scene, ConstVecRef q0, ConstVecRef q1);
double distance(const Scene& scene, ConstVecRef q0, ConstVecRef q1, ConstVecRef weights);

/// Unit quaternions made unit again, angles of continuous and planar joints into [-pi, pi).
void normalize(const Scene& scene, VecRef q);

/// Whether every joint is within its limits, give or take `tolerance`.
bool is_within_limits(const Scene& scene, ConstVecRef q, double tolerance = 1e-9);
/// The joint that lies farthest outside its limits, and by how much: m, or rad (of a ball joint the
/// angle). No joint (an invalid id) and 0 when all are within.
struct LimitViolation {
  JointId joint;
  double excess = 0;
};
LimitViolation find_limit_violation(const Scene& scene, ConstVecRef q);
/// The nearest configuration within the limits.
void clamp_to_limits(const Scene& scene, VecRef q);

/// Draws configurations uniformly within the limits: angles and positions between them, angles
/// with a limit missing over one full turn, rotations uniform on SO(3) or on the ball of the given
/// angle.
class ConfigurationSampler {
 public:
  /// For all independent joints, or those among `joints` (Group::joints). The error names every
  /// joint that has a position without finite limits.
  static Result<ConfigurationSampler> make(const Scene& scene);
  static Result<ConfigurationSampler> make(const Scene& scene, std::span<const JointId> joints);

  /// Overwrites the entries of its joints and leaves the others; followers are not updated here.
  void sample(Rng& rng, VecRef q) const;

 private:
  std::vector<Joint> joints_;
};

/// The named configuration laid over `q`.
void apply(const Scene& scene, const NamedConfiguration& configuration, VecRef q);

}  // namespace geste

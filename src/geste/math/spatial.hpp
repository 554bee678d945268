#pragma once

#include "geste/math/pose.hpp"

namespace geste {

// Spatial vectors after R. Featherstone, "Rigid Body Dynamics Algorithms", 2008, with the linear
// part first. A motion is a velocity field, a force acts on it; both are seen from one frame.

struct Motion {
  Vec3 linear = Vec3::Zero();  ///< of the point at the frame's origin
  Vec3 angular = Vec3::Zero();

  [[nodiscard]] Vec6 vector() const { return (Vec6() << linear, angular).finished(); }
  friend Motion operator+(const Motion& a, const Motion& b) {
    return {a.linear + b.linear, a.angular + b.angular};
  }
  friend Motion operator-(const Motion& a, const Motion& b) {
    return {a.linear - b.linear, a.angular - b.angular};
  }
  friend Motion operator*(double s, const Motion& m) { return {s * m.linear, s * m.angular}; }
};

struct Force {
  Vec3 linear = Vec3::Zero();
  Vec3 moment = Vec3::Zero();  ///< about the frame's origin

  [[nodiscard]] Vec6 vector() const { return (Vec6() << linear, moment).finished(); }
  friend Force operator+(const Force& a, const Force& b) {
    return {a.linear + b.linear, a.moment + b.moment};
  }
  friend Force operator-(const Force& a, const Force& b) {
    return {a.linear - b.linear, a.moment - b.moment};
  }
  friend Force operator*(double s, const Force& f) { return {s * f.linear, s * f.moment}; }
};

/// Power of the force along the motion.
inline double dot(const Motion& m, const Force& f) {
  return m.linear.dot(f.linear) + m.angular.dot(f.moment);
}

/// Rate of change of a motion, and of a force, carried along by `m` (Featherstone eq. 2.31, 2.32).
inline Motion cross(const Motion& m, const Motion& x) {
  return {m.angular.cross(x.linear) + m.linear.cross(x.angular), m.angular.cross(x.angular)};
}
inline Force cross(const Motion& m, const Force& f) {
  return {m.angular.cross(f.linear), m.angular.cross(f.moment) + m.linear.cross(f.linear)};
}

/// The same motion, or force, seen from A instead of B.
inline Motion transform(const Pose& X_AB, const Motion& m_B) {
  const Vec3 angular = X_AB.R * m_B.angular;
  return {X_AB.R * m_B.linear + X_AB.p.cross(angular), angular};
}
inline Force transform(const Pose& X_AB, const Force& f_B) {
  const Vec3 linear = X_AB.R * f_B.linear;
  return {linear, X_AB.R * f_B.moment + X_AB.p.cross(linear)};
}

/// Inertia of a rigid body: mass, centre of mass, rotational inertia about the centre of mass.
struct Inertia {
  double mass = 0;
  Vec3 com = Vec3::Zero();
  Mat3 about_com = Mat3::Zero();

  /// Momentum of the body moving with `m` (Featherstone eq. 2.63).
  [[nodiscard]] Force momentum(const Motion& m) const {
    const Vec3 linear = mass * (m.linear + m.angular.cross(com));
    return {linear, about_com * m.angular + com.cross(linear)};
  }
  [[nodiscard]] double kinetic_energy(const Motion& m) const { return 0.5 * dot(m, momentum(m)); }
  [[nodiscard]] Mat6 matrix() const;
};

/// The same body seen from A instead of B.
Inertia transform(const Pose& X_AB, const Inertia& I_B);
/// Both bodies as one.
Inertia operator+(const Inertia& a, const Inertia& b);

}  // namespace geste

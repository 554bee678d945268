#pragma once

#include <vector>

#include "geste/model/scene.hpp"

namespace geste {

/// How planar and free joints go from one configuration to the next. The other joints have one way
/// only, at a constant rate.
enum class Course : std::uint8_t {
  straight,  ///< the origin on a line, the rotation on its shorter arc (configuration.hpp)
  screw,     ///< constant velocity in the child's axes: an arc in the plane, a screw in space
};

/// "straight", "screw".
const char* to_string(Course course);

/// The configuration at `s` of the way from q0 (0) to q1 (1).
void interpolate(const Scene& scene, ConstVecRef q0, ConstVecRef q1, Course course, double s,
                 VecRef q_out);

/// The constant velocity, in the child's axes (of a planar joint: its plane's), with which a planar
/// or free joint goes from one placement to the other while s goes from 0 to 1. `q0`, `q1`: its
/// entries.
Vec6 compute_screw(JointType type, const double* q0, const double* q1);

/// How much a joint turns (rad) and slides (m) its child.
struct JointTravel {
  double angular = 0;
  double linear = 0;
  [[nodiscard]] bool is_zero() const { return angular == 0 && linear == 0; }
};

/// Over a leg from q0 to q1, on which both rates are constant; never too small by rounding. `v`:
/// the difference of the two (configuration.hpp). All three are the joint's entries.
JointTravel bound_travel(const Mover& mover, const double* q0, const double* q1, const double* v,
                         Course course);

/// A motion as configurations at moments. Between them every joint goes its way from one to the
/// next, dependent ones too (how far that is from a mechanism that stays closed: stray.hpp);
/// carried bodies go with who carries them.
struct JointMotion {
  std::vector<double> times;  ///< s, strictly increasing
  MatX q;                     ///< nq x times: one column per moment
  Course course = Course::straight;
};

/// The configuration at time t, held before the first and after the last moment. A motion without
/// moments throws std::invalid_argument.
void interpolate(const Scene& scene, const JointMotion& motion, double t, VecRef q_out);

}  // namespace geste

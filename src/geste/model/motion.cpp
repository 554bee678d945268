#include "geste/model/motion.hpp"

#include <algorithm>
#include <stdexcept>

#include "geste/math/se3.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/internal/manifold.hpp"

namespace geste {

namespace {

/// The velocity of a planar joint on the arc between two placements: the turn is the joint's own
/// difference, also where it is half a turn and could go either way.
Vec6 compute_arc(const double* q0, const double* q1) {
  const double angle = internal::wrap_angle(q1[2] - q0[2]);
  const double c = std::cos(q0[2]), s = std::sin(q0[2]);
  const double dx = q1[0] - q0[0], dy = q1[1] - q0[1];
  const double x = c * dx + s * dy, y = -s * dx + c * dy;
  // exp moves the origin by [a -b; b a] u, a = sin(angle) / angle, b = (1 - cos(angle)) / angle.
  const bool is_small = std::abs(angle) < 1e-4;
  const double a = is_small ? 1 - angle * angle / 6 : std::sin(angle) / angle;
  const double b = is_small ? angle / 2 : (1 - std::cos(angle)) / angle;
  const double det = a * a + b * b;
  Vec6 twist;
  twist << (a * x + b * y) / det, (a * y - b * x) / det, 0, 0, 0, angle;
  return twist;
}

Pose place(JointType type, const double* q) {
  if (type == JointType::free)
    return {Quat(Eigen::Map<const Quat>(q + 3)), Vec3(Eigen::Map<const Vec3>(q))};
  return {Pose::rotation(Vec3::UnitZ(), q[2]).R, Vec3(q[0], q[1], 0)};
}

void interpolate_screw(const Joint& j, const double* q0, const double* q1, double s, double* q) {
  const Vec6 twist = compute_screw(j.type, q0, q1);
  const Pose X = place(j.type, q0) * se3::exp(s * twist);
  if (j.type == JointType::free) {
    Eigen::Map<Vec3>{q} = X.p;
    Eigen::Map<Quat>{q + 3} = X.quaternion();
  } else {
    const double angle = q0[2] + s * twist[5];
    q[0] = X.p.x();
    q[1] = X.p.y();
    q[2] = internal::wrap_angle(angle);
  }
}

JointTravel bound_straight(const Mover& m, const double* v) {
  const auto norm3 = [&](int k) { return Eigen::Map<const Vec3>(v + k).norm(); };
  switch (m.type) {
    case JointType::revolute:
    case JointType::continuous:
      return {std::abs(v[0]), 0};
    case JointType::prismatic:
      return {0, std::abs(v[0])};
    case JointType::universal:
      // Two turns about axes through one point: together no faster than their sum.
      return {std::abs(v[0]) + std::abs(v[1]), 0};
    case JointType::planar:
      return {std::abs(v[2]), std::hypot(v[0], v[1])};
    case JointType::spherical:
      return {norm3(0), 0};
    case JointType::free:
      return {norm3(3), norm3(0)};
    case JointType::fixed:
      break;
  }
  return {};
}

}  // namespace

const char* to_string(Course course) { return course == Course::screw ? "screw" : "straight"; }

Vec6 compute_screw(JointType type, const double* q0, const double* q1) {
  if (type == JointType::planar) return compute_arc(q0, q1);
  return se3::log(place(type, q0).inverse() * place(type, q1));
}

JointTravel bound_travel(const Mover& m, const double* q0, const double* q1, const double* v,
                         Course course) {
  if (m.carried) return {};
  JointTravel travel = bound_straight(m, v);
  const bool slides = m.type == JointType::planar || m.type == JointType::free;
  if (course == Course::screw && slides && !travel.is_zero()) {
    const Vec6 twist = compute_screw(m.type, q0, q1);
    travel = {twist.tail<3>().norm(), twist.head<3>().norm()};
  }
  constexpr double kRoundUp = 1 + 1e-9;
  return {kRoundUp * travel.angular, kRoundUp * travel.linear};
}

void interpolate(const Scene& scene, ConstVecRef q0, ConstVecRef q1, Course course, double s,
                 VecRef q_out) {
  interpolate(scene, q0, q1, s, q_out);
  if (course == Course::straight) return;
  for (const Joint& j : scene.joints()) {
    if (j.type == JointType::planar || j.type == JointType::free)
      interpolate_screw(j, q0.data() + j.q, q1.data() + j.q, s, q_out.data() + j.q);
  }
}

void interpolate(const Scene& scene, const JointMotion& motion, double t, VecRef q_out) {
  if (motion.times.empty()) throw std::invalid_argument("interpolate: the motion has no moment");
  const auto after = std::upper_bound(motion.times.begin(), motion.times.end(), t);
  if (after == motion.times.begin()) {
    q_out = motion.q.col(0);
    return;
  }
  const auto k = after - motion.times.begin();
  if (after == motion.times.end()) {
    q_out = motion.q.col(k - 1);
    return;
  }
  const double t0 = *std::prev(after);
  interpolate(scene, motion.q.col(k - 1), motion.q.col(k), motion.course, (t - t0) / (*after - t0),
              q_out);
}

}  // namespace geste

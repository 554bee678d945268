#include "geste/model/motion.hpp"

#include <algorithm>
#include <stdexcept>

#include "geste/model/internal/require.hpp"
#include "geste/model/joint_manifold.hpp"

namespace geste {

using internal::require_size;

namespace {

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
  require_size("q0", q0.size(), scene.nq());
  require_size("q1", q1.size(), scene.nq());
  require_size("q_out", q_out.size(), scene.nq());
  for (const Joint& j : scene.joints())
    interpolate(j, q0.data() + j.q, q1.data() + j.q, course, s, q_out.data() + j.q);
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

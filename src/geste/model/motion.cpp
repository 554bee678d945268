#include "geste/model/motion.hpp"

#include <algorithm>
#include <stdexcept>

#include "geste/math/se3.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/internal/manifold.hpp"

namespace geste {
namespace {

/// Along the arc or screw that joins the joint's two placements.
void interpolate_screw(const Joint& j, const double* q0, const double* q1, double s, double* q) {
  const auto place = [&](const double* at) {
    if (j.type == JointType::free)
      return Pose(Quat(Eigen::Map<const Quat>(at + 3)), Vec3(Eigen::Map<const Vec3>(at)));
    return Pose(Pose::rotation(Vec3::UnitZ(), at[2]).R, Vec3(at[0], at[1], 0));
  };
  const Pose X = se3::interpolate_screw(place(q0), place(q1), s);
  if (j.type == JointType::free) {
    Eigen::Map<Vec3>{q} = X.p;
    Eigen::Map<Quat>{q + 3} = X.quaternion();
  } else {
    double v[3];
    internal::difference(j, q0, q1, v);
    q[0] = X.p.x();
    q[1] = X.p.y();
    q[2] = internal::wrap_angle(q0[2] + s * v[2]);
  }
}

}  // namespace

const char* to_string(Course course) { return course == Course::screw ? "screw" : "straight"; }

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

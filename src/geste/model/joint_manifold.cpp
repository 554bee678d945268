#include "geste/model/joint_manifold.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geste/math/se3.hpp"
#include "geste/math/so3.hpp"

namespace geste {

using std::numbers::pi;

namespace {

using QuatMap = Eigen::Map<Quat>;
using ConstQuatMap = Eigen::Map<const Quat>;
using Vec3Map = Eigen::Map<Vec3>;
using ConstVec3Map = Eigen::Map<const Vec3>;

void integrate_rotation(const double* q, const double* w, double* q_out) {
  const Quat turned = Quat(ConstQuatMap(q)) * so3::exp_quaternion(ConstVec3Map(w));
  QuatMap{q_out} = turned.normalized();
}

void rotation_difference(const double* q0, const double* q1, double* w_out) {
  Vec3Map{w_out} = so3::log(Quat(ConstQuatMap(q0).conjugate() * ConstQuatMap(q1)));
}

/// Angle of a unit quaternion away from the identity.
double rotation_angle(const double* q) {
  return 2 * std::atan2(ConstVec3Map(q).norm(), std::abs(q[3]));
}

double excess(const DofLimits& limit, double x) {
  return std::max(limit.lower - x, x - limit.upper);
}

/// Uniform on SO(3): K. Shoemake, "Uniform random rotations", Graphics Gems III, 1992.
Quat sample_rotation(Rng& rng) {
  const double u = rng.uniform();
  const double a = 2 * pi * rng.uniform();
  const double b = 2 * pi * rng.uniform();
  const double r1 = std::sqrt(1 - u);
  const double r2 = std::sqrt(u);
  return {r2 * std::cos(b), r1 * std::sin(a), r1 * std::cos(a), r2 * std::sin(b)};
}

Quat sample_rotation_within(Rng& rng, double max_angle) {
  if (max_angle >= pi) return sample_rotation(rng);
  // Uniform axis; on SO(3) the angle has density proportional to sin^2(angle/2), here by rejection
  // under its largest value.
  const double z = rng.uniform(-1, 1);
  const double turn = 2 * pi * rng.uniform();
  const double r = std::sqrt(std::max(0.0, 1 - z * z));
  const double peak = std::sin(max_angle / 2);
  double angle = 0;
  do {
    angle = max_angle * rng.uniform();
  } while (std::pow(std::sin(angle / 2), 2) < rng.uniform() * peak * peak);
  return so3::exp_quaternion(angle * Vec3(r * std::cos(turn), r * std::sin(turn), z));
}

/// The velocity of a planar joint on the arc between two placements: the turn is the joint's own
/// difference, also where it is half a turn and could go either way.
Vec6 compute_arc(const double* q0, const double* q1) {
  const double angle = wrap_angle(q1[2] - q0[2]);
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
  if (type == JointType::free) return {Quat(ConstQuatMap(q + 3)), Vec3(ConstVec3Map(q))};
  return {Pose::rotation(Vec3::UnitZ(), q[2]).R, Vec3(q[0], q[1], 0)};
}

void interpolate_screw(JointType type, const double* q0, const double* q1, double s, double* q) {
  const Vec6 twist = compute_screw(type, q0, q1);
  const Pose X = place(type, q0) * se3::exp(s * twist);
  if (type == JointType::free) {
    Vec3Map{q} = X.p;
    QuatMap{q + 3} = X.quaternion();
  } else {
    const double angle = q0[2] + s * twist[5];
    q[0] = X.p.x();
    q[1] = X.p.y();
    q[2] = wrap_angle(angle);
  }
}

}  // namespace

int count_plain_entries(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::continuous:
    case JointType::prismatic:
      return 1;
    case JointType::universal:
      return 2;
    case JointType::planar:
    case JointType::free:
      return 3;
    case JointType::fixed:
    case JointType::spherical:
      return 0;
  }
  return 0;
}

int count_positions(JointType type) {
  return type == JointType::prismatic ? 1
         : type == JointType::planar  ? 2
         : type == JointType::free    ? 3
                                      : 0;
}

double wrap_angle(double angle) {
  if (angle >= -pi && angle < pi) return angle;
  const double wrapped = angle - 2 * pi * std::floor((angle + pi) / (2 * pi));
  return wrapped >= pi ? -pi : wrapped;
}

void integrate(const Joint& joint, const double* q, const double* v, double* q_out) {
  switch (joint.type) {
    case JointType::fixed:
      return;
    case JointType::revolute:
    case JointType::prismatic:
      q_out[0] = q[0] + v[0];
      return;
    case JointType::continuous:
      q_out[0] = wrap_angle(q[0] + v[0]);
      return;
    case JointType::universal:
      q_out[0] = q[0] + v[0];
      q_out[1] = q[1] + v[1];
      return;
    case JointType::planar: {
      // The velocity is the child's, in the child's axes: turn it by the angle at the start.
      const double c = std::cos(q[2]);
      const double s = std::sin(q[2]);
      q_out[0] = q[0] + c * v[0] - s * v[1];
      q_out[1] = q[1] + s * v[0] + c * v[1];
      q_out[2] = wrap_angle(q[2] + v[2]);
      return;
    }
    case JointType::spherical:
      integrate_rotation(q, v, q_out);
      return;
    case JointType::free: {
      const Vec3 p = ConstVec3Map(q) + ConstQuatMap(q + 3) * Vec3(ConstVec3Map(v));
      integrate_rotation(q + 3, v + 3, q_out + 3);
      Vec3Map{q_out} = p;
      return;
    }
  }
}

void difference(const Joint& joint, const double* q0, const double* q1, double* v_out) {
  switch (joint.type) {
    case JointType::fixed:
      return;
    case JointType::revolute:
    case JointType::prismatic:
      v_out[0] = q1[0] - q0[0];
      return;
    case JointType::continuous:
      v_out[0] = wrap_angle(q1[0] - q0[0]);
      return;
    case JointType::universal:
      v_out[0] = q1[0] - q0[0];
      v_out[1] = q1[1] - q0[1];
      return;
    case JointType::planar: {
      const double c = std::cos(q0[2]);
      const double s = std::sin(q0[2]);
      const double dx = q1[0] - q0[0];
      const double dy = q1[1] - q0[1];
      v_out[0] = c * dx + s * dy;
      v_out[1] = -s * dx + c * dy;
      v_out[2] = wrap_angle(q1[2] - q0[2]);
      return;
    }
    case JointType::spherical:
      rotation_difference(q0, q1, v_out);
      return;
    case JointType::free:
      Vec3Map{v_out} = ConstQuatMap(q0 + 3).conjugate() * Vec3(ConstVec3Map(q1) - ConstVec3Map(q0));
      rotation_difference(q0 + 3, q1 + 3, v_out + 3);
      return;
  }
}

Vec6 compute_screw(JointType type, const double* q0, const double* q1) {
  if (type == JointType::planar) return compute_arc(q0, q1);
  return se3::log(place(type, q0).inverse() * place(type, q1));
}

void interpolate(const Joint& joint, const double* q0, const double* q1, Course course, double s,
                 double* q_out) {
  const bool slides = joint.type == JointType::planar || joint.type == JointType::free;
  if (course == Course::screw && slides) return interpolate_screw(joint.type, q0, q1, s, q_out);
  double v[6];
  difference(joint, q0, q1, v);
  for (int k = 0; k < joint.nv; ++k) v[k] *= s;
  integrate(joint, q0, v, q_out);
}

double limit_violation(const Joint& joint, const double* q) {
  double worst = 0;
  for (int k = 0; k < joint.nq; ++k) {
    if (!std::isfinite(q[k])) return kInfinity;
  }
  for (int k = 0; k < count_plain_entries(joint.type); ++k) {
    worst = std::max(worst, excess(joint.limits[static_cast<std::size_t>(k)], q[k]));
  }
  if (joint.type == JointType::spherical) {
    worst = std::max(worst, rotation_angle(q) - joint.limits[0].upper);
  }
  return worst;
}

void clamp_to_limits(const Joint& joint, double* q) {
  for (int k = 0; k < count_plain_entries(joint.type); ++k) {
    const DofLimits& limit = joint.limits[static_cast<std::size_t>(k)];
    q[k] = std::clamp(q[k], limit.lower, limit.upper);
  }
  if (joint.type == JointType::spherical && rotation_angle(q) > joint.limits[0].upper) {
    const Vec3 w = so3::log(Quat(ConstQuatMap(q)));
    QuatMap{q} = so3::exp_quaternion(w.normalized() * joint.limits[0].upper);
  }
}

bool has_unlimited_position(const Joint& joint) {
  for (int k = 0; k < count_positions(joint.type); ++k) {
    const DofLimits& limit = joint.limits[static_cast<std::size_t>(k)];
    if (!std::isfinite(limit.lower) || !std::isfinite(limit.upper)) return true;
  }
  return false;
}

void sample(const Joint& joint, Rng& rng, double* x) {
  const auto draw = [&](const DofLimits& l) { return rng.uniform(l.lower, l.upper); };
  // Where a limit is missing, one turn from the other, or about zero.
  const auto draw_angle = [&](const DofLimits& l) {
    const bool has_lower = std::isfinite(l.lower), has_upper = std::isfinite(l.upper);
    const double lower = has_lower ? l.lower : has_upper ? l.upper - 2 * pi : -pi;
    return rng.uniform(lower, has_upper ? l.upper : lower + 2 * pi);
  };
  switch (joint.type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
    case JointType::continuous:
      x[0] = draw_angle(joint.limits[0]);
      break;
    case JointType::prismatic:
      x[0] = draw(joint.limits[0]);
      break;
    case JointType::universal:
      for (int k = 0; k < 2; ++k) x[k] = draw_angle(joint.limits[static_cast<std::size_t>(k)]);
      break;
    case JointType::planar:
      for (int k = 0; k < 2; ++k) x[k] = draw(joint.limits[static_cast<std::size_t>(k)]);
      x[2] = draw_angle(joint.limits[2]);
      break;
    case JointType::spherical:
      Eigen::Map<Quat>{x} = sample_rotation_within(rng, joint.limits[0].upper);
      break;
    case JointType::free:
      for (int k = 0; k < 3; ++k) x[k] = draw(joint.limits[static_cast<std::size_t>(k)]);
      Eigen::Map<Quat>{x + 3} = sample_rotation(rng);
      break;
  }
}

}  // namespace geste

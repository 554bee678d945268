#include "geste/proximity/internal/lane_inputs.hpp"

#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "geste/core/index.hpp"
#include "geste/math/so3.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {

using namespace internal;

namespace {

double wrap(double angle) {
  return angle - 2 * std::numbers::pi * std::round(angle / (2 * std::numbers::pi));
}

/// Floats reach no farther, and what is not a number would be neither here nor there.
void require_finite(ConstVecRef q) {
  constexpr double kFarthest = 1e6;
  if (q.size() > 0 && !(q.allFinite() && q.cwiseAbs().maxCoeff() <= kFarthest))
    throw std::invalid_argument("Validator: a configuration is not finite, or beyond 1e6");
}

void copy(const Mat3& R, float* out) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out[3 * r + c] = static_cast<float>(R(r, c));
  }
}
void copy(const Vec3& p, float* out) {
  for (int k = 0; k < 3; ++k) out[k] = static_cast<float>(p[k]);
}

}  // namespace

LaneInputs::LaneInputs(const Scene& scene, const LaneModel& model)
    : scene_(scene), model_(model), leg_(scene) {
  way_.start.resize(at(model.lanes.inputs));
  way_.rate.resize(at(model.lanes.inputs));
  way_.poses.resize(at(model.lanes.posed));
}

void LaneInputs::set_edge(ConstVecRef q0, ConstVecRef q1, Course course, Rake& rake) {
  require_finite(q0);
  require_finite(q1);
  leg_.set(q0, q1, course);
  const VecX& v = leg_.velocity();
  for (std::size_t k = 0; k < model_.inputs.size(); ++k) {
    const LaneModel::Input& in = model_.inputs[k];
    way_.start[k] = static_cast<float>(in.is_angle ? wrap(q0[in.q]) : q0[in.q]);
    way_.rate[k] = static_cast<float>(v[in.v]);
  }
  for (std::size_t k = 0; k < model_.posed.size(); ++k) {
    set_pose(model_.posed[k], way_.poses[k]);
  }
  measure_slides();
  bound_accelerations(rake);
}

void LaneInputs::fill(const Row& s, Rake& rake) const { fill_inputs(model_.lanes, way_, s, rake); }

/// Turns at a constant rate about one axis while the origin goes straight or on a screw.
void LaneInputs::set_pose(int mover, LaneWay::Pose& pose) const {
  const Mover& m = scene_.movers()[at(mover)];
  const double *q0 = leg_.begin().data() + m.q, *q1 = leg_.end().data() + m.q;
  const Pose X0 = compute_joint_pose(m, q0), X1 = compute_joint_pose(m, q1);
  // The same velocities as in interpolate: half a turn may go either way.
  const double* v = leg_.velocity().data() + m.v;
  const bool is_planar = m.type == JointType::planar;
  const bool is_screw = leg_.course() == Course::screw && m.type != JointType::spherical;
  const Vec6 twist = is_screw ? compute_screw(m.type, q0, q1) : Vec6(Vec6::Zero());
  const Vec3 w = is_planar  ? Vec3((is_screw ? twist[5] : v[2]) * m.axis)
                 : is_screw ? Vec3(twist.tail<3>())
                            : Vec3(Eigen::Map<const Vec3>(v + m.nv - 3));
  const double angle = w.norm();
  const Vec3 n = angle > 0 ? Vec3(w / angle) : Vec3(Vec3::UnitX());
  const Mat3 K = so3::hat(n);
  pose.angle = static_cast<float>(angle);
  copy(X0.R, pose.R0);
  copy(Mat3(X0.R * K), pose.R1);
  copy(Mat3(X0.R * K * K), pose.R2);
  copy(X0.p, pose.p0);
  Vec3 a = X1.p - X0.p, b = Vec3::Zero(), c = Vec3::Zero();
  if (is_screw && angle > 1e-9) {
    // exp(s (u, w)) moves the origin by s u + (1 - cos) n x u / w + (s - sin / w) n x (n x u).
    const Vec3 u = is_planar ? Vec3(twist[0] * m.u1 + twist[1] * m.u2) : Vec3(twist.head<3>());
    const Vec3 across = n.cross(u), back = n.cross(across);
    a = X0.R * (u + back);
    b = X0.R * (-back / angle);
    c = X0.R * (across / angle);
  }
  copy(a, pose.a);
  copy(b, pose.b);
  copy(c, pose.c);
}

/// The bounds of leg.hpp, with arms that hold for the whole leg.
void LaneInputs::bound_accelerations(Rake& rake) const {
  const bool is_screw = leg_.course() == Course::screw;
  for (std::size_t c = 0; c < model_.clusters.size(); ++c) {
    const LaneModel::Cluster& cluster = model_.clusters[c];
    float* out = rake.acceleration.data() + model_.lanes.accelerations[c];
    double speed = 0, acceleration = 0, slid = 0;
    *out++ = 0;
    for (const ChainLink& link : cluster.chain) {
      const JointTravel& rate = leg_.rate(link.mover);
      const double turning = rate.angular * (link.arm + slid);
      acceleration += rate.angular * (turning + (is_screw ? rate.linear : 0) + 2 * speed);
      speed += rate.linear + turning;
      slid += slides_[at(link.mover)];
      *out++ = static_cast<float>(acceleration * (1 + 1e-6));
    }
    rake.rounding[c] = bound_rounding(cluster, slid);
  }
}

float LaneInputs::bound_rounding(const LaneModel::Cluster& cluster, double slid) {
  const double joints = static_cast<double>(cluster.chain.size()) + 2;
  return static_cast<float>(1e-6 * joints * (cluster.reach + slid));
}

/// How far from its joint's frame a mover can be on the way.
void LaneInputs::measure_slides() {
  const std::vector<Mover>& movers = scene_.movers();
  slides_.assign(movers.size(), 0);
  for (std::size_t i = 1; i < movers.size(); ++i) {
    const Mover& m = movers[i];
    const int size = m.type == JointType::prismatic ? 1
                     : m.type == JointType::planar  ? 2
                     : m.type == JointType::free    ? 3
                                                    : 0;
    if (size == 0 || m.carried) continue;
    const double begin = leg_.begin().segment(m.q, size).norm(),
                 end = leg_.end().segment(m.q, size).norm();
    // A line is farthest at an end; an arc may bulge.
    slides_[i] = leg_.course() == Course::straight ? std::max(begin, end)
                                                   : begin + leg_.rate(static_cast<int>(i)).linear;
  }
}

void LaneInputs::set_points(const Eigen::Ref<const MatX>& q, Rake& rake) {
  rake.is_points = true;
  rake.sag = {};
  std::fill(rake.acceleration.begin(), rake.acceleration.end(), 0.0f);
  double far = 0;
  for (int lane = 0; lane < kRake; ++lane) {
    const auto column = q.col(std::min<Eigen::Index>(lane, q.cols() - 1));
    require_finite(column);
    for (std::size_t k = 0; k < model_.inputs.size(); ++k) {
      const LaneModel::Input& in = model_.inputs[k];
      rake.inputs[k].x[lane] = static_cast<float>(in.is_angle ? wrap(column[in.q]) : column[in.q]);
      if (!in.is_angle) far = std::max(far, std::abs(column[in.q]));
    }
    for (std::size_t k = 0; k < model_.posed.size(); ++k) {
      const Mover& m = scene_.movers()[at(model_.posed[k])];
      const Pose X = compute_joint_pose(m, column.data() + m.q);
      for (int r = 0; r < 9; ++r)
        rake.local[k].R[r].x[lane] = static_cast<float>(X.R(r / 3, r % 3));
      for (int r = 0; r < 3; ++r) rake.local[k].p[r].x[lane] = static_cast<float>(X.p[r]);
      far = std::max(far, X.p.norm());
    }
  }
  for (std::size_t c = 0; c < model_.clusters.size(); ++c) {
    const LaneModel::Cluster& cluster = model_.clusters[c];
    const double joints = static_cast<double>(cluster.chain.size()) + 2;
    rake.rounding[c] = bound_rounding(cluster, joints * far);
  }
}

}  // namespace geste

#include "geste/proximity/internal/leg.hpp"

#include "geste/model/configuration.hpp"

namespace geste {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Leg::Leg(const Scene& scene)
    : scene_(&scene), v_(VecX::Zero(scene.nv())), rates_(scene.movers().size()) {}

Leg::Rate Leg::compute_rate(const Mover& m, const double* v) const {
  // Rounding of differences and interpolation must not make a rate too small.
  constexpr double kRoundUp = 1 + 1e-9;
  const auto norm3 = [&](int k) { return kRoundUp * Eigen::Map<const Vec3>(v + k).norm(); };
  switch (m.type) {
    case JointType::revolute:
    case JointType::continuous:
      return {kRoundUp * std::abs(v[0]), 0};
    case JointType::prismatic:
      return {0, kRoundUp * std::abs(v[0])};
    case JointType::universal:
      // Two turns about axes through one point: together no faster than their sum.
      return {kRoundUp * (std::abs(v[0]) + std::abs(v[1])), 0};
    case JointType::planar:
      return {kRoundUp * std::abs(v[2]), kRoundUp * std::hypot(v[0], v[1])};
    case JointType::spherical:
      return {norm3(0), 0};
    case JointType::free:
      return {norm3(3), norm3(0)};
    case JointType::fixed:
      break;
  }
  return {};
}

void Leg::set(ConstVecRef q0, ConstVecRef q1, Course course) {
  q0_ = q0;
  q1_ = q1;
  course_ = course;
  difference(*scene_, q0, q1, v_);
  const std::vector<Mover>& movers = scene_->movers();
  for (std::size_t i = 1; i < movers.size(); ++i) {
    const Mover& m = movers[i];
    rates_[i] = m.carried ? Rate{} : compute_rate(m, v_.data() + m.v);
    const bool slides = m.type == JointType::planar || m.type == JointType::free;
    if (course == Course::screw && slides && !rates_[i].is_zero() && !m.carried) {
      const Vec6 twist = compute_screw(m.type, q0.data() + m.q, q1.data() + m.q);
      rates_[i] = {twist.tail<3>().norm() * (1 + 1e-9), twist.head<3>().norm() * (1 + 1e-9)};
    }
  }
}

void Leg::interpolate(double s, VecRef q) const {
  geste::interpolate(*scene_, q0_, q1_, course_, s, q);
}

int Leg::find_common(int a, int b) const {
  // Parents come before their children.
  while (a != b) {
    int& lower = a > b ? a : b;
    lower = scene_->movers()[at(lower)].parent;
  }
  return a;
}

bool Leg::moves(int a, int b) const {
  const std::vector<Mover>& movers = scene_->movers();
  while (a != b) {
    int& lower = a > b ? a : b;
    if (!rates_[at(lower)].is_zero()) return true;
    lower = movers[at(lower)].parent;
  }
  return false;
}

double Leg::measure_arm(int mover, const Ball& ball, std::span<const Pose> X_WM) const {
  const Mover& m = scene_->movers()[at(mover)];
  const Pose& X = X_WM[at(mover)];
  const Vec3 r = ball.centre - X.p;
  const bool turns = m.type == JointType::revolute || m.type == JointType::continuous;
  return (turns ? (X.R * m.axis).cross(r).norm() : r.norm()) + ball.radius;
}

MotionBound Leg::bound(int a, int b, const Ball& ball, std::span<const Pose> X_WM,
                       double half) const {
  const std::vector<Mover>& movers = scene_->movers();
  double speed = 0, acceleration = 0;
  const auto add = [&](int mover, bool downwards) {
    const Rate& r = rates_[at(mover)];
    if (r.is_zero()) return;
    const double arm = measure_arm(mover, ball, X_WM) + half * (speed + (downwards ? 0 : r.linear));
    const double turning = r.angular * arm;
    double own = r.angular * turning;
    if (course_ == Course::screw) {
      own += r.angular * r.linear;
    } else if (!downwards) {
      own += 2 * r.angular * r.linear;
    }
    acceleration += own + 2 * r.angular * speed;
    speed += r.linear + turning;
  };
  // From b up to the last mover above both, then down to a.
  const int common = find_common(a, b);
  for (int m = b; m != common; m = movers[at(m)].parent) add(m, true);
  for (int above = common; above != a;) {
    // Climbing once for each joint needs no memory, and chains are short.
    int m = a;
    while (movers[at(m)].parent != above) m = movers[at(m)].parent;
    add(m, false);
    above = m;
  }
  return {half * speed, half * half / 2 * acceleration};
}

}  // namespace geste

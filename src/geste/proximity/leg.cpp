#include "geste/proximity/internal/leg.hpp"

#include "geste/core/index.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/mover_chain.hpp"

namespace geste {
Leg::Leg(const Scene& scene)
    : scene_(&scene), v_(VecX::Zero(scene.nv())), rates_(scene.movers().size()) {}

void Leg::set(ConstVecRef q0, ConstVecRef q1, Course course) {
  q0_ = q0;
  q1_ = q1;
  course_ = course;
  strays_.clear();
  difference(*scene_, q0, q1, v_);
  const std::vector<Mover>& movers = scene_->movers();
  for (std::size_t i = 1; i < movers.size(); ++i) {
    const Mover& m = movers[i];
    rates_[i] = bound_travel(m, q0.data() + m.q, q1.data() + m.q, v_.data() + m.v, course);
  }
}

void Leg::interpolate(double s, VecRef q) const {
  geste::interpolate(*scene_, q0_, q1_, course_, s, q);
}

bool Leg::moves(int a, int b) const {
  bool found = false;
  climb_to_common(scene_->movers(), a, b, [&](int mover, bool) {
    found = found || !rates_[at(mover)].is_zero() ||
            (!strays_.empty() && !strays_[at(mover)].is_zero());
  });
  return found;
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
  double speed = 0, acceleration = 0, stray = 0;
  const auto add = [&](int mover, bool downwards) {
    const JointTravel& r = rates_[at(mover)];
    const JointTravel strays = strays_.empty() ? JointTravel{} : strays_[at(mover)];
    if (r.is_zero() && strays.is_zero()) return;
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
    stray += strays.linear + strays.angular * (arm + stray + (downwards ? 0 : strays.linear));
  };
  // From b up to the last mover above both, then down to a.
  const int common = climb_to_common(movers, a, b, [&](int mover, bool is_above_a) {
    if (!is_above_a) add(mover, true);
  });
  for (int above = common; above != a;) {
    // Climbing once for each joint needs no memory, and chains are short.
    int m = a;
    while (movers[at(m)].parent != above) m = movers[at(m)].parent;
    add(m, false);
    above = m;
  }
  return {half * speed, half * half / 2 * acceleration, stray};
}

}  // namespace geste

#include "geste/proximity/internal/verify_rates.hpp"

#include <algorithm>
#include <cmath>

#include "geste/math/se3.hpp"
#include "geste/model/configuration.hpp"

namespace geste::internal {
namespace {

/// Far above what rounding does to a rate, far below what matters.
constexpr double kRounding = 1 + 1e-9;

bool is_screw(const Mover& m, Course course) {
  return course == Course::screw && (m.type == JointType::planar || m.type == JointType::free);
}

/// `v` are the joint's entries of the difference of the two configurations: for every joint that
/// does not go along a screw, its constant rates.
JointRate compute_straight_rate(const Mover& m, const double* v) {
  switch (m.type) {
    case JointType::revolute:
    case JointType::continuous:
      return {.turn = std::abs(v[0])};
    case JointType::prismatic:
      return {.shift = std::abs(v[0])};
    case JointType::universal:  // one axis after the other, both through the origin
      return {.turn = std::abs(v[0]) + std::abs(v[1])};
    case JointType::planar:
      return {.turn = std::abs(v[2]), .shift = std::hypot(v[0], v[1])};
    case JointType::spherical:
      return {.turn = std::hypot(v[0], v[1], v[2])};
    case JointType::free:
      return {.turn = std::hypot(v[3], v[4], v[5]), .shift = std::hypot(v[0], v[1], v[2])};
    case JointType::fixed:
      break;
  }
  return {};
}

/// Constant velocity in the child's axes, which takes it from the first place to the second.
JointRate compute_screw_rate(const Pose& X_PM0, const Pose& X_PM1) {
  const Vec6 twist = se3::log(X_PM0.inverse() * X_PM1);
  return {.turn = twist.tail<3>().norm(), .shift = twist.head<3>().norm(), .is_screw = true};
}

}  // namespace

std::vector<JointRate> compute_rates(const Scene& scene, ConstVecRef q0, ConstVecRef q1,
                                     Course course, std::span<const Pose> X_WM0,
                                     std::span<const Pose> X_WM1) {
  const std::vector<Mover>& movers = scene.movers();
  VecX v(scene.nv());
  difference(scene, q0, q1, v);
  std::vector<JointRate> rates(movers.size());
  for (std::size_t i = 1; i < movers.size(); ++i) {
    const Mover& m = movers[i];
    const auto parent = static_cast<std::size_t>(m.parent);
    JointRate& rate = rates[i];
    if (!m.carried) {
      rate = is_screw(m, course) ? compute_screw_rate(X_WM0[parent].inverse() * X_WM0[i],
                                                      X_WM1[parent].inverse() * X_WM1[i])
                                 : compute_straight_rate(m, v.data() + m.v);
    }
    // On a straight line the origin is farthest at one of its ends; on a curve it is never farther
    // from the nearer end than half the way.
    rate.arm =
        std::max((X_WM0[i].p - X_WM0[parent].p).norm(), (X_WM1[i].p - X_WM1[parent].p).norm());
    if (is_screw(m, course)) rate.arm += rate.shift / 2;
  }
  return rates;
}

double bound_rate(const Scene& scene, std::span<const JointRate> rates, std::span<const Pose> X_WM,
                  const Ball& ball, int above) {
  const Vec3 centre_W = X_WM[static_cast<std::size_t>(ball.mover)] * ball.centre;
  double total = 0;
  double reach = ball.centre.norm() + ball.radius;
  for (int m = ball.mover; m != above;) {
    const auto i = static_cast<std::size_t>(m);
    // The chain stretched out, or where the ball is at first and how far it travels from there.
    reach = std::min(reach, (centre_W - X_WM[i].p).norm() + ball.radius + total);
    total += rates[i].shift + rates[i].turn * reach;
    reach += rates[i].arm;
    m = scene.movers()[i].parent;
  }
  return total * kRounding;
}

namespace {

/// A ball's points as they move, seen from one mover after the other.
class SeenBall {
 public:
  SeenBall(const Scene& scene, std::span<const JointRate> rates, std::span<const Pose> X_WM,
           const Ball& ball)
      : scene_(scene),
        rates_(rates),
        X_WM_(X_WM),
        centre_W_(X_WM[static_cast<std::size_t>(ball.mover)] * ball.centre),
        radius_(ball.radius) {}

  [[nodiscard]] double acceleration() const { return acceleration_; }

  /// From m, then from its parents up to `above`.
  void go_up(int m, int above) {
    for (; m != above; m = parent(m)) {
      const JointRate& r = rates_[static_cast<std::size_t>(m)];
      const double reach = find_reach(m);
      acceleration_ += r.turn * (r.turn * reach + 2 * speed_ + (r.is_screw ? r.shift : 0));
      speed_ += r.shift + r.turn * reach;
    }
  }

  /// From `above`, then from what it carries down to m: the origin moves first, then all turns
  /// about it.
  void go_down(int above, int m) {
    if (m == above) return;
    go_down(above, parent(m));
    const JointRate& r = rates_[static_cast<std::size_t>(m)];
    speed_ += r.shift;
    const double reach = find_reach(m);
    acceleration_ += r.turn * (r.turn * reach + 2 * speed_);
    speed_ += r.turn * reach;
  }

 private:
  [[nodiscard]] int parent(int m) const {
    return scene_.movers()[static_cast<std::size_t>(m)].parent;
  }
  /// From the mover's origin, on the whole leg.
  [[nodiscard]] double find_reach(int m) const {
    return (centre_W_ - X_WM_[static_cast<std::size_t>(m)].p).norm() + radius_ + speed_;
  }

  const Scene& scene_;
  std::span<const JointRate> rates_;
  std::span<const Pose> X_WM_;
  Vec3 centre_W_;
  double radius_;
  double speed_ = 0;
  double acceleration_ = 0;
};

}  // namespace

double bound_acceleration(const Scene& scene, std::span<const JointRate> rates,
                          std::span<const Pose> X_WM, const Ball& ball, int seen_from) {
  const int above = find_common_mover(scene, ball.mover, seen_from);
  SeenBall seen(scene, rates, X_WM, ball);
  seen.go_up(ball.mover, above);
  seen.go_down(above, seen_from);
  return seen.acceleration() * kRounding;
}

int find_common_mover(const Scene& scene, int a, int b) {
  // Parents come before their children.
  while (a != b) (a > b ? a : b) = scene.movers()[static_cast<std::size_t>(std::max(a, b))].parent;
  return a;
}

}  // namespace geste::internal

#include "geste/planning/steering/reeds_shepp.hpp"

#include <cmath>

#include "geste/model/joint_manifold.hpp"

namespace geste {
namespace {

// Words are written as in the paper's section 8: C+ C- S- ..., where | marks a change of direction
// and a subscript a piece of given length. Each function offers the words of one formula that begin
// to the left and forwards; the symmetries make the others of them. Which signs the paper asks of
// the lengths does not matter: with others it is a way too, and the shortest is wanted.

constexpr int kLeft = 1, kStraight = 0, kRight = -1;

struct PolarPoint {
  double r = 0;
  double angle = 0;
};

PolarPoint to_polar(double x, double y) { return {std::hypot(x, y), std::atan2(y, x)}; }

/// One of the four (with reverse order: eight) views of an end.
class View {
 public:
  View(const CartPose& end, bool flip, bool reflect, bool reverse, ShortestWord& best)
      : flip_(flip), reflect_(reflect), reverse_(reverse), best_(best) {
    const CartPose seen = reverse ? turn_round(end) : end;
    x_ = flip ? -seen.x : seen.x;
    y_ = reflect ? -seen.y : seen.y;
    angle_ = flip != reflect ? -seen.angle : seen.angle;
    const double s = std::sin(angle_), c = std::cos(angle_);
    // From the centre of a first circle to the left to the centre of the last one.
    same_x_ = x_ - s, same_y_ = y_ - 1 + c;
    other_x_ = x_ + s, other_y_ = y_ - 1 - c;
  }

  /// (8.1) and (8.2): C S C, along the line of the centres and along an inner tangent.
  void offer_line() const {
    const PolarPoint same = to_polar(same_x_, same_y_);
    offer({{kLeft, same.angle}, {kStraight, same.r}, {kLeft, wrap_angle(angle_ - same.angle)}});
    const PolarPoint other = to_polar(other_x_, other_y_);
    if (other.r < 2) return;
    const double line = std::sqrt(other.r * other.r - 4);
    const double t = wrap_angle(other.angle + std::atan2(2, line));
    offer({{kLeft, t}, {kStraight, line}, {kRight, wrap_angle(t - angle_)}});
  }

  /// (8.3) and (8.4): C | C | C and C | C C.
  void offer_three_arcs() const {
    const PolarPoint same = to_polar(same_x_, same_y_);
    if (same.r > 4) return;
    const double u = -2 * std::asin(same.r / 4);
    const double t = wrap_angle(same.angle + u / 2 + kPi);
    offer({{kLeft, t}, {kRight, u}, {kLeft, wrap_angle(angle_ - t + u)}});
  }

  /// (8.7) and (8.8): C C_u | C_u C and C | C_u C_u | C.
  void offer_four_arcs() const {
    const double r = std::hypot(other_x_, other_y_);
    if (const double rho = (2 + r) / 4; rho <= 1) {
      const double u = std::acos(rho);
      offer_four_arcs(u, -u);
    }
    if (const double rho = (20 - r * r) / 16; rho >= 0 && rho <= 1) {
      const double u = -std::acos(rho);
      offer_four_arcs(u, u);
    }
  }

  /// (8.9) and (8.10): C | C_pi/2 S C.
  void offer_quarter() const {
    const PolarPoint same = to_polar(same_x_, same_y_);
    if (same.r >= 2) {
      const double r = std::sqrt(same.r * same.r - 4);
      const double t = wrap_angle(same.angle + std::atan2(r, -2));
      offer({{kLeft, t},
             {kRight, -kQuarterTurn},
             {kStraight, 2 - r},
             {kLeft, wrap_angle(angle_ - kQuarterTurn - t)}});
    }
    const PolarPoint other = to_polar(-other_y_, other_x_);
    if (other.r >= 2)
      offer({{kLeft, other.angle},
             {kRight, -kQuarterTurn},
             {kStraight, 2 - other.r},
             {kRight, wrap_angle(other.angle + kQuarterTurn - angle_)}});
  }

  /// (8.11): C | C_pi/2 S C_pi/2 | C.
  void offer_two_quarters() const {
    const double r = std::hypot(other_x_, other_y_);
    if (r < 2) return;
    const double u = 4 - std::sqrt(r * r - 4);
    const double t = wrap_angle(
        std::atan2((4 - u) * other_x_ - 2 * other_y_, -2 * other_x_ + (u - 4) * other_y_));
    offer({{kLeft, t},
           {kRight, -kQuarterTurn},
           {kStraight, u},
           {kLeft, -kQuarterTurn},
           {kRight, wrap_angle(t - angle_)}});
  }

 private:
  /// The first and last arc (tau and omega of the paper) around two arcs of known length. What the
  /// paper calls t2 is never negative here: (2 cos u - 1)^2 for v = -u, 5 - 4 cos u for v = u.
  void offer_four_arcs(double u, double v) const {
    const double delta = wrap_angle(u - v);
    const double a = std::sin(u) - std::sin(delta), b = std::cos(u) - std::cos(delta) - 1;
    const double tau = std::atan2(other_y_ * a - other_x_ * b, other_x_ * a + other_y_ * b);
    offer({{kLeft, tau}, {kRight, u}, {kLeft, v}, {kRight, wrap_angle(tau - u + v - angle_)}});
  }

  void offer(CartWord word) const {
    if (flip_) word.flip_time();
    if (reflect_) word.reflect();
    if (reverse_) word.reverse();
    best_.offer(word);
  }

  bool flip_, reflect_, reverse_;
  ShortestWord& best_;
  double x_, y_, angle_;
  double same_x_, same_y_, other_x_, other_y_;
};

}  // namespace

CartWord find_reeds_shepp(const CartPose& end) {
  ShortestWord best(end);
  for (const bool flip : {false, true}) {
    for (const bool reflect : {false, true}) {
      const View view(end, flip, reflect, false, best), back(end, flip, reflect, true, best);
      view.offer_line();
      view.offer_three_arcs();
      back.offer_three_arcs();
      view.offer_four_arcs();
      view.offer_quarter();
      back.offer_quarter();
      view.offer_two_quarters();
    }
  }
  return best.word();
}

Result<std::unique_ptr<SteeringMethod>> ReedsSheppSteering::make(const PlanningSpace& space,
                                                                 const CartOptions& options) {
  if (auto checked = check(space, options); !checked) return checked.error();
  return std::unique_ptr<SteeringMethod>(new ReedsSheppSteering(space, options));
}

}  // namespace geste

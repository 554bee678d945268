#include "geste/planning/steering/cart_steering.hpp"

#include <cmath>

#include "geste/model/joint_manifold.hpp"
#include "geste/planning/steering/fault.hpp"

namespace geste {
namespace {

/// Shorter pieces are left out, and cuts are not made so near to an end, in radii.
constexpr double kTinyPiece = 1e-10;

/// Puts the points of one piece behind its first.
class PieceWriter {
 public:
  PieceWriter(double radius, Way& way) : radius_(radius), way_(way) {}

  CartPose write(const CartPose& from, const CartPiece& piece) {
    if (piece.turn != 0) cut(from, piece);
    const CartPose end = follow(from, piece);
    add(end);
    return end;
  }

 private:
  void cut(const CartPose& from, const CartPiece& piece) {
    const double turn = piece.turn * piece.length, sense = turn > 0 ? 1 : -1;
    // In quarters, counted the way it turns.
    const double begin = sense * from.angle / kQuarterTurn,
                 end = begin + std::abs(turn) / kQuarterTurn;
    constexpr double kMargin = 1e-7;
    for (double k = std::ceil(begin + kMargin); k < end - kMargin; ++k)
      add(follow(from, {piece.turn, piece.turn * sense * (k - begin) * kQuarterTurn}));
  }

  void add(const CartPose& pose) {
    way_.add() << pose.x * radius_, pose.y * radius_, wrap_angle(pose.angle);
  }

  double radius_;
  Way& way_;
};

}  // namespace

bool CartSteering::steer(ConstVecRef a, ConstVecRef b, Way& way) const {
  way.clear();
  way.add(a);
  const CartWord word = find_word(find_end(a, b));
  PieceWriter writer(radius_, way);
  CartPose pose{a[0] / radius_, a[1] / radius_, a[2]};
  for (int i = 0; i < word.count(); ++i)
    if (std::abs(word[i].length) > kTinyPiece) pose = writer.write(pose, word[i]);
  // The end itself, not what rounding made of it.
  way.cut(std::max(1, way.count() - 1));
  way.add(b);
  return true;
}

double CartSteering::lower_bound(ConstVecRef a, ConstVecRef b) const {
  // No leg turns by more than a quarter, so no chord is shorter than sin(pi/4) / (pi/4) of its arc.
  constexpr double kChord = 0.9003163161571060;
  const double pieces = find_word(find_end(a, b)).length() * radius_;
  return std::max(space_.distance(a, b),
                  kChord * (1 - 1e-9) * space_.items()[0].per_metre * pieces);
}

CartPose CartSteering::find_end(ConstVecRef a, ConstVecRef b) const {
  double v[3];
  difference(space_.items()[0].joint, a.data(), b.data(), v);
  return {v[0] / radius_, v[1] / radius_, v[2]};
}

Result<void> CartSteering::check(const PlanningSpace& space, const CartOptions& options) {
  std::vector<Diagnostic> faults;
  bool has_cart = false;
  for (const PlanningSpace::Item& item : space.items()) {
    const Joint& joint = item.joint;
    if (joint.type != JointType::planar || has_cart) {
      faults.push_back(make_steering_fault(
          joint,
          fmt::format("is {}, where this method moves one planar joint", to_string(joint.type)),
          "give it a steering method of its own, in a group"));
      continue;
    }
    has_cart = true;
    if (joint.limits[2].lower > -kPi || joint.limits[2].upper < kPi)
      faults.push_back(make_steering_fault(joint,
                                           "its heading is limited, but a cart turns all round",
                                           "leave the limits of its angle out"));
    if (!(options.radius > 0) || !std::isfinite(options.radius))
      faults.push_back(make_steering_fault(
          joint, fmt::format("a turning radius of {} m is none", options.radius),
          "give the radius of its tightest turn, more than zero"));
  }
  if (!faults.empty()) return make_error(std::move(faults));
  return {};
}

}  // namespace geste

#include "geste/planning/steering/dubins.hpp"

#include <algorithm>
#include <cmath>

namespace geste {
namespace {

/// Ways jump by a turn where a piece begins to be: a cart in the middle of a way must not take a
/// whole turn for the rounding of where it stands.
constexpr double kOnward = 1e-10;

/// Into [0, 2 pi), just below a whole turn is none.
double wrap_forward(double angle) {
  const double wrapped = angle - 2 * kPi * std::floor(angle / (2 * kPi));
  return wrapped > 2 * kPi - kOnward ? 0 : wrapped;
}

/// The words that begin to the left. The centre of the first circle is (0, 1), that of a last one
/// to the left (x - sin, y + cos), to the right (x + sin, y - cos).
void offer_left(const CartPose& end, bool reflect, ShortestWord& best) {
  const auto offer = [&](CartWord word) {
    if (reflect) word.reflect();
    best.offer(word);
  };
  const double s = std::sin(end.angle), c = std::cos(end.angle);
  {
    const double x = end.x - s, y = end.y + c - 1, centres = std::hypot(x, y);
    const double direction = std::atan2(y, x);
    // LSL: along the line of the centres.
    const double t = wrap_forward(direction);
    offer({{1, t}, {0, centres}, {1, wrap_forward(end.angle - t)}});
    // LRL: the third circle touches both, more than half of it is gone.
    if (centres <= 4) {
      const double half = std::asin(centres / 4);
      const double first = wrap_forward(direction - half + kPi);
      offer({{1, first}, {-1, 2 * (kPi - half)}, {1, wrap_forward(end.angle - first - 2 * half)}});
    }
  }
  // LSR: along the inner tangent.
  const double x = end.x + s, y = end.y - c - 1, squared = x * x + y * y;
  if (squared < 4 - kOnward) return;
  const double line = std::sqrt(std::max(0.0, squared - 4));
  const double t = wrap_forward(std::atan2(y, x) + std::atan2(2, line));
  offer({{1, t}, {0, line}, {-1, wrap_forward(t - end.angle)}});
}

}  // namespace

CartWord find_dubins(const CartPose& end) {
  ShortestWord best(end);
  offer_left(end, false, best);
  offer_left({end.x, -end.y, -end.angle}, true, best);
  return best.word();
}

Result<std::unique_ptr<SteeringMethod>> DubinsSteering::make(const PlanningSpace& space,
                                                             const CartOptions& options) {
  if (auto checked = check(space, options); !checked) return checked.error();
  return std::unique_ptr<SteeringMethod>(new DubinsSteering(space, options));
}

}  // namespace geste

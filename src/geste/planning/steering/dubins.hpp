#pragma once

#include "geste/planning/steering/cart_steering.hpp"

namespace geste {

/// The shortest way of a cart that never goes backwards: L. E. Dubins, "On curves of minimal length
/// with a constraint on average curvature, and with prescribed initial and terminal positions and
/// tangents", Amer. J. Math. 79, 1957: one of LSL, RSR, LSR, RSL, LRL, RLR. `end` as seen from the
/// origin, in turning radii.
CartWord find_dubins(const CartPose& end);

class DubinsSteering final : public CartSteering {
 public:
  /// The space, of one planar joint, must outlive it.
  static Result<std::unique_ptr<SteeringMethod>> make(const PlanningSpace& space,
                                                      const CartOptions& options);

  [[nodiscard]] bool is_reversible() const override { return false; }
  [[nodiscard]] CartWord find_word(const CartPose& end) const override { return find_dubins(end); }

 private:
  using CartSteering::CartSteering;
};

}  // namespace geste

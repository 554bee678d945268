#pragma once

#include "geste/planning/steering/cart_steering.hpp"

namespace geste {

/// The shortest way of a cart that goes forwards and backwards: J. Reeds, L. Shepp, "Optimal paths
/// for a car that goes both forwards and backwards", Pacific J. Math. 145(2), 1990, all 48 words of
/// their section 8. `end` as seen from the origin, in turning radii.
CartWord find_reeds_shepp(const CartPose& end);

class ReedsSheppSteering final : public CartSteering {
 public:
  /// The space, of one planar joint, must outlive it.
  static Result<std::unique_ptr<SteeringMethod>> make(const PlanningSpace& space,
                                                      const CartOptions& options);

  [[nodiscard]] CartWord find_word(const CartPose& end) const override {
    return find_reeds_shepp(end);
  }

 private:
  using CartSteering::CartSteering;
};

}  // namespace geste

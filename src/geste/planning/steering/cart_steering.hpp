#pragma once

#include <memory>

#include "geste/planning/steering.hpp"
#include "geste/planning/steering/cart_word.hpp"

namespace geste {

struct CartOptions {
  double radius = 1;  ///< m, of the tightest turn of the origin of what the planar joint moves
};

/// Ways of a cart: a planar joint whose child rolls along its first axis and turns no tighter than
/// a radius. Every leg is an arc or a line on which it rolls without slipping (up to 1e-8 radii,
/// what rounding leaves), told exactly as a screw.
///
/// Arcs are cut where the heading is a multiple of a quarter turn, so that both coordinates are
/// monotone on every leg: a way whose points are within the limits is so in between.
class CartSteering : public SteeringMethod {
 public:
  [[nodiscard]] Course course() const override { return Course::screw; }
  bool steer(ConstVecRef a, ConstVecRef b, Way& way) const override;
  /// The larger of the distance and the shortest word's length, of whose arcs the metric sees
  /// chords.
  [[nodiscard]] double lower_bound(ConstVecRef a, ConstVecRef b) const override;

  /// How a cart goes from the origin to a pose, in turning radii.
  [[nodiscard]] virtual CartWord find_word(const CartPose& end) const = 0;

 protected:
  CartSteering(const PlanningSpace& space, const CartOptions& options)
      : space_(space), radius_(options.radius) {}
  ~CartSteering() override = default;

  /// The error names joints that are no cart, limits on its heading, and a radius that is none.
  static Result<void> check(const PlanningSpace& space, const CartOptions& options);

 private:
  /// The second in the axes of the first.
  [[nodiscard]] CartPose find_end(ConstVecRef a, ConstVecRef b) const;

  const PlanningSpace& space_;
  double radius_;
};

}  // namespace geste

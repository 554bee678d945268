#pragma once

#include "geste/planning/space.hpp"
#include "geste/planning/way.hpp"

namespace geste {

/// Joins two configurations as the mechanism can move, as if the world were empty (MV-2; Move3D
/// section 3.1). The laws, for all q0 and q1 of its space (tests/planning/steering_laws.hpp):
///   the way begins at q0 and ends at q1, exactly
///   it stays within the limits, or there is none
///   from q to q it has no length
///   it is not shorter than the space's distance of its ends
///   where is_symmetric, from q1 to q0 it is as long
///   small-time controllable: as q1 comes near q0 the whole way does
class SteeringMethod {
 public:
  virtual ~SteeringMethod() = default;
  /// Fills `way` with points from q0 to q1, complete but for what follows; false where there is
  /// none.
  virtual bool steer(ConstVecRef q0, ConstVecRef q1, Way& way) const = 0;
  [[nodiscard]] virtual bool is_symmetric() const { return true; }
};

/// Every joint at a constant rate, all at once: for whatever can move in any direction.
class LinearSteering final : public SteeringMethod {
 public:
  explicit LinearSteering(Course course = Course::straight) : course_(course) {}
  bool steer(ConstVecRef q0, ConstVecRef q1, Way& way) const override;

 private:
  Course course_;
};

}  // namespace geste

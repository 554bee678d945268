#pragma once

#include "geste/planning/steering/steering_method.hpp"
#include "geste/proximity/validator.hpp"

namespace geste {

/// Work that was done, for reports.
struct CheckCounts {
  long configurations = 0;
  long legs = 0;

  void add(const CheckCounts& other) {
    configurations += other.configurations;
    legs += other.legs;
  }
};

/// What planners build with: ways that a steering method finds and a validator proves. Shared by
/// all threads; what it is made of must outlive it.
class LocalPlanner {
 public:
  LocalPlanner(const PlanningSpace& space, const SteeringMethod& steering,
               const Validator& validator)
      : space_(space), steering_(steering), validator_(validator) {}

  /// Memory of one thread.
  struct Memory {
    explicit Memory(const LocalPlanner& planner);

    Workspace workspace;
    Validator::Memory validator;
    std::vector<EdgeAnswer> answers;
    CheckCounts counts;
  };

  [[nodiscard]] const PlanningSpace& space() const { return space_; }
  [[nodiscard]] const SteeringMethod& steering() const { return steering_; }
  [[nodiscard]] const Validator& validator() const { return validator_; }

  /// Completes a configuration; whether it is within limits, closed and free.
  [[nodiscard]] bool admit(VecRef q, Memory& memory) const;

  enum class Reach { none, part, all };
  /// A free way from q0 towards q1 that ends there, or after `range` (in distances of the space).
  /// Both ends are complete and free. `backward`: it goes from there to q0 instead.
  Reach extend(ConstVecRef q0, ConstVecRef q1, double range, bool backward, Way& way,
               Memory& memory) const;
  /// A free way all the way.
  bool connect(ConstVecRef q0, ConstVecRef q1, Way& way, Memory& memory) const {
    return extend(q0, q1, std::numeric_limits<double>::infinity(), false, way, memory) ==
           Reach::all;
  }
  /// Whether a way, which may leave the limits and is not complete, is free; completes it.
  [[nodiscard]] bool prove(Way& way, Memory& memory) const;

 private:
  const PlanningSpace& space_;
  const SteeringMethod& steering_;
  const Validator& validator_;
};

/// In distances of the space.
double compute_length(const PlanningSpace& space, const Way& way);

}  // namespace geste

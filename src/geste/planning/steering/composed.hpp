#pragma once

#include <functional>
#include <memory>

#include "geste/planning/steering.hpp"

namespace geste {

/// Makes a method for a space, which outlives it.
using SteeringMaker =
    std::function<Result<std::unique_ptr<SteeringMethod>>(const PlanningSpace& space)>;

/// Joints that one method moves together.
struct SteeringGroup {
  std::vector<JointId> joints;
  SteeringMaker make;
};

/// A method for each group of joints, all at once: a mobile base by one, its arm by another (Move3D
/// section 3.1). Each goes its way at a pace of its own that is constant in its metric, and all end
/// together: where any of them has a point, the way has one.
///
/// Every leg must be of one course. Beside a method that goes along screws, planar and free joints
/// of methods that go straight are refused; other joints have one course only.
class ComposedSteering final : public SteeringMethod {
 public:
  /// Joints of the space in no group go straight. The error names joints that are in two groups or
  /// not in the space, and whatever the methods do not like. The space must outlive it.
  static Result<std::unique_ptr<SteeringMethod>> make(const PlanningSpace& space,
                                                      std::span<const SteeringGroup> groups);

  [[nodiscard]] Course course() const override { return course_; }
  [[nodiscard]] bool is_reversible() const override;
  bool steer(ConstVecRef a, ConstVecRef b, Way& way) const override;
  /// The bounds of the groups as one length: sums of norms are no less than norms of sums.
  [[nodiscard]] double lower_bound(ConstVecRef a, ConstVecRef b) const override;

 private:
  /// One group, with a space of its own.
  struct Part {
    std::unique_ptr<PlanningSpace> space;
    std::unique_ptr<SteeringMethod> method;
    std::vector<int> items;  ///< of the whole space

    void gather(const PlanningSpace& whole, ConstVecRef x, VecRef own) const;
    void scatter(const PlanningSpace& whole, ConstVecRef own, VecRef x) const;
  };
  /// A part's way, with how much of its length comes before each point.
  class PartWay;

  explicit ComposedSteering(const PlanningSpace& space) : space_(space) {}
  Result<void> add(std::vector<int> items, const SteeringMaker& make);
  /// Planar and free joints that would have to go straight beside screws.
  [[nodiscard]] std::vector<Diagnostic> find_mixed() const;

  const PlanningSpace& space_;
  std::vector<Part> parts_;
  Course course_ = Course::straight;
};

}  // namespace geste

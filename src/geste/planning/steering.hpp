#pragma once

#include "geste/planning/space.hpp"

namespace geste {

/// Points one after the other; from each to the next leads one leg of a course (model/motion.hpp).
/// Keeps its memory when cleared.
class Way {
 public:
  explicit Way(const PlanningSpace& space) : x_(space.size(), 8) {}

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] auto operator[](int i) const { return x_.col(i); }
  [[nodiscard]] auto back() const { return x_.col(count_ - 1); }
  [[nodiscard]] auto points() const { return x_.leftCols(count_); }

  void clear() { count_ = 0; }
  void cut(int count) { count_ = std::min(count, count_); }
  void reverse() { x_.leftCols(count_) = x_.leftCols(count_).rowwise().reverse().eval(); }
  void add(ConstVecRef x) { add() = x; }
  /// A further point, to be filled.
  Eigen::Ref<VecX> add() {
    if (count_ == x_.cols()) x_.conservativeResize(Eigen::NoChange, 2 * count_);
    return x_.col(count_++);
  }

 private:
  MatX x_;
  int count_ = 0;
};

/// Joins two points as if the world were empty (Move3D section 3.1).
///
/// Laws, for points within the limits (tests/planning/steering_laws.hpp holds every method
/// against them):
///   the way begins at a and ends at b                  steer(a, a) has length 0
///   every leg keeps the constraints of the method      length(a, b) >= lower_bound(a, b) >= 0
///   the same ends give the same way                    symmetric ones: length(a, b) = length(b, a)
class SteeringMethod {
 public:
  virtual ~SteeringMethod() = default;

  /// How each leg is gone.
  [[nodiscard]] virtual Course course() const = 0;
  /// Whether a way can be gone backwards too.
  [[nodiscard]] virtual bool is_reversible() const { return true; }
  /// Whether any leg of its course keeps the constraints of the method, so that corners may be cut
  /// by others than its own.
  [[nodiscard]] virtual bool takes_any_leg() const { return false; }
  /// Puts the way from a to b, both included, into `way`. False where the method knows none.
  virtual bool steer(ConstVecRef a, ConstVecRef b, Way& way) const = 0;
  /// Sets out from a to b, for about `range` or farther: what searches that go step by step ask
  /// for. The way ends at b, or nearer to it than a is.
  virtual bool set_out(ConstVecRef a, ConstVecRef b, double /*range*/, Way& way) const {
    return steer(a, b, way);
  }
  /// Never more than the length of the way, in the space's metric.
  [[nodiscard]] virtual double lower_bound(ConstVecRef a, ConstVecRef b) const = 0;
};

/// Every joint straight from one value to the other (the linear method).
class LinearSteering final : public SteeringMethod {
 public:
  /// The space must outlive it.
  explicit LinearSteering(const PlanningSpace& space) : space_(space) {}

  [[nodiscard]] Course course() const override { return Course::straight; }
  [[nodiscard]] bool takes_any_leg() const override { return true; }
  bool steer(ConstVecRef a, ConstVecRef b, Way& way) const override;
  [[nodiscard]] double lower_bound(ConstVecRef a, ConstVecRef b) const override {
    return space_.distance(a, b);
  }

 private:
  const PlanningSpace& space_;
};

/// Sum over the legs.
double measure_length(const PlanningSpace& space, const Way& way);

}  // namespace geste

#pragma once

#include "geste/planning/steering.hpp"
#include "geste/proximity/validator.hpp"

namespace geste {

/// Who watches legs that were proven free. `take` may be called from any thread.
class LegSink {
 public:
  virtual ~LegSink() = default;
  /// The ends, as whole configurations.
  virtual void take(ConstVecRef q0, ConstVecRef q1) = 0;
};

/// What planners search in: immutable, shared by all threads. What it refers to must outlive it.
struct PlanningWorld {
  const PlanningSpace& space;
  const SteeringMethod& steering;
  const Validator& validator;
  LegSink* watcher = nullptr;  ///< may be nobody
};

/// Joins points by the world's steering method and proves what it joined (MV-9). One per thread.
class LocalPlanner {
 public:
  explicit LocalPlanner(const PlanningWorld& world);

  [[nodiscard]] const PlanningWorld& world() const { return world_; }

  /// Within the limits, closed, and nothing collides.
  bool is_free(ConstVecRef x);
  /// The same of every column, several at a time.
  void check(const Eigen::Ref<const MatX>& x, std::span<char> free);

  enum class Reached { nothing, part, all };
  /// Goes from a towards b for at most `range`, and as far as every leg is proven free. What was
  /// reached is in `way`, a first. `from_goal`: the way will be gone from b's side to a.
  Reached advance(ConstVecRef a, ConstVecRef b, double range, bool from_goal, Way& way);
  /// Goes the whole way from a to b, in legs of at most `range`, as far as they are proven free.
  /// Ways are followed to their end: begun anew on the way, a steering method may go elsewhere.
  Reached pursue(ConstVecRef a, ConstVecRef b, double range, bool from_goal, Way& way);
  /// Whether the whole way from a to b is proven free.
  bool connects(ConstVecRef a, ConstVecRef b, Way& way);
  /// Whether one leg of the steering method's course is proven free. Here and above `a` is known to
  /// be free.
  bool is_leg_free(ConstVecRef a, ConstVecRef b);

  /// What stopped the last way or point that was not free.
  [[nodiscard]] const EdgeAnswer& last_stop() const { return stop_; }
  /// Questions asked of the validator so far.
  struct Counts {
    std::uint64_t points = 0;
    std::uint64_t legs = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  bool set_out(ConstVecRef a, ConstVecRef b, double range, bool from_goal, Way& way) const;
  /// Adds what is in whole_ to the way, as far as it is proven free; whether that is all.
  bool follow(double range, Way& way);
  bool is_inside(ConstVecRef x) const { return world_.space.measure_excess(x) <= 1e-9; }

  PlanningWorld world_;
  Validator::Memory memory_;
  Workspace workspace_;
  MatX q0_, q1_;  ///< one column each
  MatX block_;
  VecX point_;
  Way whole_;  ///< what is pursued
  std::vector<int> kept_;
  std::vector<ConfigurationAnswer> answers_;
  EdgeAnswer stop_;
  Counts counts_;
};

}  // namespace geste

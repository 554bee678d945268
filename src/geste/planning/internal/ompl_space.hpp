#pragma once

#include <ompl/base/MotionValidator.h>
#include <ompl/base/OptimizationObjective.h>
#include <ompl/base/StateSpace.h>
#include <ompl/base/StateValidityChecker.h>

#include <atomic>
#include <mutex>

#include "geste/planning/problem.hpp"

// What planners of OMPL see of a PlanningWorld. OMPL asks const objects, some planners from several
// threads; what works for them is behind a mutex.
namespace geste::internal {

/// A point of the space.
class OmplState final : public ompl::base::State {
 public:
  explicit OmplState(int size) : x(size) {}

  VecX x;
};

inline const VecX& point_of(const ompl::base::State* state) {
  return static_cast<const OmplState*>(state)->x;
}
inline VecX& point_of(ompl::base::State* state) { return static_cast<OmplState*>(state)->x; }

/// Counts steps for the planner, which asks whether to go on.
class OmplMeter {
 public:
  explicit OmplMeter(const Budget& budget) : budget_(budget) {}

  void count() { ++steps_; }
  /// What is drawn to set things up does not count.
  void restart() { steps_ = 0; }
  /// A question is a step too: some planners go on without samples.
  bool is_over();
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] StopReason reason() const { return reason_; }

 private:
  const Budget& budget_;
  std::atomic<std::uint64_t> steps_ = 0;
  std::atomic<StopReason> reason_ = StopReason::none;
};

/// Points and distances are those of the PlanningSpace; between two of them lies the way of the
/// steering method.
class OmplSpace final : public ompl::base::StateSpace {
 public:
  OmplSpace(const PlanningWorld& world, OmplMeter& meter, const Rng& rng);

  [[nodiscard]] const PlanningWorld& world() const { return world_; }
  /// Of the steering's way; infinite where there is none.
  [[nodiscard]] double measure_way(const ompl::base::State* a, const ompl::base::State* b) const;

  unsigned int getDimension() const override;
  double getMaximumExtent() const override { return world_.space.extent(); }
  double getMeasure() const override;
  /// Between two points the method may go differently each way.
  bool hasSymmetricInterpolate() const override { return false; }
  void enforceBounds(ompl::base::State* state) const override;
  bool satisfiesBounds(const ompl::base::State* state) const override;
  void copyState(ompl::base::State* to, const ompl::base::State* from) const override;
  double distance(const ompl::base::State* a, const ompl::base::State* b) const override;
  bool equalStates(const ompl::base::State* a, const ompl::base::State* b) const override;
  void interpolate(const ompl::base::State* from, const ompl::base::State* to, double t,
                   ompl::base::State* state) const override;
  ompl::base::StateSamplerPtr allocDefaultStateSampler() const override;
  ompl::base::State* allocState() const override;
  void freeState(ompl::base::State* state) const override;
  double* getValueAddressAtIndex(ompl::base::State* state, unsigned int index) const override;
  void registerProjections() override;

 private:
  const PlanningWorld& world_;
  OmplMeter& meter_;
  Rng rng_;
  mutable std::uint64_t samplers_ = 0;  ///< made so far: each has a stream of its own
  mutable std::mutex mutex_;
  mutable Way way_;
};

/// Points are free when the LocalPlanner says so, motions when it has proven them.
class OmplProver final : public ompl::base::StateValidityChecker {
 public:
  OmplProver(const ompl::base::SpaceInformationPtr& si, const PlanningWorld& world)
      : ompl::base::StateValidityChecker(si), local_(world), way_(world.space) {}

  bool isValid(const ompl::base::State* state) const override;
  [[nodiscard]] bool connects(ConstVecRef a, ConstVecRef b) const;
  /// As far as it is free; at which share of the whole way that is.
  double advance(ConstVecRef a, ConstVecRef b, VecX& reached) const;
  /// These two not while a planner runs.
  [[nodiscard]] LocalPlanner& local() const { return local_; }
  /// Of motions (PlanReport::stops).
  [[nodiscard]] const std::vector<std::uint64_t>& stops() const { return stops_; }

 private:
  mutable std::mutex mutex_;
  mutable LocalPlanner local_;
  mutable Way way_;
  mutable std::vector<std::uint64_t> stops_;
};

class OmplMotions final : public ompl::base::MotionValidator {
 public:
  OmplMotions(const ompl::base::SpaceInformationPtr& si, const OmplProver& prover)
      : ompl::base::MotionValidator(si), prover_(prover) {}

  bool checkMotion(const ompl::base::State* a, const ompl::base::State* b) const override;
  bool checkMotion(const ompl::base::State* a, const ompl::base::State* b,
                   std::pair<ompl::base::State*, double>& last) const override;

 private:
  const OmplProver& prover_;
};

/// The length of ways. Any way will do: it is made shorter afterwards.
class OmplLength final : public ompl::base::OptimizationObjective {
 public:
  OmplLength(const ompl::base::SpaceInformationPtr& si, const OmplSpace& space);

  ompl::base::Cost stateCost(const ompl::base::State*) const override { return identityCost(); }
  ompl::base::Cost motionCost(const ompl::base::State* a,
                              const ompl::base::State* b) const override;
  ompl::base::Cost motionCostHeuristic(const ompl::base::State* a,
                                       const ompl::base::State* b) const override;

 private:
  const OmplSpace& space_;
};

}  // namespace geste::internal

#include "arm/classical.hpp"

#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include "common/report.hpp"

namespace geste::bench {
namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;
using Space = ob::RealVectorStateSpace;

/// Configurations of the arm as OMPL has them, and back.
class ArmSpace {
 public:
  ArmSpace(const Scene& scene, std::span<const JointId> joints, const VecX& base)
      : space_(std::make_shared<Space>(static_cast<unsigned>(joints.size()))), base_(base) {
    ob::RealVectorBounds bounds(static_cast<unsigned>(joints.size()));
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const Joint& joint = scene.joint(joints[k]);
      entries_.push_back(joint.q);
      const DofLimits& limits = joint.limits[0];
      bounds.setLow(static_cast<unsigned>(k), std::isfinite(limits.lower) ? limits.lower : -kPi);
      bounds.setHigh(static_cast<unsigned>(k), std::isfinite(limits.upper) ? limits.upper : kPi);
    }
    space_->setBounds(bounds);
  }

  [[nodiscard]] const std::shared_ptr<Space>& space() const { return space_; }
  void fill(const ob::State* state, VecX& q) const {
    for (std::size_t k = 0; k < entries_.size(); ++k)
      q[entries_[k]] = state->as<Space::StateType>()->values[k];
  }
  [[nodiscard]] ob::ScopedState<Space> make_state(const VecX& q) const {
    ob::ScopedState<Space> state(space_);
    for (std::size_t k = 0; k < entries_.size(); ++k)
      state[static_cast<unsigned>(k)] = q[entries_[k]];
    return state;
  }
  [[nodiscard]] const VecX& base() const { return base_; }

 private:
  std::shared_ptr<Space> space_;
  std::vector<int> entries_;
  VecX base_;
};

MatX to_matrix(const og::PathGeometric& path, const ArmSpace& arm) {
  MatX q(arm.base().size(), static_cast<Eigen::Index>(path.getStateCount()));
  VecX column = arm.base();
  for (std::size_t k = 0; k < path.getStateCount(); ++k) {
    arm.fill(path.getState(static_cast<unsigned>(k)), column);
    q.col(static_cast<Eigen::Index>(k)) = column;
  }
  return q;
}

}  // namespace

ArmAnswer solve_classically(const Scene& scene, std::span<const JointId> joints, const VecX& start,
                            const VecX& goal, FclWorld& world, double patience_s,
                            std::uint32_t seed) {
  ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
  // One seed for the process is all that OMPL has; later calls change nothing, so runs of one
  // problem differ by what came before.
  static const bool seeded = (ompl::RNG::setSeed(seed), true);
  static_cast<void>(seeded);
  const ArmSpace arm(scene, joints, start);
  og::SimpleSetup setup(arm.space());
  VecX q = start;
  setup.setStateValidityChecker([&](const ob::State* state) {
    if (!arm.space()->satisfiesBounds(state)) return false;
    arm.fill(state, q);
    return world.is_free(q);
  });
  setup.getSpaceInformation()->setStateValidityCheckingResolution(0.01);
  setup.setPlanner(std::make_shared<og::RRTConnect>(setup.getSpaceInformation()));
  setup.setStartAndGoalStates(arm.make_state(start), arm.make_state(goal));
  setup.setup();

  ArmAnswer answer;
  const double begin = thread_seconds();
  const ob::PlannerStatus status = setup.solve(patience_s);
  answer.plan_s = thread_seconds() - begin;
  answer.solved = status == ob::PlannerStatus::EXACT_SOLUTION;
  if (!answer.solved) return answer;
  const double planned = thread_seconds();
  setup.simplifySolution();
  answer.shorten_s = thread_seconds() - planned;
  answer.length = setup.getSolutionPath().length();
  answer.path = to_matrix(setup.getSolutionPath(), arm);
  return answer;
}

}  // namespace geste::bench

#include "common/ompl_peer.hpp"

#include <ompl/base/PlannerTerminationCondition.h>
#include <ompl/base/ProjectionEvaluator.h>
#include <ompl/base/goals/GoalStates.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SE3StateSpace.h>
#include <ompl/base/spaces/SO2StateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/kpiece/LBKPIECE1.h>
#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/RandomNumbers.h>

#include <stdexcept>

#include "common/report.hpp"

namespace geste::bench {
namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;

/// One subspace per joint, in their order.
ob::StateSpacePtr make_space(const PlanningSpace& space) {
  auto whole = std::make_shared<ob::CompoundStateSpace>();
  for (const PlanningSpace::Item& item : space.items()) {
    const auto& limits = item.joint.limits;
    switch (item.joint.type) {
      case JointType::revolute:
      case JointType::prismatic:
      case JointType::universal: {
        ob::RealVectorBounds bounds(static_cast<unsigned>(item.joint.nq));
        for (unsigned k = 0; k < bounds.low.size(); ++k) {
          bounds.setLow(k, limits[k].lower);
          bounds.setHigh(k, limits[k].upper);
        }
        auto part =
            std::make_shared<ob::RealVectorStateSpace>(static_cast<unsigned>(item.joint.nq));
        part->setBounds(bounds);
        whole->addSubspace(part, 1);
        break;
      }
      case JointType::continuous:
        whole->addSubspace(std::make_shared<ob::SO2StateSpace>(), 1);
        break;
      case JointType::free: {
        ob::RealVectorBounds bounds(3);
        for (unsigned k = 0; k < 3; ++k) {
          bounds.setLow(k, limits[k].lower);
          bounds.setHigh(k, limits[k].upper);
        }
        auto part = std::make_shared<ob::SE3StateSpace>();
        part->setBounds(bounds);
        whole->addSubspace(part, 1);
        break;
      }
      default:
        throw std::runtime_error("no space of OMPL is set up for joint '" + item.joint.name + "'");
    }
  }
  // As a space of this joint alone would have it: planners with grids need one.
  whole->registerDefaultProjection(
      std::make_shared<ob::SubspaceProjectionEvaluator>(whole.get(), 0));
  return whole;
}

void put(const PlanningSpace& space, ConstVecRef x, ob::State* state) {
  auto* whole = state->as<ob::CompoundState>();
  for (std::size_t i = 0; i < space.items().size(); ++i) {
    const PlanningSpace::Item& item = space.items()[i];
    const double* v = x.data() + item.x;
    if (item.joint.type == JointType::continuous) {
      whole->as<ob::SO2StateSpace::StateType>(static_cast<unsigned>(i))->value = v[0];
    } else if (item.joint.type == JointType::free) {
      auto* pose = whole->as<ob::SE3StateSpace::StateType>(static_cast<unsigned>(i));
      pose->setXYZ(v[0], v[1], v[2]);
      pose->rotation().x = v[3];
      pose->rotation().y = v[4];
      pose->rotation().z = v[5];
      pose->rotation().w = v[6];
    } else {
      auto* values = whole->as<ob::RealVectorStateSpace::StateType>(static_cast<unsigned>(i));
      for (int k = 0; k < item.joint.nq; ++k) values->values[k] = v[k];
    }
  }
}

void get(const PlanningSpace& space, const ob::State* state, VecRef x) {
  const auto* whole = state->as<ob::CompoundState>();
  for (std::size_t i = 0; i < space.items().size(); ++i) {
    const PlanningSpace::Item& item = space.items()[i];
    double* v = x.data() + item.x;
    if (item.joint.type == JointType::continuous) {
      v[0] = whole->as<ob::SO2StateSpace::StateType>(static_cast<unsigned>(i))->value;
    } else if (item.joint.type == JointType::free) {
      const auto* pose = whole->as<ob::SE3StateSpace::StateType>(static_cast<unsigned>(i));
      v[0] = pose->getX();
      v[1] = pose->getY();
      v[2] = pose->getZ();
      v[3] = pose->rotation().x;
      v[4] = pose->rotation().y;
      v[5] = pose->rotation().z;
      v[6] = pose->rotation().w;
    } else {
      const auto* values = whole->as<ob::RealVectorStateSpace::StateType>(static_cast<unsigned>(i));
      for (int k = 0; k < item.joint.nq; ++k) v[k] = values->values[k];
    }
  }
}

ob::PlannerPtr make_planner(const std::string& name, const ob::SpaceInformationPtr& si) {
  if (name == "RRTConnect") return std::make_shared<og::RRTConnect>(si);
  if (name == "KPIECE1") return std::make_shared<og::KPIECE1>(si);
  if (name == "LBKPIECE") return std::make_shared<og::LBKPIECE1>(si);
  if (name == "PRM") return std::make_shared<og::PRM>(si);
  throw std::runtime_error("no planner of OMPL is called " + name + " here");
}

/// Asks FCL about states.
class Checker final : public ob::StateValidityChecker {
 public:
  Checker(const ob::SpaceInformationPtr& si, const PlanningSpace& space, FclWorld& world)
      : ob::StateValidityChecker(si), space_(space), world_(world), workspace_(space.scene()) {}

  bool isValid(const ob::State* state) const override {
    if (!si_->satisfiesBounds(state)) return false;
    VecX x(space_.size()), q(space_.scene().nq());
    get(space_, state, x);
    return space_.complete(x, q, workspace_) && world_.is_free(q);
  }

 private:
  const PlanningSpace& space_;
  FclWorld& world_;
  mutable Workspace workspace_;  // OMPL asks a const checker, from one thread here
};

}  // namespace

OmplAnswer plan_with_ompl(const PlanningSpace& space, const PlanningProblem& problem,
                          FclWorld& world, const OmplOptions& options) {
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  ompl::RNG::setSeed(options.seed);
  og::SimpleSetup setup(make_space(space));
  const ob::SpaceInformationPtr& si = setup.getSpaceInformation();
  setup.setStateValidityChecker(std::make_shared<Checker>(si, space, world));
  si->setStateValidityCheckingResolution(options.resolution);
  ob::ScopedState<> start(si);
  put(space, problem.start, start.get());
  setup.setStartState(start);
  auto goals = std::make_shared<ob::GoalStates>(si);
  for (const VecX& goal : problem.goals) {
    ob::ScopedState<> state(si);
    put(space, goal, state.get());
    goals->addState(state);
  }
  setup.setGoal(goals);
  setup.setPlanner(make_planner(options.planner, si));
  setup.setup();

  OmplAnswer answer;
  const double begin = process_seconds();
  const ob::PlannerTerminationCondition is_over(
      [&] { return process_seconds() - begin > options.seconds; });
  answer.found = setup.solve(is_over) == ob::PlannerStatus::EXACT_SOLUTION;
  answer.plan_seconds = process_seconds() - begin;
  if (!answer.found) return answer;
  const double planned = process_seconds();
  if (options.simplify) setup.simplifySolution();
  answer.simplify_seconds = process_seconds() - planned;
  const og::PathGeometric& path = setup.getSolutionPath();
  answer.path.resize(space.size(), static_cast<Eigen::Index>(path.getStateCount()));
  for (std::size_t k = 0; k < path.getStateCount(); ++k)
    get(space, path.getState(static_cast<unsigned>(k)),
        answer.path.col(static_cast<Eigen::Index>(k)));
  return answer;
}

}  // namespace geste::bench

#include "geste/planning/internal/ompl_space.hpp"

#include <ompl/base/ProjectionEvaluator.h>
#include <ompl/base/SpaceInformation.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/model/joint_manifold.hpp"

namespace geste::internal {
namespace {

namespace ob = ompl::base;

/// Draws from a stream of its own.
class OmplSampler final : public ob::StateSampler {
 public:
  OmplSampler(const OmplSpace* space, OmplMeter& meter, const Rng& rng)
      : ob::StateSampler(space), points_(space->world().space), meter_(meter), own_(rng) {}

  void sampleUniform(ob::State* state) override {
    meter_.count();
    points_.sample(own_, point_of(state));
  }
  void sampleUniformNear(ob::State* state, const ob::State* near, double distance) override {
    sampleGaussian(state, near, distance / std::sqrt(points_.dimension()));
  }
  void sampleGaussian(ob::State* state, const ob::State* mean, double deviation) override {
    meter_.count();
    const VecX centre = point_of(mean);
    points_.sample_near(centre, deviation, own_, point_of(state));
  }

 private:
  const PlanningSpace& points_;
  OmplMeter& meter_;
  Rng own_;
};

/// The first entries of a point: where a body is, or the joints that move it farthest.
class OmplProjection final : public ob::ProjectionEvaluator {
 public:
  OmplProjection(const ob::StateSpace* space, unsigned int size)
      : ob::ProjectionEvaluator(space), size_(size) {}

  unsigned int getDimension() const override { return size_; }
  void project(const ob::State* state, Eigen::Ref<Eigen::VectorXd> projection) const override {
    projection = point_of(state).head(static_cast<Eigen::Index>(size_));
  }

 private:
  unsigned int size_;
};

}  // namespace

bool OmplMeter::is_over() {
  if (reason_ != StopReason::none) return true;
  if (++steps_ > budget_.max_steps)
    reason_ = StopReason::steps;
  else if (budget_.cancel.requested())
    reason_ = StopReason::cancelled;
  else if (budget_.deadline && std::chrono::steady_clock::now() >= *budget_.deadline)
    reason_ = StopReason::deadline;
  return reason_ != StopReason::none;
}

OmplSpace::OmplSpace(const PlanningWorld& world, OmplMeter& meter, const Rng& rng)
    : world_(world), meter_(meter), rng_(rng), way_(world.space) {
  setName("geste");
  type_ = ob::STATE_SPACE_UNKNOWN;
}

unsigned int OmplSpace::getDimension() const {
  return static_cast<unsigned int>(world_.space.dimension());
}

double OmplSpace::getMeasure() const {
  return std::pow(world_.space.extent() / std::sqrt(world_.space.dimension()),
                  world_.space.dimension());
}

void OmplSpace::enforceBounds(ob::State* state) const {
  for (const PlanningSpace::Item& item : world_.space.items())
    item.clamp(point_of(state).data() + item.x);
}

bool OmplSpace::satisfiesBounds(const ob::State* state) const {
  return world_.space.measure_excess(point_of(state)) <= 1e-9;
}

void OmplSpace::copyState(ob::State* to, const ob::State* from) const {
  point_of(to) = point_of(from);
}

double OmplSpace::distance(const ob::State* a, const ob::State* b) const {
  return world_.space.distance(point_of(a), point_of(b));
}

bool OmplSpace::equalStates(const ob::State* a, const ob::State* b) const {
  return point_of(a) == point_of(b);
}

double OmplSpace::measure_way(const ob::State* a, const ob::State* b) const {
  const std::lock_guard lock(mutex_);
  return world_.steering.steer(point_of(a), point_of(b), way_) ? measure_length(world_.space, way_)
                                                               : kInfinity;
}

void OmplSpace::interpolate(const ob::State* from, const ob::State* to, double t,
                            ob::State* state) const {
  const PlanningSpace& space = world_.space;
  const std::lock_guard lock(mutex_);
  if (t >= 1 || !world_.steering.steer(point_of(from), point_of(to), way_)) {
    point_of(state) = t >= 1 ? point_of(to) : point_of(from);
    return;
  }
  double left = t * measure_length(space, way_);
  for (int i = 1; i < way_.count(); ++i) {
    const double length = space.distance(way_[i - 1], way_[i]);
    if (left <= length && length > 0) {
      VecX x(space.size());
      space.interpolate(way_[i - 1], way_[i], world_.steering.course(), left / length, x);
      point_of(state) = x;
      return;
    }
    left -= length;
  }
  point_of(state) = way_.back();
}

ob::StateSamplerPtr OmplSpace::allocDefaultStateSampler() const {
  const std::lock_guard lock(mutex_);
  return std::make_shared<OmplSampler>(this, meter_, rng_.split(samplers_++));
}

ob::State* OmplSpace::allocState() const { return new OmplState(world_.space.size()); }

void OmplSpace::freeState(ob::State* state) const { delete static_cast<OmplState*>(state); }

double* OmplSpace::getValueAddressAtIndex(ob::State* state, unsigned int index) const {
  VecX& x = point_of(state);
  return static_cast<Eigen::Index>(index) < x.size() ? x.data() + index : nullptr;
}

void OmplSpace::registerProjections() {
  const auto size = static_cast<unsigned int>(std::min(3, world_.space.size()));
  registerDefaultProjection(std::make_shared<OmplProjection>(this, size));
}

bool OmplProver::isValid(const ob::State* state) const {
  const std::lock_guard lock(mutex_);
  return local_.is_free(point_of(state));
}

bool OmplProver::connects(ConstVecRef a, ConstVecRef b) const {
  const std::lock_guard lock(mutex_);
  const bool is_free = local_.connects(a, b, way_);
  if (!is_free) count_stop(local_, stops_);
  return is_free;
}

double OmplProver::advance(ConstVecRef a, ConstVecRef b, VecX& reached) const {
  const std::lock_guard lock(mutex_);
  const PlanningSpace& space = local_.world().space;
  reached = a;
  if (!local_.world().steering.steer(a, b, way_)) return 0;
  const double whole = measure_length(space, way_);
  if (!(whole > 0)) return 1;
  // In pieces of a twentieth of the extent: OMPL goes on from what was reached.
  if (local_.pursue(a, b, 0.05 * space.extent(), false, way_) == LocalPlanner::Reached::all)
    return 1;
  count_stop(local_, stops_);
  if (way_.count() > 0) reached = way_.back();
  return std::min(1.0, measure_length(space, way_) / whole);
}

bool OmplMotions::checkMotion(const ob::State* a, const ob::State* b) const {
  const bool is_free = prover_.connects(point_of(a), point_of(b));
  ++(is_free ? valid_ : invalid_);
  return is_free;
}

bool OmplMotions::checkMotion(const ob::State* a, const ob::State* b,
                              std::pair<ob::State*, double>& last) const {
  VecX reached;
  const double share = prover_.advance(point_of(a), point_of(b), reached);
  const bool is_free = share >= 1;
  ++(is_free ? valid_ : invalid_);
  if (is_free) return true;
  last.second = share;
  if (last.first) point_of(last.first) = reached;
  return false;
}

OmplLength::OmplLength(const ob::SpaceInformationPtr& si, const OmplSpace& space)
    : ob::OptimizationObjective(si), space_(space) {
  description_ = "length";
  setCostThreshold(infiniteCost());
  // Without it samples of BIT* are held against half of their way.
  setCostToGoHeuristic(ob::goalRegionCostToGo);
}

ob::Cost OmplLength::motionCost(const ob::State* a, const ob::State* b) const {
  return ob::Cost(space_.measure_way(a, b));
}

ob::Cost OmplLength::motionCostHeuristic(const ob::State* a, const ob::State* b) const {
  return ob::Cost(space_.world().steering.lower_bound(point_of(a), point_of(b)));
}

}  // namespace geste::internal

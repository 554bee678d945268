#pragma once

#include <mutex>

#include "geste/planning/local_planner.hpp"
#include "geste/tasks/growth.hpp"

namespace geste::internal {

/// Turns legs into lines that can be looked at: the way of the frame of each actor that planned
/// joints move farthest down its chain.
class GrowthTracer final : public LegSink {
 public:
  GrowthTracer(const PlanningSpace& space, GrowthSink& sink);

  void take(ConstVecRef q0, ConstVecRef q1) override;

 private:
  const Scene& scene_;
  GrowthSink& sink_;
  std::vector<int> movers_;  ///< whose origins are shown
  std::mutex mutex_;
  Workspace workspace_;
  std::vector<Vec3> from_;
};

}  // namespace geste::internal

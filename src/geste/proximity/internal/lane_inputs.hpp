#pragma once

#include "geste/proximity/internal/lane_builder.hpp"
#include "geste/proximity/internal/leg.hpp"

namespace geste {

/// Puts edges and configurations into a rake: floats, and how far they may be off. What is not
/// finite, or beyond 1e6, throws std::invalid_argument.
class LaneInputs {
 public:
  LaneInputs(const Scene& scene, const LaneModel& model);

  /// Between complete configurations; `fill` places its samples.
  void set_edge(ConstVecRef q0, ConstVecRef q1, Course course, internal::Rake& rake);
  /// At shares `s` of the way.
  void fill(const internal::Row& s, internal::Rake& rake) const;
  /// Up to kRake columns.
  void set_points(const Eigen::Ref<const MatX>& q, internal::Rake& rake);

  /// Of the last edge.
  [[nodiscard]] Leg& leg() { return leg_; }
  [[nodiscard]] const Leg& leg() const { return leg_; }

 private:
  void set_pose(int mover, internal::LaneWay::Pose& pose) const;
  void measure_slides();
  void bound_accelerations(internal::Rake& rake) const;
  /// Of a cluster whose joints slide by so much in all.
  [[nodiscard]] static float bound_rounding(const LaneModel::Cluster& cluster, double slid);

  const Scene& scene_;
  const LaneModel& model_;
  Leg leg_;
  internal::LaneWay way_;
  std::vector<double> slides_;  ///< by mover
};

}  // namespace geste

#pragma once

#include "geste/planning/problem.hpp"

namespace geste {

/// Where searches for a way draw their samples: what moves freely is mostly put where it can touch
/// something, or between start and goals. In a large hall nearly all samples would lie where there
/// is nothing to learn.
class SampleRoom {
 public:
  SampleRoom(const PlanningWorld& world, const PlanningProblem& problem);

  /// Within the room; now and then anywhere.
  void sample(Rng& rng, VecRef x) const;
  /// Within the room.
  void sample_inside(Rng& rng, VecRef x) const;
  /// No two points within it are farther apart.
  [[nodiscard]] double extent() const { return extent_; }

 private:
  const PlanningSpace& space_;
  std::vector<Joint> joints_;  ///< the space's, with narrower limits; empty: none is narrower
  double extent_;
};

}  // namespace geste

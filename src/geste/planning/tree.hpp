#pragma once

#include "geste/planning/nearest.hpp"
#include "geste/planning/steering.hpp"

namespace geste {

/// A tree of points, each joined to its parent by one proven leg. Kept by whoever searches: to go
/// on, to draw, to learn how far it came.
class SearchTree {
 public:
  explicit SearchTree(const PlanningSpace& space) : x_(space.size(), 64), nearest_(space) {}

  [[nodiscard]] int size() const { return nearest_.size(); }
  [[nodiscard]] auto operator[](int i) const { return x_.col(i); }
  /// -1: a root.
  [[nodiscard]] int parent(int i) const { return parents_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int find_nearest(ConstVecRef x) { return nearest_.find_nearest(x); }

  /// How far from a point samples may lie that it is grown towards (domain of L. Jaillet,
  /// A. Yershova, S. LaValle, T. Simeon, "Adaptive tuning of the sampling domain for
  /// dynamic-domain RRTs", IROS 2005). Infinite until the first time growing failed there.
  [[nodiscard]] double& domain(int i) { return domains_[static_cast<std::size_t>(i)]; }

  int add(ConstVecRef x, int parent);
  /// Every point of the way but the first, which is `parent`. The last one's number.
  int add(const Way& way, int parent);
  /// From the root to point i.
  [[nodiscard]] std::vector<int> trace(int i) const;
  void clear();

 private:
  MatX x_;
  std::vector<int> parents_;
  std::vector<double> domains_;
  NearestSet nearest_;
};

}  // namespace geste

#pragma once

#include <limits>

#include "geste/planning/internal/nearest_set.hpp"
#include "geste/planning/way.hpp"

namespace geste {

/// Configurations that hang on each other by single legs; roots hang on none. Points that a way
/// only passes through are nodes too, but searches do not find them.
class SearchTree {
 public:
  explicit SearchTree(const PlanningSpace& space)
      : space_(space), features_(static_cast<std::size_t>(space.features())), nearest_(space) {}

  [[nodiscard]] int size() const { return static_cast<int>(nodes_.size()); }
  [[nodiscard]] Eigen::Map<const VecX> q(int node) const {
    const int nq = space_.scene().nq();
    return {values_.data() + static_cast<std::ptrdiff_t>(node) * nq, nq};
  }
  [[nodiscard]] int parent(int node) const { return nodes_[index(node)].parent; }
  /// How far from a node a sample may be that it is grown towards.
  float& domain(int node) { return nodes_[index(node)].domain; }

  int add_root(ConstVecRef q) { return add(q, -1, true); }
  /// The points of a way that begins at `parent`, or ends there; the node at its other end.
  int add_way(const Way& way, bool backward, int parent) {
    const int last = way.points() - 1;
    for (int k = 1; k <= last; ++k)
      parent = add(way.q().col(backward ? last - k : k), parent, k == last);
    return parent;
  }

  [[nodiscard]] NearestSet::Found find_nearest(ConstVecRef q) {
    space_.embed(q, features_);
    NearestSet::Found found = nearest_.find_nearest(features_);
    found.index = found_[index(found.index)];
    return found;
  }
  /// From the root to the node.
  [[nodiscard]] std::vector<int> list_ancestors(int node) const {
    std::vector<int> line;
    for (; node >= 0; node = parent(node)) line.push_back(node);
    return {line.rbegin(), line.rend()};
  }

 private:
  struct Node {
    int parent;
    float domain;
  };
  static std::size_t index(int node) { return static_cast<std::size_t>(node); }

  int add(ConstVecRef q, int parent, bool is_found) {
    nodes_.push_back({parent, std::numeric_limits<float>::infinity()});
    values_.insert(values_.end(), q.data(), q.data() + q.size());
    if (is_found) {
      space_.embed(q, features_);
      nearest_.add(features_);
      found_.push_back(size() - 1);
    }
    return size() - 1;
  }

  const PlanningSpace& space_;
  std::vector<float> features_;
  NearestSet nearest_;
  std::vector<int> found_;  ///< node of each point that searches find
  std::vector<double> values_;
  std::vector<Node> nodes_;
};

}  // namespace geste

#pragma once

#include <array>

#include "geste/core/rng.hpp"
#include "geste/planning/internal/search_tree.hpp"
#include "geste/planning/search.hpp"

namespace geste {

struct RrtConnectOptions {
  /// How far a tree grows in one step, in distances of the space; 0: a share of the space's size.
  double range = 0;
  /// Nodes that were stopped by an obstacle are chosen only for samples within this many ranges,
  /// which shrinks with every failure and grows with every success (A. Yershova, L. Jaillet, T.
  /// Simeon, S. LaValle, "Dynamic-domain RRTs", ICRA 2005; L. Jaillet et al., "Adaptive tuning of
  /// the sampling domain", IROS 2005). 0: no such limit.
  double domain = 8;
};

/// Two trees, rooted at starts and at goals, that grow into the unknown and towards each other:
/// J. Kuffner, S. LaValle, "RRT-Connect", ICRA 2000. The smaller one grows first.
class RrtConnect final : public Search {
 public:
  /// Roots are complete and free.
  RrtConnect(const LocalPlanner& local, const RrtConnectOptions& options, Rng rng);
  void add_start(ConstVecRef q) { trees_[0].add_root(q); }
  void add_goal(ConstVecRef q) { trees_[1].add_root(q); }

  SearchStatus advance(std::uint64_t steps, const CancelToken& cancel) override;
  [[nodiscard]] Way make_way() const override;
  [[nodiscard]] std::uint64_t steps() const override { return steps_; }
  [[nodiscard]] CheckCounts counts() const override { return memory_.counts; }
  [[nodiscard]] const SearchTree& tree(int side) const { return trees_[side == 0 ? 0 : 1]; }

 private:
  struct Join {
    int start_node;
    int goal_node;
  };

  void step();
  /// Grows the tree of `side` from `node` towards q; the new node, or -1.
  int grow(int side, int node, ConstVecRef q, bool& arrived);
  /// Grows the tree of `side` to q as far as it goes; the node at q, or -1.
  int reach_for(int side, ConstVecRef q);

  const LocalPlanner& local_;
  RrtConnectOptions options_;
  Rng rng_;
  LocalPlanner::Memory memory_;
  std::array<SearchTree, 2> trees_;
  Way way_;
  VecX sample_;
  std::optional<Join> join_;
  std::uint64_t steps_ = 0;
};

}  // namespace geste

#include "geste/planning/rrt_connect.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "geste/core/index.hpp"

namespace geste {

RrtConnect::RrtConnect(const LocalPlanner& local, const RrtConnectOptions& options, Rng rng)
    : local_(local),
      options_(options),
      rng_(rng),
      memory_(local),
      trees_{SearchTree(local.space()), SearchTree(local.space())},
      way_(local.space().scene().nq()),
      sample_(local.space().scene().nq()) {
  if (options_.range == 0) options_.range = 0.1 * local.space().size();
}

SearchStatus RrtConnect::advance(std::uint64_t steps, const CancelToken& cancel) {
  if (trees_[0].size() == 0 || trees_[1].size() == 0) return SearchStatus::exhausted;
  for (; steps > 0 && !join_ && !cancel.requested(); --steps) step();
  return join_ ? SearchStatus::found : SearchStatus::open;
}

void RrtConnect::step() {
  ++steps_;
  const int side = trees_[1].size() < trees_[0].size() ? 1 : 0;
  local_.space().sample(rng_, sample_);
  SearchTree& tree = trees_[at(side)];
  const NearestSet::Found near = tree.find_nearest(sample_);
  if (near.distance > tree.domain(near.index)) return;

  bool arrived = false;
  const int node = grow(side, near.index, sample_, arrived);
  // A node at the border of the free space is asked less and less often for what lies far away.
  constexpr float kGrowth = 1.1f;
  const auto range = static_cast<float>(options_.range);
  float& domain = tree.domain(near.index);
  if (node < 0) {
    if (options_.domain > 0)
      domain = std::isinf(domain) ? static_cast<float>(options_.domain) * range
                                  : std::max(domain / kGrowth, range);
    return;
  }
  domain *= kGrowth;
  const int other = reach_for(1 - side, tree.q(node));
  if (other >= 0) join_ = side == 0 ? Join{node, other} : Join{other, node};
}

int RrtConnect::grow(int side, int node, ConstVecRef q, bool& arrived) {
  const LocalPlanner::Reach reach =
      local_.extend(trees_[at(side)].q(node), q, options_.range, side == 1, way_, memory_);
  arrived = reach == LocalPlanner::Reach::all;
  if (reach == LocalPlanner::Reach::none) return -1;
  return trees_[at(side)].add_way(way_, side == 1, node);
}

int RrtConnect::reach_for(int side, ConstVecRef target) {
  const VecX q = target;
  int node = trees_[at(side)].find_nearest(q).index;
  for (bool arrived = false; node >= 0 && !arrived;) {
    node = grow(side, node, q, arrived);
    if (arrived) return node;
  }
  return -1;
}

Way RrtConnect::make_way() const {
  if (!join_) throw std::logic_error("RrtConnect::make_way: nothing was found");
  Way way(local_.space().scene().nq(), way_.course());
  for (const int node : trees_[0].list_ancestors(join_->start_node)) way.add(trees_[0].q(node));
  // Both trees have a node where they met.
  for (int node = trees_[1].parent(join_->goal_node); node >= 0; node = trees_[1].parent(node))
    way.add(trees_[1].q(node));
  return way;
}

}  // namespace geste

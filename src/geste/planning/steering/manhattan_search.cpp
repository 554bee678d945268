#include "geste/planning/steering/manhattan_search.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "geste/core/index.hpp"

namespace geste {
namespace {

using ManhattanOrder = std::vector<ManhattanMove>;

/// Whether there are no more orders of n moves than `most`.
bool are_orders_few(std::size_t n, int most) {
  double count = 1;
  for (std::size_t k = 2; k <= n; ++k) count *= static_cast<double>(k);
  return count <= most;
}

/// Goes deep first through the sets of moves that are done; each set is left once.
class ManhattanSearch {
 public:
  ManhattanSearch(ConstVecRef a, ConstVecRef b, LocalPlanner& local, const Budget& budget, Way& way)
      : b_(b), local_(local), meter_(budget), way_(way) {
    for (const ManhattanMove& move : make_manhattan_moves(local.world().space))
      if (a.segment(move.entry, move.count) != b.segment(move.entry, move.count))
        moves_.push_back(move);
    way_.clear();
    way_.add(a);
  }

  bool run() {
    if (moves_.empty()) way_.add(b_);
    return moves_.size() <= 62 && go_on(0);
  }

 private:
  bool go_on(std::uint64_t done) {
    if (done == (std::uint64_t{1} << moves_.size()) - 1) return true;
    const int here = way_.count();
    for (std::size_t k = 0; k < moves_.size(); ++k) {
      const std::uint64_t next = done | std::uint64_t{1} << k;
      if (next == done || reached_.contains(next)) continue;
      if (!meter_.spend()) return false;
      if (move(moves_[k])) {
        reached_.insert(next);
        if (go_on(next)) return true;
      }
      way_.cut(here);
    }
    return false;
  }

  bool move(const ManhattanMove& m) {
    const VecX x = way_.back();
    auto next = way_.add();
    next = x;
    next.segment(m.entry, m.count) = b_.segment(m.entry, m.count);
    return local_.is_leg_free(x, next);
  }

  ConstVecRef b_;
  LocalPlanner& local_;
  BudgetMeter meter_;
  Way& way_;
  ManhattanOrder moves_;
  std::unordered_set<std::uint64_t> reached_;
};

}  // namespace

std::vector<ManhattanOrder> make_manhattan_orders(const PlanningSpace& space, int most, Rng& rng) {
  ManhattanOrder order = make_manhattan_moves(space);
  std::vector<ManhattanOrder> orders;
  if (are_orders_few(order.size(), most)) {
    do orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    return orders;
  }
  std::set<ManhattanOrder> known;
  const auto add = [&] {
    if (static_cast<int>(orders.size()) < most && known.insert(order).second)
      orders.push_back(order);
  };
  add();
  std::reverse(order.begin(), order.end());
  add();
  while (static_cast<int>(orders.size()) < most) {
    for (std::size_t k = order.size() - 1; k > 0; --k)
      std::swap(order[k], order[at(static_cast<int>(rng.integer(0, static_cast<int>(k))))]);
    add();
  }
  return orders;
}

bool find_manhattan_way(ConstVecRef a, ConstVecRef b, LocalPlanner& local, const Budget& budget,
                        Way& way) {
  return ManhattanSearch(a, b, local, budget, way).run();
}

}  // namespace geste

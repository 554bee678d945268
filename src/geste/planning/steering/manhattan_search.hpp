#pragma once

#include "geste/core/budget.hpp"
#include "geste/core/rng.hpp"
#include "geste/planning/local_planner.hpp"
#include "geste/planning/steering/manhattan.hpp"

namespace geste {

/// Different orders of a space's moves: all of them, smallest first, where they are not more than
/// `most`; otherwise that many, the plain one and its reverse first, then drawn.
std::vector<std::vector<ManhattanMove>> make_manhattan_orders(const PlanningSpace& space, int most,
                                                              Rng& rng);

/// Looks for an order of moves from a to b whose legs are all proven free. Where one stands after
/// some moves depends on which they were, not on their order: so of n moves, whose orders are n!,
/// at most n 2^(n-1) legs are asked about. A step is a leg; true: the way is in `way`. Moves that
/// change nothing are left out; more than 62 are not searched. The world's steering goes straight.
bool find_manhattan_way(ConstVecRef a, ConstVecRef b, LocalPlanner& local, const Budget& budget,
                        Way& way);

}  // namespace geste

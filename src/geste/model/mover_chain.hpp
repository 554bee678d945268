#pragma once

#include <vector>

#include "geste/model/scene.hpp"

namespace geste {

/// Climbs from two movers to the lowest one above both, which it returns: visit(mover, is_above_a)
/// for every mover on the way whose joint moves one against the other. Those above b come from b
/// upwards, and so do those above a, the two mixed.
template <class Visit>
int climb_to_common(const std::vector<Mover>& movers, int a, int b, Visit visit) {
  // Parents come before their children.
  while (a != b) {
    const bool is_above_a = a > b;
    int& lower = is_above_a ? a : b;
    visit(lower, is_above_a);
    lower = movers[static_cast<std::size_t>(lower)].parent;
  }
  return a;
}

}  // namespace geste

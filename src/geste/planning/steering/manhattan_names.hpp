#pragma once

#include <string>

#include "geste/planning/steering/manhattan.hpp"

namespace geste {

/// A move as people call it: by its joint, and where that has several by what moves as well
/// ("cart/root.x", "cart/root.angle", "part/root.rotation").
std::string name_move(const PlanningSpace& space, const ManhattanMove& move);

/// The moves of a space in the order of their names. The actor may be left out of a name where one
/// joint alone is meant; a joint without a move stands for all its moves that are not named. The
/// error lists names that are not known, come twice or are missing.
Result<std::vector<ManhattanMove>> find_manhattan_order(const PlanningSpace& space,
                                                        std::span<const std::string> names);

}  // namespace geste

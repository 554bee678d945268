#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geste/math/types.hpp"

namespace geste::studio {

/// Pose as viewers get it: x, y, z, qx, qy, qz, qw.
using Placement = std::array<float, 7>;

/// The world at one moment: made by the engine, never changed, shared by all who look at it.
struct Snapshot {
  std::uint64_t seq = 0;
  VecX q;
  std::vector<Placement> movers;
};

}  // namespace geste::studio

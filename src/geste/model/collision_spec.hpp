#pragma once

#include "geste/geometry/box.hpp"
#include "geste/model/scene_spec.hpp"

namespace geste {

// What people ask of collision checking, by name: of bodies, or of actors, who stand for all their
// bodies. Plain data; CollisionModel::make finds every fault.

/// How near two may come.
struct PairMargin {
  std::string a{};
  std::string b{};    ///< empty: everything else
  double margin = 0;  ///< m; of several that fit a pair the largest counts
  Source source{};
};

/// These may touch.
struct PairAllowance {
  std::string a{};
  std::string b{};
  Source source{};
};

/// Where something stays while it moves, as its user knows: obstacles outside are left out (MV-7).
/// Of several areas it is in one or another.
struct MotionArea {
  std::string mover{};  ///< empty: everything that moves
  AxisBox box{};        ///< in the world
  Source source{};
};

struct CollisionSpec {
  double margin = 0;  ///< m: whoever comes nearer counts as colliding, an actor's own bodies aside
  std::vector<PairMargin> margins{};
  std::vector<PairAllowance> allowed{};
  std::vector<MotionArea> areas{};
};

}  // namespace geste

#pragma once

#include <string>
#include <vector>

#include "geste/core/budget.hpp"
#include "geste/geometry/box.hpp"

namespace geste {

// Names are those of bodies or of actors, who stand for all their bodies.

/// How near two may come.
struct PairMargin {
  std::string a{};
  std::string b{};    ///< empty: everything else
  double margin = 0;  ///< m; the largest that fits a pair counts
};

/// These may touch.
struct PairAllowance {
  std::string a{};
  std::string b{};
};

/// Where a mover stays, as its user knows: obstacles outside are left out.
struct MotionArea {
  std::string mover{};  ///< empty: everything that moves
  AxisBox box{};        ///< in the world
};

/// Which pairs of an actor's own bodies can collide is found out by trying, where no SRDF says it.
struct SurveyOptions {
  int samples = 1000;        ///< random configurations within the limits; 0: none
  double confidence = 0.95;  ///< of what the survey says about configurations it did not see
  std::uint64_t seed = 1;
  /// Leave out pairs that touched in no sample. Off, because that is no proof.
  bool trust_never = false;

  friend bool operator==(const SurveyOptions&, const SurveyOptions&) = default;
};

struct CollisionOptions {
  double margin = 0;  ///< m: whoever comes nearer counts as colliding
  std::vector<PairMargin> margins{};
  std::vector<PairAllowance> allowed{};
  std::vector<MotionArea> areas{};
  bool use_reach = true;     ///< leave out pairs that cannot meet within the joints' limits (MV-7)
  bool split = true;         ///< meshes whose pieces lie apart become several objects (MV-8)
  bool check_fixed = false;  ///< also pairs that never move against each other
  SurveyOptions survey{};
  int threads = 0;  ///< for preparing meshes; 0: all cores
  CancelToken cancel{};
};

}  // namespace geste

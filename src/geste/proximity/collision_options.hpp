#pragma once

#include <cstdint>

#include "geste/core/budget.hpp"
#include "geste/model/collision_spec.hpp"

namespace geste {

/// Which pairs of an actor's own bodies can collide is found out by trying, where no SRDF says it.
struct SurveyOptions {
  int samples = 1000;        ///< random configurations within the limits; 0: none
  double confidence = 0.95;  ///< of what the survey says about configurations it did not see
  std::uint64_t seed = 1;
  /// Leave out pairs that touched in no sample. Off, because that is no proof.
  bool trust_never = false;
};

struct CollisionOptions : CollisionSpec {
  bool use_reach = true;     ///< leave out pairs that cannot meet within the joints' limits (MV-7)
  bool split = true;         ///< meshes whose pieces lie apart become several objects (MV-8)
  bool check_fixed = false;  ///< also pairs that never move against each other
  SurveyOptions survey{};
  int threads = 0;  ///< for preparing meshes; 0: all cores
  CancelToken cancel{};
};

}  // namespace geste

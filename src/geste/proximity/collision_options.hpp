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

/// m; what is nearer than its margin and this touches. One resolution for all: planners keep three
/// times as much clear (CollisionOptions::reserve of two, and what their proofs leave open), a
/// certificate proves more than this, and the verifier refuses this and less. So none of them can
/// refuse what the one before it proved.
inline constexpr double kTouch = 5e-6;

struct CollisionOptions : CollisionSpec {
  double reserve = 0;        ///< m; kept beyond every margin, between an actor's own bodies too
  bool use_reach = true;     ///< leave out pairs that cannot meet within the joints' limits (MV-7)
  bool split = true;         ///< meshes whose pieces lie apart become several objects (MV-8)
  bool check_fixed = false;  ///< also pairs that never move against each other
  SurveyOptions survey{};
  int threads = 0;  ///< for preparing meshes; 0: all cores
  CancelToken cancel{};
};

}  // namespace geste

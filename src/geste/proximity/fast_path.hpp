#pragma once

#include "geste/core/result.hpp"
#include "geste/proximity/validator.hpp"

namespace geste {

/// How many edges the fast stages of a validator decide, and which pairs keep the exact stage busy.
struct FastPathReport {
  int edges = 0;        ///< looked at; 0: none could be drawn
  double fraction = 1;  ///< of them that the fast stages decided
  struct Pair {
    BodyId a, b;
    double fraction = 0;  ///< of the exact stage's intervals
  };
  std::vector<Pair> costliest;  ///< up to three, the costliest first
};

/// Random edges of 1 rad (or m) of the joints from free configurations, all else as in q. Joints
/// without finite limits cannot be drawn; continuous ones can. Always the same edges.
FastPathReport measure_fast_path(const Scene& scene, const Validator& validator,
                                 std::span<const JointId> joints, ConstVecRef q);

/// "60 % of random motions are decided by the fast stages; most exact work: a - b (70 %), ..."
std::string to_text(const Scene& scene, const FastPathReport& report);

/// What people are told of a mechanism that the fast stages do not serve; nothing where they do.
std::optional<Note> explain_slow_path(const Scene& scene, const FastPathReport& report);

}  // namespace geste

#pragma once

#include "geste/core/budget.hpp"
#include "geste/model/stray.hpp"
#include "geste/proximity/internal/verify_rates.hpp"

namespace geste::internal {

/// How far every joint of a mechanism that stays closed may be from where a motion has it between
/// its moments (stray.hpp), the most of all legs.
struct VerifyStrays {
  std::vector<JointRate> joints;  ///< by mover, with the longest arm of the motion; empty: none
  std::optional<StrayBound::Failure> broken;  ///< at: s
};

VerifyStrays measure_strays(const Scene& scene, const JointMotion& motion,
                            const CancelToken& cancel);

/// How far any point of the ball may be from where the motion has it, seen from the mover `above`:
/// the chain between them stretched out.
double bound_stray(const Scene& scene, std::span<const JointRate> strays, const Ball& ball,
                   int above);

}  // namespace geste::internal

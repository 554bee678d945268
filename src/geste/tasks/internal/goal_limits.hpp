#pragma once

#include "geste/core/error.hpp"
#include "geste/model/scene.hpp"

namespace geste::internal {

/// Values that people copied with few digits lie beyond a limit by rounding: independent joints
/// that do so by no more than 1e-4 rad or 1e-5 m are set to it, each with a note
/// "plan.goal_rounded".
void clamp_rounding(const Scene& scene, VecX& q, Notes& notes);

}  // namespace geste::internal

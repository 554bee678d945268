#pragma once

#include <string>

#include "geste/core/budget.hpp"
#include "geste/model/motion.hpp"

namespace geste {

/// A stored motion as places of movers and values of joints, for the report and the studio
/// (docs/design/scene-pack.md). Rounded to 1 um and 1e-6 rad. The same motion gives the same bytes.
/// A step of the budget is a frame or a mover; empty when it ended before. A motion without moments
/// throws std::invalid_argument.
std::string make_track_pack(const Scene& scene, const JointMotion& motion,
                            const Budget& budget = {});

}  // namespace geste

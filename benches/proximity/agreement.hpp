#pragma once

#include "proximity/meshes.hpp"

namespace geste::bench {

/// Holds geste's word on touching against FCL's at `poses` poses, half of them near contact, spread
/// over the cases, and prints how often they differ. Where they do, the surfaces must be within
/// 1e-9 m of contact by geste's distance, or by FCL's; returns how many differences that does not
/// explain.
long compare_touch(const std::vector<MeshCase>& cases, long poses);

}  // namespace geste::bench

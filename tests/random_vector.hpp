#pragma once

#include "geste/core/rng.hpp"
#include "geste/math/types.hpp"

namespace geste::testing {

inline Vec3 random_vector(Rng& rng) { return {rng.normal(), rng.normal(), rng.normal()}; }

}  // namespace geste::testing

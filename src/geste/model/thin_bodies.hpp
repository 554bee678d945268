#pragma once

#include <span>

#include "geste/model/scene_spec.hpp"

namespace geste {

/// Makes the collision shapes of these bodies thinner by `by`, m, on every side
/// (geometry/thin_shape.hpp); what is seen stays. Where nothing is left of a shape it collides with
/// nothing any more. Names that are not there are left out.
void make_thinner(SceneSpec& spec, std::span<const std::string> bodies, double by);

/// The same by a share of their thickness.
void make_slimmer(SceneSpec& spec, std::span<const std::string> bodies, double share);

}  // namespace geste

#pragma once

#include "geste/formats/result_files.hpp"
#include "geste/planning/space.hpp"

namespace geste::internal {

/// The space that what is planned passes through in the motion of a result, from its collision
/// shapes, into `result` (MV-11). A cell is a hundredth of the longest edge. A loose part is in it
/// at every moment; other bodies at every moment that is stored.
void add_swept(const Scene& scene, const PlanningSpace& space, TaskResult& result);

}  // namespace geste::internal

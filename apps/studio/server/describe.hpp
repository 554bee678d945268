#pragma once

#include "geste/formats/task_scene.hpp"

#include "studio/server/json.hpp"
#include "studio/server/snapshot.hpp"

namespace geste::studio {

/// The joints of `hello`: those that have entries in the configuration.
Json describe_joints(const Scene& scene);

/// What is known of a body: [[label, text], ...].
Json describe_body(const Scene& scene, BodyId body, const Snapshot& now);

}  // namespace geste::studio

#pragma once

#include <string>

#include "geste/formats/part.hpp"
#include "geste/model/scene.hpp"

namespace geste {

/// Everything that is drawn of a scene, for the report and the studio: the tree of actors and
/// bodies, and each distinct shape once, rounded, compressed and in levels of detail. The format is
/// in docs/design/scene-pack.md. `start` (complete) says where movers are at first. The same scene
/// gives the same bytes.
/// `assemblies` adds the sub-assemblies that bodies stand in.
std::string make_scene_pack(const Scene& scene, ConstVecRef start,
                            const BodyAssemblies& assemblies = {});

}  // namespace geste

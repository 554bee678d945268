#pragma once

#include <functional>

#include "geste/geometry/surface_spans.hpp"
#include "geste/proximity/collision_model.hpp"

namespace geste {

/// Where a scene is narrow, of what moves together and of all else.
struct SceneSpans {
  SurfaceSpans mine;    ///< in the frame of the mover that carries it
  SurfaceSpans theirs;  ///< in the world
};

/// With movers at X_WM, of which `is_mine` go with `carrier`. No span is much longer than what
/// moves is large, from corner to corner. Nothing where one side has no shapes, where something is
/// too far away for rays (RayScene::kLargest), and where there are so many triangles that it would
/// take seconds.
SceneSpans find_scene_spans(const Scene& scene, const CollisionModel& model,
                            std::span<const Pose> X_WM, int carrier,
                            const std::function<bool(int)>& is_mine, Rng& rng);

}  // namespace geste

#include "geste/proximity/scene_spans.hpp"

#include <algorithm>

#include "geste/core/index.hpp"
#include "geste/geometry/placed_box.hpp"

namespace geste {
namespace {

/// Of one side.
constexpr int kRays = 4000;

/// What a primitive counts.
constexpr std::size_t kMostTriangles = 4'000'000, kPrimitive = 1000;

}  // namespace

SceneSpans find_scene_spans(const Scene& scene, const CollisionModel& model,
                            std::span<const Pose> X_WM, int carrier,
                            const std::function<bool(int)>& is_mine, Rng& rng) {
  const Pose X_CW = X_WM[at(carrier)].inverse();
  std::vector<PlacedShape> mine, theirs;
  AxisBox box;
  double farthest = 0;  // m, of what rays are asked about
  std::size_t triangles = 0;
  for (const CollisionObject& o : model.objects()) {
    const bool moves = is_mine(o.mover);
    const Pose X_WO = X_WM[at(o.mover)] * o.X_MO, X_FO = moves ? X_CW * X_WO : X_WO;
    const AxisBox& local = o.collider.box();
    if (moves) box.add(place_box(X_FO, local));
    farthest = std::max(farthest, X_FO.p.norm() + std::max(local.min.norm(), local.max.norm()));
    triangles += o.collider.mesh() ? o.collider.mesh()->mesh().triangles.size() : kPrimitive;
    // Pieces share the geometry they are of.
    if (o.piece > 0) continue;
    (moves ? mine : theirs).push_back({scene.geometry()[at(o.geometry)].shape, X_FO});
  }
  if (mine.empty() || theirs.empty() || triangles > kMostTriangles) return {};
  const double size = box.size().norm();
  if (!(farthest + 2 * size < RayScene::kLargest)) return {};
  SceneSpans spans;
  spans.mine = find_spans(mine, size, kRays, rng);
  spans.theirs = find_spans(theirs, size, kRays, rng);
  return spans;
}

}  // namespace geste

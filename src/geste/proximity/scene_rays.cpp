#include "geste/proximity/scene_rays.hpp"

#include <algorithm>

namespace geste {

std::vector<SceneRays::Item> SceneRays::collect(const Scene& scene) {
  std::vector<Item> items;
  for (std::size_t b = 0; b < scene.bodies().size(); ++b) {
    const Body& body = scene.bodies()[b];
    const auto is_visual = [&](int g) {
      return scene.geometry()[static_cast<std::size_t>(g)].visual;
    };
    const bool visible = std::any_of(body.geometry.begin(), body.geometry.end(), is_visual);
    for (const int g : body.geometry) {
      if (visible && !is_visual(g)) continue;
      items.push_back({g, BodyId(b), body.mover,
                       body.X_MB * scene.geometry()[static_cast<std::size_t>(g)].X_BG});
    }
  }
  return items;
}

RayScene SceneRays::make_rays(const Scene& scene, const std::vector<Item>& items) {
  std::vector<PlacedShape> shapes;
  for (const Item& i : items)
    shapes.push_back({scene.geometry()[static_cast<std::size_t>(i.geometry)].shape, i.X_MS});
  return RayScene(shapes);
}

SceneRays::SceneRays(const Scene& scene, const Workspace& workspace)
    : items_(collect(scene)), rays_(make_rays(scene, items_)) {
  place(workspace);
}

void SceneRays::place(const Workspace& workspace) {
  for (std::size_t i = 0; i < items_.size(); ++i)
    rays_.set_pose(i, workspace.X_WM()[static_cast<std::size_t>(items_[i].mover)] * items_[i].X_MS);
  rays_.commit();
}

std::vector<std::uint8_t> SceneRays::make_mask(std::span<const BodyId> ignored) const {
  std::vector<std::uint8_t> mask;
  for (const Item& i : items_)
    mask.push_back(std::find(ignored.begin(), ignored.end(), i.body) != ignored.end());
  return mask;
}

std::optional<SceneHit> find_first_part(const SceneRays& rays, const Vec3& from, const Vec3& to,
                                        IgnoredShapes ignored) {
  const auto hit = find_first_hit(rays.rays(), from, to, ignored);
  if (!hit) return std::nullopt;
  return SceneHit{rays.body(hit->shape), rays.geometry(hit->shape), *hit};
}

SceneSight compute_scene_sight(const SceneRays& rays, const SightCone& cone,
                               const SightOptions& options, IgnoredShapes ignored) {
  Sight sight;
  compute_sight(rays.rays(), cone, options, ignored, sight);
  SceneSight out{sight.seen, sight.facing, {}};
  for (const Sight::Blocker& b : sight.blockers) {
    const BodyId body = rays.body(b.shape);
    const auto known = std::find_if(out.blockers.begin(), out.blockers.end(),
                                    [&](const SceneSight::Blocker& x) { return x.body == body; });
    if (known == out.blockers.end()) {
      out.blockers.push_back({body, b.share});
    } else {
      known->share += b.share;
    }
  }
  std::stable_sort(out.blockers.begin(), out.blockers.end(),
                   [](const auto& x, const auto& y) { return x.share > y.share; });
  return out;
}

}  // namespace geste

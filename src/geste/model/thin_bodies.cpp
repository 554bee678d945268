#include "geste/model/thin_bodies.hpp"

#include <algorithm>

#include "geste/geometry/thin_shape.hpp"

namespace geste {
namespace {

/// The shape stays to be looked at; a thinner one beside it collides.
void make_thinner(BodySpec& body, double by) {
  const std::size_t count = body.geometry.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!body.geometry[i].collision) continue;
    const std::optional<ThinShape> thin = make_thinner(body.geometry[i].shape, by);
    GeometrySpec& whole = body.geometry[i];
    whole.collision = false;
    if (!thin) continue;
    GeometrySpec inner = whole;
    inner.shape = thin->shape;
    inner.X_BG = whole.X_BG * thin->X_ST;
    inner.visual = false;
    inner.collision = true;
    body.geometry.push_back(std::move(inner));
  }
  std::erase_if(body.geometry, [](const GeometrySpec& g) { return !g.visual && !g.collision; });
}

}  // namespace

void make_thinner(SceneSpec& spec, std::span<const std::string> bodies, double by) {
  if (by == 0) return;
  for (BodySpec& body : spec.bodies) {
    if (std::find(bodies.begin(), bodies.end(), body.name) != bodies.end()) make_thinner(body, by);
  }
}

}  // namespace geste

#include "geste/model/thin_bodies.hpp"

#include <algorithm>
#include <functional>

#include "geste/geometry/thin_shape.hpp"

namespace geste {
namespace {

using MakeThin = std::function<std::optional<ThinShape>(const Shape&)>;

/// The shape stays to be looked at; a thinner one beside it collides.
void replace_shapes(BodySpec& body, const MakeThin& make) {
  const std::size_t count = body.geometry.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!body.geometry[i].collision) continue;
    const std::optional<ThinShape> thin = make(body.geometry[i].shape);
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

void replace_shapes(SceneSpec& spec, std::span<const std::string> bodies, const MakeThin& make) {
  for (BodySpec& body : spec.bodies) {
    if (std::find(bodies.begin(), bodies.end(), body.name) != bodies.end())
      replace_shapes(body, make);
  }
}

}  // namespace

void make_thinner(SceneSpec& spec, std::span<const std::string> bodies, double by) {
  if (by == 0) return;
  replace_shapes(spec, bodies, [&](const Shape& shape) { return make_thinner(shape, by); });
}

void make_slimmer(SceneSpec& spec, std::span<const std::string> bodies, double share) {
  if (share == 0) return;
  replace_shapes(spec, bodies, [&](const Shape& shape) { return make_slimmer(shape, share); });
}

}  // namespace geste

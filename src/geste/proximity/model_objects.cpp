#include <stdexcept>

#include "geste/core/parallel.hpp"
#include "geste/geometry/mesh_pieces.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/proximity/internal/model_builder.hpp"

namespace geste {
namespace {

const MeshShape* find_mesh(const Geometry& geometry) {
  return geometry.collision ? std::get_if<MeshShape>(&geometry.shape) : nullptr;
}

}  // namespace

void CollisionModelBuilder::prepare_meshes() {
  auto prepared = std::make_shared<PreparedMeshes>();
  std::vector<PreparedMeshes::Item*> open;
  for (const Geometry& g : scene_.geometry()) {
    const MeshShape* mesh = find_mesh(g);
    if (!mesh || prepared->items.contains(mesh->get())) continue;
    PreparedMeshes::Item& item = prepared->items[mesh->get()];
    item.mesh = *mesh;
    if (previous_ && previous_->options_.split == options_.split) {
      const auto& old = previous_->prepared_->items;
      if (const auto found = old.find(mesh->get()); found != old.end()) {
        item = found->second;
        continue;
      }
    }
    open.push_back(&item);
  }
  const bool complete =
      parallel_for(open.size(), options_.threads, options_.cancel, [&](std::size_t i) {
        const MeshShape& mesh = open[i]->mesh;
        const auto parts = options_.split ? split_by_place(mesh) : std::vector<MeshShape>{mesh};
        for (const MeshShape& part : parts) open[i]->pieces.emplace_back(part);
      });
  if (!complete)
    faults_.push_back({.code = "cancelled", .message = "preparing meshes was cancelled"});
  model_.prepared_ = std::move(prepared);
}

void CollisionModelBuilder::add_objects() {
  objects_of_body_.resize(scene_.bodies().size());
  for (std::size_t b = 0; b < scene_.bodies().size(); ++b) {
    const Body& body = scene_.bodies()[b];
    for (const int index : body.geometry) {
      const Geometry& g = scene_.geometry()[static_cast<std::size_t>(index)];
      if (!g.collision) continue;
      const MeshShape* mesh = find_mesh(g);
      const std::vector<Collider> pieces = mesh ? model_.prepared_->items.at(mesh->get()).pieces
                                                : std::vector<Collider>{Collider(g.shape)};
      for (std::size_t k = 0; k < pieces.size(); ++k) {
        objects_of_body_[b].push_back(static_cast<int>(model_.objects_.size()));
        model_.objects_.push_back({index, static_cast<int>(k), static_cast<int>(pieces.size()),
                                   BodyId(b), body.mover, body.X_MB * g.X_BG, pieces[k]});
      }
    }
    if (!objects_of_body_[b].empty()) with_objects_.emplace_back(b);
  }
}

void CollisionModelBuilder::place_fixed() {
  for (std::size_t i = 0; i < model_.objects_.size(); ++i) {
    CollisionObject& o = model_.objects_[i];
    if (moves(o.body)) {
      model_.moving_.push_back(static_cast<int>(i));
      continue;
    }
    // Whoever is carried by the world is of the world.
    for (; o.mover != 0; o.mover = scene_.movers()[static_cast<std::size_t>(o.mover)].parent)
      o.X_MO = scene_.movers()[static_cast<std::size_t>(o.mover)].X_PJ * o.X_MO;
    model_.fixed_.insert(place_box(o.X_MO, o.collider.box()), static_cast<int>(i));
  }
}

}  // namespace geste

#include "geste/planning/changed_world.hpp"

#include <algorithm>

#include "geste/model/thin_bodies.hpp"

namespace geste {
namespace {

Scene make_scene(const PlanningSpace& space, const CollisionModel& model, double thinner) {
  const Scene& scene = space.scene();
  if (thinner == 0) return scene;
  std::vector<std::string> names;
  for (const BodyId body : list_moved_bodies(space, model)) names.push_back(scene.body(body).name);
  SceneSpec spec = scene.spec();
  make_thinner(spec, names, thinner);
  return Scene::compile(std::move(spec)).value();
}

CollisionModel make_model(const Scene& scene, const PlanningSpace& space,
                          const CollisionModel& model, CollisionOptions options,
                          const WorldChange& change) {
  for (const BodyId moved : list_moved_bodies(space, model)) {
    for (const BodyId other : change.without)
      options.allowed.push_back({scene.body(moved).name, scene.body(other).name, {}});
  }
  return CollisionModel::make(scene, options, &model).value();
}

}  // namespace

ChangedWorld::ChangedWorld(const PlanningWorld& original, const CollisionModel& model,
                           const CollisionOptions& options, const WorldChange& change)
    : original_(original),
      scene_(make_scene(original.space, model, change.thinner)),
      model_(make_model(scene_, original.space, model, options, change)),
      threads_(options.threads) {}

PlanningWorld ChangedWorld::world() {
  if (!validator_)
    validator_.emplace(scene_, model_, ValidatorOptions{.threads = threads_}, &original_.validator);
  return {original_.space, original_.steering, *validator_};
}

std::vector<BodyId> list_moved_bodies(const PlanningSpace& space, const CollisionModel& model) {
  std::vector<BodyId> bodies;
  for (const CollisionObject& o : model.objects()) {
    const bool is_new = bodies.empty() || bodies.back() != o.body;
    if (is_new && space.moves(o.mover)) bodies.push_back(o.body);
  }
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

}  // namespace geste

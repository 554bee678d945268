#include "geste/planning/changed_world.hpp"

#include <algorithm>

#include "geste/model/thin_bodies.hpp"

namespace geste {
namespace {

Scene make_scene(const PlanningWorld& world, const WorldChange& change) {
  const Scene& scene = world.space.scene();
  if (change.thinner == 0 && change.slimmer == 0) return scene;
  std::vector<std::string> names;
  for (const BodyId body : list_moved_bodies(world.space, world.validator.model()))
    names.push_back(scene.body(body).name);
  SceneSpec spec = scene.spec();
  make_thinner(spec, names, change.thinner);
  make_slimmer(spec, names, change.slimmer);
  return Scene::compile(std::move(spec)).value();
}

CollisionModel make_model(const Scene& scene, const PlanningWorld& world,
                          const WorldChange& change) {
  const CollisionModel& model = world.validator.model();
  CollisionOptions options = model.options();
  for (const BodyId moved : list_moved_bodies(world.space, model)) {
    for (const BodyId other : change.without)
      options.allowed.push_back({scene.body(moved).name, scene.body(other).name, {}});
  }
  return CollisionModel::make(scene, options, &model).value();
}

}  // namespace

ChangedWorld::ChangedWorld(const PlanningWorld& original, const WorldChange& change)
    : original_(original),
      scene_(make_scene(original, change)),
      model_(make_model(scene_, original, change)) {}

PlanningWorld ChangedWorld::world() {
  if (!validator_)
    validator_.emplace(scene_, model_, ValidatorOptions{.threads = model_.options().threads},
                       &original_.validator);
  return {original_.space, original_.steering, *validator_};
}

SlimWorld::SlimWorld(const PlanningWorld& original, double slimness)
    : changed_(slimness > 0 ? std::make_unique<ChangedWorld>(original, WorldChange{{}, 0, slimness})
                            : nullptr),
      local_(std::make_unique<LocalPlanner>(changed_ ? changed_->world() : original)) {}

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

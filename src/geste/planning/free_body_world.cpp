#include "geste/planning/free_body_world.hpp"

#include "geste/core/index.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"

namespace geste {
namespace {

/// A body that nothing else is named like.
std::string find_root_name(const Scene& scene) {
  std::string name = "free body";
  while (scene.find_body(name)) name += "'";
  return name;
}

Workspace place_all(const Scene& scene, ConstVecRef q) {
  Workspace workspace(scene);
  compute_kinematics(scene, q, workspace);
  return workspace;
}

/// The middle of what hangs on a link, in the link's frame and axes.
Pose find_middle(const PlanningWorld& world, int link, const Workspace& workspace) {
  const Pose X_LW = workspace.X_WM()[at(link)].inverse();
  AxisBox box;
  for (const CollisionObject& o : world.validator.model().objects())
    if (is_below(world.space.scene(), o.mover, link))
      box.add(place_box(X_LW * workspace.X_WM()[at(o.mover)] * o.X_MO, o.collider.box()));
  return Pose::translation(box.empty() ? Vec3(Vec3::Zero()) : box.centre());
}

/// Every body where it is in the workspace, on a joint that is fixed; those of the link on one that
/// is free. Names, actors and pairs that may touch stay.
Scene make_free_scene(const PlanningWorld& world, int link, const Pose& X_LC,
                      const Workspace& workspace) {
  const Scene& scene = world.space.scene();
  SceneSpec spec;
  spec.bodies = scene.spec().bodies;
  spec.actors = scene.spec().actors;
  spec.allowed_pairs = scene.spec().allowed_pairs;
  const std::string root = find_root_name(scene);
  const Pose X_CW = (workspace.X_WM()[at(link)] * X_LC).inverse();
  for (std::size_t i = 0; i < scene.bodies().size(); ++i) {
    const Body& body = scene.bodies()[i];
    const bool is_own = is_below(scene, body.mover, link);
    const Pose X_WB = compute_pose(scene, workspace, BodyId(i));
    JointSpec joint;
    joint.name = body.name;
    joint.child = body.name;
    joint.parent = is_own ? root : "";
    joint.X_PJ = is_own ? X_CW * X_WB : X_WB;
    spec.joints.push_back(std::move(joint));
    if (!is_own && world.space.moves(body.mover)) spec.bodies[i].geometry.clear();
  }
  JointSpec free;
  free.name = root;
  free.type = JointType::free;
  free.child = root;
  spec.bodies.push_back({.name = root, .inertia = {}, .geometry = {}, .source = {}});
  spec.joints.push_back(std::move(free));
  return Scene::compile(std::move(spec)).value();
}

/// Pairs that are not checked in the original are not checked here.
CollisionModel make_free_model(const PlanningWorld& world, int link, const Scene& scene) {
  const CollisionModel& model = world.validator.model();
  const Scene& original = world.space.scene();
  CollisionOptions options = model.options();
  options.survey.samples = 0;
  for (std::size_t i = 0; i < original.bodies().size(); ++i) {
    const Body& a = original.bodies()[i];
    if (!is_below(original, a.mover, link)) continue;
    for (std::size_t k = 0; k < original.bodies().size(); ++k) {
      const Body& b = original.bodies()[k];
      if (world.space.moves(b.mover)) continue;
      const PairRule rule = model.rule(BodyId(i), BodyId(k));
      const bool is_checked =
          rule == PairRule::checked || rule == PairRule::beyond_reach || rule == PairRule::no_shape;
      if (!is_checked) options.allowed.push_back({a.name, b.name, {}});
    }
  }
  return CollisionModel::make(scene, options, &model).value();
}

/// Around the poses, with room to go round what is there.
Room make_free_bounds(std::span<const Pose> poses, const Pose& X_LC, const CollisionModel& model) {
  AxisBox body, box;
  for (const int i : model.moving()) {
    const CollisionObject& o = model.objects()[at(i)];
    body.add(place_box(o.X_MO, o.collider.box()));
  }
  for (const Pose& X_WL : poses) box.add((X_WL * X_LC).p);
  const Vec3 beside = Vec3::Constant(body.size().norm() + box.size().norm() / 2);
  return {box.min - beside, box.max + beside};
}

PlanningSpace make_free_space(const Scene& scene, const CollisionModel& model, const Room& room) {
  const JointId joint(static_cast<int>(scene.joints().size()) - 1);
  return PlanningSpace::make(scene, model, {&joint, 1}, make_neutral(scene), room).value();
}

}  // namespace

bool is_below(const Scene& scene, int mover, int other) {
  while (mover != 0 && mover != other) mover = scene.movers()[at(mover)].parent;
  return mover == other;
}

FreeBodyWorld::FreeBodyWorld(const PlanningWorld& original, int link, ConstVecRef q,
                             std::span<const Pose> poses)
    : X_LC_(find_middle(original, link, place_all(original.space.scene(), q))),
      scene_(make_free_scene(original, link, X_LC_, place_all(original.space.scene(), q))),
      model_(make_free_model(original, link, scene_)),
      validator_(scene_, model_, {.threads = 1}, &original.validator),
      space_(make_free_space(scene_, model_, make_free_bounds(poses, X_LC_, model_))),
      steering_(space_) {}

VecX FreeBodyWorld::make_point(const Pose& X_WL) const {
  const Pose X_WC = X_WL * X_LC_;
  VecX x(7);
  x << X_WC.p, X_WC.quaternion().coeffs();
  return x;
}

Pose FreeBodyWorld::find_pose(ConstVecRef x) const {
  const Quat rotation(x[6], x[3], x[4], x[5]);
  return Pose(rotation.toRotationMatrix(), Vec3(x.head<3>())) * X_LC_.inverse();
}

}  // namespace geste

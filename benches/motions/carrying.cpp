#include <fmt/format.h>

#include <iostream>

#include "geste/model/assemble.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"

#include "common/arm_problems.hpp"
#include "common/take.hpp"
#include "motions/suite.hpp"

namespace geste::bench {
namespace {

constexpr double kNear = 0.05;  // m
constexpr const char* kHow =
    "edges of 1 rad over all joints, a box carried in the left hand, 20 boxes around, "
    "self-collision on but for neighbours that overlap as drawn; FCL every 1/32 rad, the end "
    "first, then by halves";

BodySpec make_box(const std::string& name, const Vec3& size, const Pose& X_BG) {
  BodySpec body{name};
  GeometrySpec geometry;
  geometry.shape = Box{size};
  geometry.X_BG = X_BG;
  body.geometry.push_back(std::move(geometry));
  return body;
}

/// The robot with its hips at the origin, 20 boxes at arm's length around it, and the load.
SceneSpec make_world(const SceneSpec& robot) {
  SceneSpec world = make_problem(robot, {});
  Rng rng(31);
  for (int i = 0; i < 20; ++i) {
    const double angle = rng.uniform(0, 6.28), away = rng.uniform(0.55, 1.0);
    const Vec3 at(away * std::cos(angle), away * std::sin(angle), rng.uniform(-0.9, 0.9));
    const Vec3 size(rng.uniform(0.05, 0.25), rng.uniform(0.05, 0.25), rng.uniform(0.05, 0.25));
    world.bodies.push_back(
        make_box(fmt::format("obstacle{}", i), size, Pose::from_rpy(at, angle, 0, angle)));
  }
  world.bodies.push_back(make_box("load", Vec3(0.2, 0.3, 0.1), {}));
  JointSpec joint;
  joint.name = "load/free";
  joint.type = JointType::free;
  joint.child = "load";
  world.joints.push_back(joint);
  return world;
}

/// The same with the load beyond the hand's fingers.
Scene take_load(const Scene& scene, const std::string& hand) {
  VecX q = make_neutral(scene);
  Workspace workspace(scene);
  (void)compute_dependents(scene, q, workspace);
  const Pose X_WL =
      compute_pose(scene, workspace, *scene.find_body(hand)) * Pose::translation(0, 0, -0.32);
  const Joint& joint = scene.joint(*scene.find_joint("load/free"));
  const Quat rotation = X_WL.quaternion();
  q.segment<3>(joint.q) = X_WL.p;
  q.segment<4>(joint.q + 3) << rotation.x(), rotation.y(), rotation.z(), rotation.w();
  return take(attach(scene, q, "load", hand));
}

/// There is no SRDF: neighbours whose meshes are too coarse to move apart may touch.
CollisionOptions make_options() {
  CollisionOptions options;
  options.allowed.push_back({"torso_2_link", "base_link"});
  for (const char* side : {"left", "right"}) {
    options.allowed.push_back(
        {fmt::format("arm_{}_5_link", side), fmt::format("wrist_{}_ft_link", side)});
    for (int finger : {1, 2, 3}) {
      options.allowed.push_back({fmt::format("gripper_{}_motor_double_link", side),
                                 fmt::format("gripper_{}_fingertip_{}_link", side, finger)});
    }
  }
  return options;
}

}  // namespace

void measure_carrying(const MotionsOptions& options, Totals& totals) {
  const std::optional<SceneSpec> robot = find_robot(options.robots, "talos");
  if (!robot) {
    std::cerr << "bench motions: no --robots folder has talos/talos.urdf: carrying skipped\n";
    return;
  }
  const std::string hand = "arm_left_7_link";
  std::cerr << "bench motions: talos with a load\n";
  const Arena arena =
      make_arena(take_load(take(Scene::compile(make_world(*robot))), hand), make_options(), kNear);
  std::vector<JointId> joints;
  for (std::size_t i = 0; i < arena.scene.joints().size(); ++i) {
    const Joint& joint = arena.scene.joints()[i];
    if (joint.role == JointRole::independent && joint.nv > 0) joints.emplace_back(i);
  }
  const EdgeChecker checker(arena.scene, arena.model);
  FclShapes shapes;
  FclWorld fcl(arena.scene, arena.model, shapes);
  EdgeSource source(arena, joints, make_neutral(arena.scene), Rng(31));
  fcl.choose_broad(source.draw(50));
  const Edges edges = source.draw_edges(std::max(options.few_edges(), 10), false,
                                        make_straight_way(arena.scene, joints, 1));
  require_same_on_threads("talos", checker, edges);
  totals.same_on_threads += edges.count();
  std::vector<EdgeVerdict> verdicts;
  const Tally tally = hold_contest("talos", checker, fcl, edges, {32, options.stride()}, verdicts);
  add_rows(totals.report, "talos", "carrying", tally, kHow);
  totals.all.add(tally);
  if (tally.edges > 0) totals.report.summary.emplace_back("ratio_fcl_talos", tally.ratio());
}

}  // namespace geste::bench

#include "geste/model/assemble.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "geste/model/dependents.hpp"
#include "geste/model/dh.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/loops.hpp"
#include "geste/model/state.hpp"

#include "random_scene.hpp"

namespace geste {
namespace {

using std::numbers::pi;

SceneSpec make_part(const std::string& name) {
  SceneSpec part;
  part.name = name;
  part.bodies.push_back(
      {.name = "body", .inertia = InertiaSpec{1, Vec3::Zero(), Mat3::Identity()}});
  return part;
}

SceneSpec make_arm() {
  std::vector<DhRow> rows(3);
  for (DhRow& row : rows)
    row = {.a = 0.4,
           .alpha = pi / 2,
           .d = 0.1,
           .theta = 0,
           .type = JointType::revolute,
           .limits = {-3, 3}};
  return make_dh_chain("arm", rows, DhConvention::classic);
}

/// A world with an arm and two loose parts.
Scene make_world() {
  SceneSpec world;
  place(world, make_part("tank"),
        {.name = "tank",
         .kind = "part",
         .X_WA = Pose::translation(1, 0, 0),
         .root = JointType::free,
         .parent = ""});
  place(world, make_part("lid"),
        {.name = "lid",
         .kind = "part",
         .X_WA = Pose::from_rpy(Vec3(1, 0, 0.5), 0, 0, 1),
         .root = JointType::free,
         .parent = ""});
  place(world, make_arm(),
        {.name = "crane",
         .kind = "robot",
         .X_WA = Pose::from_rpy(Vec3(0, 0, 1), 0.1, 0, 0),
         .root = JointType::fixed,
         .parent = ""});
  return Scene::compile(std::move(world)).value();
}

TEST(Place, PrefixesNamesAndMovesTheRoot) {
  const Scene scene = make_world();
  EXPECT_TRUE(scene.find_body("crane/link3"));
  EXPECT_TRUE(scene.find_joint("crane/joint1"));
  EXPECT_TRUE(scene.find_frame("crane/dh3"));
  EXPECT_EQ(scene.nv(), 6 + 6 + 3);
  EXPECT_EQ(scene.actors()[2].bodies.size(), 4u);
  Workspace w(scene);
  compute_kinematics(scene, make_neutral(scene), w);
  EXPECT_TRUE(compute_pose(scene, w, *scene.find_body("crane/link0"))
                  .is_approx(Pose::from_rpy(Vec3(0, 0, 1), 0.1, 0, 0), 1e-15));
  EXPECT_TRUE(compute_pose(scene, w, *scene.find_body("tank/body"))
                  .is_approx(Pose::translation(1, 0, 0), 1e-15));
}

// A crane hook takes a tank, the tank takes its lid along, and both are set down again.
TEST(Attach, CarriedBodiesMoveWithTheirCarrierAndStayWhereLeft) {
  const Scene loose = make_world();
  Rng rng(41);
  VecX q = testing::random_configuration(loose, rng);
  const Scene with_lid = attach(loose, q, "lid/body", "tank/body").value();
  const Scene carried = attach(with_lid, q, "tank/body", "crane/link3").value();
  EXPECT_EQ(carried.nq(), loose.nq());

  const BodyId tank = *carried.find_body("tank/body"), lid = *carried.find_body("lid/body"),
               hook = *carried.find_body("crane/link3");
  Workspace w(carried);
  ASSERT_TRUE(compute_dependents(carried, q, w));
  const Pose X_HT = compute_pose(carried, w, hook).inverse() * compute_pose(carried, w, tank);
  const Pose X_HL = compute_pose(carried, w, hook).inverse() * compute_pose(carried, w, lid);

  for (int i = 0; i < 20; ++i) {
    for (const char* joint : {"crane/joint1", "crane/joint2", "crane/joint3"}) {
      q[carried.joint(*carried.find_joint(joint)).q] = rng.uniform(-3, 3);
    }
    ASSERT_TRUE(compute_dependents(carried, q, w));
    const Pose X_WH = compute_pose(carried, w, hook);
    EXPECT_TRUE(compute_pose(carried, w, tank).is_approx(X_WH * X_HT, 1e-12));
    EXPECT_TRUE(compute_pose(carried, w, lid).is_approx(X_WH * X_HL, 1e-12));
    // The entries of q say the same in the scene where nothing is carried.
    Workspace free_w(loose);
    compute_kinematics(loose, q, free_w);
    EXPECT_TRUE(compute_pose(loose, free_w, tank).is_approx(X_WH * X_HT, 1e-12));
    EXPECT_TRUE(compute_pose(loose, free_w, lid).is_approx(X_WH * X_HL, 1e-12));
  }
  // The Jacobian of the carried tank has the crane's columns and none of its own.
  compute_joint_columns(carried, w);
  Mat6X J(6, carried.nv());
  compute_point_jacobian(carried, w, lid, Vec3::Zero(), J);
  EXPECT_EQ(J.middleCols(carried.joint(carried.body(tank).joint).v, 6).norm(), 0);
  EXPECT_GT(J.col(carried.joint(*carried.find_joint("crane/joint1")).v).norm(), 0.1);
  // Velocities: the map gives the carried joints the carrier's motion.
  MatX N;
  compute_velocity_map(carried, q, w, N);
  VecX v = VecX::Zero(carried.nv());
  v.tail(3) = Vec3(0.3, -0.2, 0.5);
  const VecX full = N * v;
  Workspace free_w(loose);
  compute_kinematics(loose, q, free_w);
  compute_velocities(loose, full, free_w);
  compute_kinematics(carried, q, w);
  compute_velocities(carried, full, w);
  EXPECT_LT(
      (compute_velocity(loose, free_w, lid).vector() - compute_velocity(carried, w, lid).vector())
          .norm(),
      1e-12);

  const Scene dropped = detach(carried, "tank/body").value();
  ASSERT_TRUE(compute_dependents(carried, q, w));
  const Pose before = compute_pose(carried, w, tank);
  Workspace dw(dropped);
  ASSERT_TRUE(compute_dependents(dropped, q, dw));
  EXPECT_TRUE(compute_pose(dropped, dw, tank).is_approx(before, 1e-12));
  EXPECT_TRUE(compute_pose(dropped, dw, lid).is_approx(compute_pose(carried, w, lid), 1e-12));
}

TEST(Attach, ImpossibleOnesAreRefusedByName) {
  const Scene scene = make_world();
  const VecX q = make_neutral(scene);
  EXPECT_EQ(attach(scene, q, "crane/link2", "tank/body").error().code, "scene.attachment_fixed");
  EXPECT_EQ(attach(scene, q, "tonk", "crane/link3").error().code, "attach.unknown_body");
  const Scene once = attach(scene, q, "tank/body", "lid/body").value();
  EXPECT_EQ(attach(once, q, "lid/body", "tank/body").error().code, "scene.attachment_cycle");
  EXPECT_EQ(detach(scene, "tank/body").error().code, "attach.not_carried");
}

TEST(Attach, InTheSpecWithoutAPlaceTakesThePartWhereItStands) {
  SceneSpec spec = make_world().spec();
  spec.attachments = {{"lid/body", "tank/body", std::nullopt}};
  const Scene scene = Scene::compile(spec).value();
  Workspace w(scene);
  compute_kinematics(scene, make_neutral(scene), w);
  EXPECT_TRUE(compute_pose(scene, w, *scene.find_body("lid/body"))
                  .is_approx(Pose::from_rpy(Vec3(1, 0, 0.5), 0, 0, 1), 1e-12));
}

// AR-1: both conventions against products of elementary transforms, as the textbooks define them.
TEST(DenavitHartenberg, BothConventionsEqualTheirDefinition) {
  Rng rng(42);
  std::vector<DhRow> rows(6);
  for (DhRow& row : rows) {
    row = {.a = rng.uniform(-1, 1),
           .alpha = rng.uniform(-3, 3),
           .d = rng.uniform(-1, 1),
           .theta = rng.uniform(-3, 3),
           .type = rng.uniform() < 0.3 ? JointType::prismatic : JointType::revolute,
           .limits = {}};
  }
  const auto Rx = [](double a) { return Pose::rotation(Vec3::UnitX(), a); };
  const auto Rz = [](double a) { return Pose::rotation(Vec3::UnitZ(), a); };
  for (const DhConvention convention : {DhConvention::classic, DhConvention::modified}) {
    const Scene scene = Scene::compile(make_dh_chain("arm", rows, convention)).value();
    Workspace w(scene);
    const VecX q = testing::random_configuration(scene, rng);
    compute_kinematics(scene, q, w);
    Pose expected;
    for (int i = 0; i < 6; ++i) {
      const DhRow& row = rows[static_cast<std::size_t>(i)];
      const double theta = row.theta + (row.type == JointType::prismatic ? 0 : q[i]);
      const double d = row.d + (row.type == JointType::prismatic ? q[i] : 0);
      expected = convention == DhConvention::classic
                     ? expected * Rz(theta) * Pose::translation(0, 0, d) *
                           Pose::translation(row.a, 0, 0) * Rx(row.alpha)
                     : expected * Rx(row.alpha) * Pose::translation(row.a, 0, 0) * Rz(theta) *
                           Pose::translation(0, 0, d);
      EXPECT_TRUE(compute_pose(scene, w, FrameId(i)).is_approx(expected, 1e-13));
    }
  }
}

TEST(Compile, ReportsEveryFaultByName) {
  SceneSpec spec;
  spec.bodies = {{.name = "a", .source = {"robot.urdf", 3}},
                 {.name = "a"},
                 {.name = "ring1"},
                 {.name = "ring2"},
                 {.name = "heavy", .inertia = InertiaSpec{-1, Vec3::Zero(), Mat3::Identity()}}};
  const auto joint = [&](const char* name, const char* parent, const char* child) -> JointSpec& {
    JointSpec j;
    j.name = name;
    j.type = JointType::revolute;
    j.parent = parent;
    j.child = child;
    j.limits = {{-1, 1}};
    return spec.joints.emplace_back(j);
  };
  joint("limits", "", "a").limits = {{2, 1}};
  joint("ring", "ring2", "ring1");
  joint("ring_back", "ring1", "ring2");
  joint("typo", "heavi", "heavy").axis.setZero();
  spec.groups = {{"g", {"limit"}}};
  spec.configurations = {{"home", "", {{"limits", {1, 2}}}, {}}};
  const auto scene = Scene::compile(spec);
  ASSERT_FALSE(scene);
  const std::string text = to_text(scene.error());
  for (const char* expected :
       {"scene.duplicate_body", "scene.bad_inertia", "scene.bad_limits", "joint 'limits'",
        "scene.cycle", "scene.unknown_body", "did you mean 'heavy'?", "scene.bad_axis",
        "scene.unknown_joint", "did you mean 'limits'?", "scene.configuration_values"}) {
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " in\n" << text;
  }
}

std::string compile_fault(const SceneSpec& spec) {
  const auto scene = Scene::compile(spec);
  return scene ? "none" : to_text(scene.error());
}

SceneSpec make_one_body() {
  SceneSpec spec;
  spec.bodies.resize(1);
  spec.bodies[0].name = "b";
  return spec;
}

TEST(Compile, RefusesShapesWithoutSize) {
  const Shape bad[] = {Sphere{-1},      Sphere{0},         Box{Vec3(1, -1, 1)}, Capsule{1, -1},
                       Cylinder{-1, 1}, Cylinder{1, 0},    Cone{1, -2},         Torus{1, -0.3},
                       Torus{-1, 0.3},  Sphere{kInfinity}, MeshShape{}};
  for (const Shape& shape : bad) {
    SceneSpec spec = make_one_body();
    spec.bodies[0].geometry.resize(1);
    spec.bodies[0].geometry[0].shape = shape;
    spec.groups = {{"g", {"nothing"}}};
    const std::string text = compile_fault(spec);
    EXPECT_NE(text.find("scene.bad_shape"), std::string::npos) << shape_name(shape);
    EXPECT_NE(text.find("scene.unknown_joint"), std::string::npos) << "all faults at once";
  }
}

TEST(Compile, RefusesPosesThatAreNotRigid) {
  Pose bad;
  bad.p.x() = std::numeric_limits<double>::quiet_NaN();
  Pose mirrored;
  mirrored.R(0, 0) = -1;
  for (const Pose& X : {bad, mirrored}) {
    SceneSpec frame = make_one_body();
    frame.frames = {{"f", "b", X}};
    EXPECT_NE(compile_fault(frame).find("scene.bad_pose"), std::string::npos);
    SceneSpec geometry = make_one_body();
    geometry.bodies[0].geometry.push_back({.name = {}, .shape = Sphere{1}, .X_BG = X});
    EXPECT_NE(compile_fault(geometry).find("scene.bad_pose"), std::string::npos);
    SceneSpec loop = make_one_body();
    loop.loops.resize(1);
    loop.loops[0].X_B = X;
    EXPECT_NE(compile_fault(loop).find("scene.bad_pose"), std::string::npos);
  }
}

TEST(Compile, RefusesNamesUsedTwice) {
  SceneSpec spec = make_one_body();
  spec.groups = {{"g", {}}, {"g", {}}};
  spec.actors = {{"a", "part", {}}, {"a", "part", {}}};
  spec.configurations = {{"home", "g", {}, {}}, {"home", "h", {}, {}}, {"home", "g", {}, {}}};
  const std::string text = compile_fault(spec);
  EXPECT_NE(text.find("scene.duplicate_group"), std::string::npos);
  EXPECT_NE(text.find("scene.duplicate_actor"), std::string::npos);
  const auto first = text.find("scene.duplicate_configuration");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("scene.duplicate_configuration", first + 1), std::string::npos)
      << "groups may share a name: " << text;
}

TEST(Compile, AnAttachmentToARingEnds) {
  SceneSpec spec;
  for (const char* name : {"ring1", "ring2", "part"}) {
    spec.bodies.push_back({.name = name});
    JointSpec j;
    j.name = std::string(name) + "_joint";
    j.type = name == std::string("part") ? JointType::free : JointType::revolute;
    j.child = name;
    spec.joints.push_back(j);
  }
  spec.joints[0].parent = "ring2";
  spec.joints[1].parent = "ring1";
  spec.attachments = {{"part", "ring1", Pose()}};
  EXPECT_NE(compile_fault(spec).find("scene.cycle"), std::string::npos);
}

TEST(Compile, APartThatAFormulaMovesCannotBeCarried) {
  SceneSpec spec;
  for (const char* name : {"hand", "part"}) {
    spec.bodies.push_back({.name = name});
    JointSpec j;
    j.name = std::string(name) + "_joint";
    j.type = JointType::free;
    j.child = name;
    spec.joints.push_back(j);
  }
  spec.attachments = {{"part", "hand", Pose()}};
  spec.explicit_loops = {
      {"f", {"hand_joint"}, {"part_joint"}, [](std::span<const double>, std::span<double>) {
         return true;
       }}};
  EXPECT_NE(compile_fault(spec).find("scene.two_rules"), std::string::npos);
}

TEST(Place, FramesAndLoopsOfTheMechanismsWorldMoveWithIt) {
  SceneSpec mechanism = make_one_body();
  JointSpec slide;
  slide.name = "slide";
  slide.type = JointType::prismatic;
  slide.child = "b";
  mechanism.joints = {slide};
  mechanism.frames = {{"home", "", Pose::translation(0, 1, 0)}};
  mechanism.loops.resize(1);
  mechanism.loops[0].body_b = "b";
  SceneSpec world;
  PlaceOptions options;
  options.name = "m";
  options.X_WA = Pose::translation(5, 0, 0);
  place(world, mechanism, options);
  const Scene scene = Scene::compile(world).value();
  Workspace w(scene);
  compute_kinematics(scene, make_neutral(scene), w);
  EXPECT_EQ(compute_loop_residual(scene, w), 0);
  EXPECT_EQ(compute_pose(scene, w, *scene.find_frame("m/home")).p, Vec3(5, 1, 0));
}

TEST(Compile, ALongChainNeedsNoDeepStack) {
  SceneSpec spec;
  for (int i = 0; i < 100000; ++i) {
    spec.bodies.push_back({.name = std::to_string(i)});
    JointSpec j;
    j.name = std::to_string(i);
    j.type = JointType::revolute;
    j.parent = i > 0 ? std::to_string(i - 1) : "";
    j.child = std::to_string(i);
    spec.joints.push_back(j);
  }
  const Scene scene = Scene::compile(std::move(spec)).value();
  EXPECT_EQ(scene.nv(), 100000);
}

}  // namespace
}  // namespace geste

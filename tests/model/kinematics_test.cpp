#include "geste/model/kinematics.hpp"

#include <gtest/gtest.h>

#include "geste/math/se3.hpp"
#include "geste/model/dependents.hpp"

#include "allocations.hpp"
#include "random_scene.hpp"

// Kinematics of random trees of every joint type against finite differences. MV-1
// Against other libraries' figures: tests/formats/robots_test.cpp.

namespace geste {
namespace {

using testing::make_random_tree;
using testing::random_configuration;
using testing::random_velocity;

TEST(Kinematics, JacobianTimesVelocityIsTheRecursion) {
  Rng rng(21);
  for (int n = 0; n < 40; ++n) {
    const Scene scene = Scene::compile(make_random_tree(rng, 20)).value();
    Workspace w(scene);
    const VecX q = random_configuration(scene, rng);
    const VecX v = random_velocity(scene, rng);
    compute_kinematics(scene, q, w);
    compute_joint_columns(scene, w);
    compute_velocities(scene, v, w);
    Mat6X J(6, scene.nv());
    for (std::size_t b = 0; b < scene.bodies().size(); ++b) {
      const BodyId id(static_cast<int>(b));
      compute_point_jacobian(scene, w, id, Vec3::Zero(), J);
      EXPECT_LT((J * v - compute_velocity(scene, w, id).vector()).norm(), 1e-11);
    }
  }
}

TEST(Kinematics, JacobiansEqualFiniteDifferences) {
  Rng rng(22);
  for (int n = 0; n < 10; ++n) {
    const Scene scene = Scene::compile(make_random_tree(rng, 12)).value();
    Workspace w(scene);
    const VecX q = random_configuration(scene, rng);
    const Vec3 p_B = testing::random_vector(rng);
    const BodyId body(11);
    compute_kinematics(scene, q, w);
    compute_joint_columns(scene, w);
    Mat6X J(6, scene.nv());
    Mat3X J_com(3, scene.nv());
    compute_point_jacobian(scene, w, body, p_B, J);
    compute_com_jacobian(scene, w, J_com);
    const Pose here = compute_pose(scene, w, body);
    VecX q1(scene.nq());
    for (int k = 0; k < scene.nv(); ++k) {
      constexpr double h = 1e-6;
      Pose X[2];
      Vec3 com[2];
      for (int side = 0; side < 2; ++side) {
        integrate(scene, q, VecX((side == 0 ? -h : h) * VecX::Unit(scene.nv(), k)), q1);
        compute_kinematics(scene, q1, w);
        X[side] = compute_pose(scene, w, body);
        com[side] = compute_com(scene, w);
      }
      EXPECT_LT((J.col(k).head<3>() - (X[1] * p_B - X[0] * p_B) / (2 * h)).norm(), 1e-7);
      EXPECT_LT(
          (J.col(k).tail<3>() - here.R * so3::log(Mat3(X[0].R.transpose() * X[1].R)) / (2 * h))
              .norm(),
          1e-7);
      EXPECT_LT((J_com.col(k) - (com[1] - com[0]) / (2 * h)).norm(), 1e-7);
    }
  }
}

TEST(Kinematics, WeldedBodiesRideAlong) {
  // The same tree with its fixed joints taken as revolute ones at zero must stand in the same
  // place.
  Rng rng(23);
  SceneSpec welded = make_random_tree(rng, 25);
  SceneSpec movable = welded;
  for (JointSpec& j : movable.joints) {
    if (j.type == JointType::fixed) j.type = JointType::revolute;
  }
  const Scene a = Scene::compile(welded).value();
  const Scene b = Scene::compile(movable).value();
  ASSERT_LT(a.movers().size(), b.movers().size());
  const VecX qa = random_configuration(a, rng);
  VecX qb = VecX::Zero(b.nq());
  for (std::size_t i = 0; i < a.joints().size(); ++i) {
    qb.segment(b.joints()[i].q, a.joints()[i].nq) = qa.segment(a.joints()[i].q, a.joints()[i].nq);
  }
  Workspace wa(a), wb(b);
  compute_kinematics(a, qa, wa);
  compute_kinematics(b, qb, wb);
  for (int i = 0; i < 25; ++i) {
    EXPECT_TRUE(compute_pose(a, wa, BodyId(i)).is_approx(compute_pose(b, wb, BodyId(i)), 1e-12));
  }
}

TEST(Kinematics, CentreOfMassOfOneActor) {
  SceneSpec spec;
  for (int i = 0; i < 3; ++i) {
    spec.bodies.push_back({.name = fmt::format("b{}", i),
                           .inertia = InertiaSpec{double(i + 1), Vec3(0, 0, 0.5), {}}});
    spec.bodies.back().inertia->inertia.setZero();
    JointSpec j;
    j.name = fmt::format("j{}", i);
    j.child = spec.bodies.back().name;
    j.type = i == 0 ? JointType::fixed : JointType::free;
    spec.joints.push_back(j);
  }
  spec.actors = {{"one", "part", {"b1"}}, {"two", "part", {"b2"}}};
  const Scene scene = Scene::compile(spec).value();
  VecX q = make_neutral(scene);
  q[0] = 1;
  q[7] = 5;
  Workspace w(scene);
  compute_kinematics(scene, q, w);
  EXPECT_LT((compute_com(scene, w, ActorId(0)) - Vec3(1, 0, 0.5)).norm(), 1e-15);
  EXPECT_LT((compute_com(scene, w, ActorId(1)) - Vec3(5, 0, 0.5)).norm(), 1e-15);
  EXPECT_LT((compute_com(scene, w) - Vec3((2 * 1 + 3 * 5) / 5.0, 0, 0.5)).norm(), 1e-15);
  EXPECT_EQ(scene.total_mass(), 6);
  EXPECT_EQ(scene.moving_mass(), 5);
}

TEST(Kinematics, HotFunctionsDoNotAllocate) {
  Rng rng(24);
  const Scene scene = Scene::compile(make_random_tree(rng, 60)).value();
  Workspace w(scene);
  const VecX q = random_configuration(scene, rng);
  const VecX q2 = random_configuration(scene, rng);
  const VecX v = random_velocity(scene, rng);
  VecX q3(scene.nq()), v3(scene.nv());
  Mat6X J(6, scene.nv());
  Mat3X J_com(3, scene.nv());
  const long control = testing::count_allocations();
  const VecX allocated = 2 * q;
  EXPECT_EQ(testing::count_allocations() > control, testing::counts_allocations())
      << allocated.size();
  const long before = testing::count_allocations();
  compute_kinematics(scene, q, w);
  compute_joint_columns(scene, w);
  compute_velocities(scene, v, w);
  compute_point_jacobian(scene, w, BodyId(59), Vec3::UnitX(), J);
  (void)compute_com(scene, w);
  compute_com_jacobian(scene, w, J_com);
  integrate(scene, q, v, q3);
  difference(scene, q, q2, v3);
  interpolate(scene, q, q2, 0.4, q3);
  (void)distance(scene, q, q2);
  q3 = q;
  (void)compute_dependents(scene, q3, w);
  EXPECT_EQ(testing::count_allocations() - before, 0);
}

TEST(Kinematics, AskingTooEarlyThrows) {
  Rng rng(25);
  const Scene scene = Scene::compile(make_random_tree(rng, 3)).value();
  Workspace w(scene);
  EXPECT_THROW((void)compute_pose(scene, w, BodyId(0)), std::logic_error);
  EXPECT_THROW(compute_joint_columns(scene, w), std::logic_error);
  EXPECT_THROW((void)w.X_WM(), std::logic_error);
  compute_kinematics(scene, make_neutral(scene), w);
  EXPECT_THROW((void)compute_velocity(scene, w, BodyId(0)), std::logic_error);
  EXPECT_THROW((void)w.columns(), std::logic_error);
  compute_velocities(scene, VecX::Zero(scene.nv()), w);
  EXPECT_EQ(compute_velocity(scene, w, BodyId(0)).vector().norm(), 0);
  // New poses make the velocities old.
  compute_kinematics(scene, make_neutral(scene), w);
  EXPECT_THROW((void)compute_velocity(scene, w, BodyId(0)), std::logic_error);
}

TEST(Kinematics, AnAxisThatIsAlmostAlignedIsTakenAsItIs) {
  SceneSpec spec;
  spec.bodies.resize(1);
  spec.bodies[0].name = "b";
  JointSpec joint;
  joint.name = "j";
  joint.child = "b";
  joint.type = JointType::revolute;
  joint.axis = Vec3(1e-8, 0, 1);
  spec.joints.push_back(joint);
  const Scene scene = Scene::compile(spec).value();
  Workspace w(scene);
  compute_kinematics(scene, VecX::Constant(1, std::numbers::pi), w);
  const Mat3 expected = so3::exp(Vec3(std::numbers::pi * joint.axis.normalized()));
  EXPECT_LT((compute_pose(scene, w, BodyId(0)).R - expected).norm(), 1e-14);
}

TEST(Kinematics, CentreOfMassOfActorsWeldedToEachOther) {
  // A tool on a robot's link moves with the link and counts for the tool.
  SceneSpec spec;
  for (const auto& [name, parent, x] :
       {std::tuple{"link", "", 0.0}, std::tuple{"tool", "link", 3.0}}) {
    spec.bodies.push_back({.name = name, .inertia = InertiaSpec{2, Vec3(0, 0, 1), Mat3::Zero()}});
    JointSpec j;
    j.name = std::string(name) + "_joint";
    j.parent = parent;
    j.child = name;
    j.type = spec.joints.empty() ? JointType::prismatic : JointType::fixed;
    j.X_PJ = Pose::translation(x, 0, 0);
    spec.joints.push_back(j);
  }
  spec.actors = {{"robot", "robot", {"link"}}, {"tool", "part", {"tool"}}};
  const Scene scene = Scene::compile(spec).value();
  Workspace w(scene);
  compute_kinematics(scene, VecX::Constant(1, 0.25), w);
  compute_joint_columns(scene, w);
  EXPECT_LT((compute_com(scene, w, ActorId(0)) - Vec3(0.25, 0, 1)).norm(), 1e-15);
  EXPECT_LT((compute_com(scene, w, ActorId(1)) - Vec3(3.25, 0, 1)).norm(), 1e-15);
  Mat3X J(3, 1);
  compute_com_jacobian(scene, w, J, ActorId(1));
  EXPECT_LT((J - Vec3::UnitX()).norm(), 1e-15);
}

}  // namespace
}  // namespace geste

#include <gtest/gtest.h>

#include "geste/math/se3.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/motion.hpp"

namespace geste {
namespace {

Scene make_mover(JointType type) {
  SceneSpec spec;
  spec.bodies.push_back({.name = "part"});
  JointSpec joint{
      .name = "root", .type = type, .child = "part", .axis = Vec3(1, 2, 3).normalized()};
  joint.X_PJ = Pose::from_rpy({1, 2, 3}, 0.4, -0.3, 1.1);
  spec.joints.push_back(joint);
  return Scene::compile(spec).value();
}

Pose place(const Scene& scene, const VecX& q) {
  Workspace workspace(scene);
  compute_kinematics(scene, q, workspace);
  return compute_pose(scene, workspace, BodyId(0));
}

// A screw has a constant velocity in the body's axes: equal steps are equal motions.
TEST(MotionCourse, ScrewsGoAtAConstantTwist) {
  for (const JointType type : {JointType::planar, JointType::free}) {
    const Scene scene = make_mover(type);
    Rng rng(4);
    for (int trial = 0; trial < 200; ++trial) {
      VecX v0(scene.nv()), v1(scene.nv());
      for (int k = 0; k < scene.nv(); ++k) {
        v0[k] = rng.uniform(-1.5, 1.5);
        v1[k] = rng.uniform(-1.5, 1.5);
      }
      VecX q0 = make_neutral(scene), q1 = q0, q = q0;
      integrate(scene, q0, v0, q0);
      integrate(scene, q0, v1, q1);
      std::vector<Pose> X;
      for (int i = 0; i <= 8; ++i) {
        interpolate(scene, q0, q1, Course::screw, i / 8.0, q);
        X.push_back(place(scene, q));
      }
      EXPECT_TRUE(X.front().is_approx(place(scene, q0), 1e-12));
      EXPECT_TRUE(X.back().is_approx(place(scene, q1), 1e-12));
      const Vec6 twist = se3::log(X[0].inverse() * X[1]);
      for (std::size_t i = 1; i < 8; ++i)
        EXPECT_LT((se3::log(X[i].inverse() * X[i + 1]) - twist).norm(), 1e-9);
    }
  }
}

TEST(MotionCourse, StraightKeepsTheOriginOnALine) {
  const Scene scene = make_mover(JointType::free);
  VecX q0 = make_neutral(scene), q1 = q0, q = q0;
  VecX v(6);
  v << 0.5, -0.2, 0.9, 1.1, 0.3, -0.8;
  integrate(scene, q0, v, q1);
  interpolate(scene, q0, q1, Course::straight, 0.25, q);
  EXPECT_LT((place(scene, q).p - (0.75 * place(scene, q0).p + 0.25 * place(scene, q1).p)).norm(),
            1e-12);
  interpolate(scene, q0, q1, Course::screw, 0.25, q);
  EXPECT_GT((place(scene, q).p - (0.75 * place(scene, q0).p + 0.25 * place(scene, q1).p)).norm(),
            1e-3);
}

}  // namespace
}  // namespace geste

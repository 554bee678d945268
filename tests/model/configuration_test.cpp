#include "geste/model/configuration.hpp"

#include <gtest/gtest.h>

#include "geste/math/se3.hpp"
#include "geste/model/kinematics.hpp"

#include "random_scene.hpp"

// The manifold laws stated in configuration.hpp, for each joint type alone. MV-1

namespace geste {
namespace {

using std::numbers::pi;
using testing::random_configuration;
using testing::random_vector;

Scene one_joint(JointType type, std::vector<DofLimits> limits = {}) {
  SceneSpec spec;
  spec.bodies.resize(1);
  spec.bodies[0].name = "b";
  JointSpec joint;
  joint.name = "j";
  joint.child = "b";
  joint.type = type;
  joint.axis = Vec3(1, -2, 0.5);
  joint.axis2 = Vec3(0.3, 1, 1);
  joint.X_PJ = Pose::from_rpy(Vec3(1, 2, 3), 0.4, -0.3, 2);
  joint.limits = std::move(limits);
  spec.joints.push_back(joint);
  return Scene::compile(std::move(spec)).value();
}

class Manifold : public ::testing::TestWithParam<JointType> {};

TEST_P(Manifold, IntegrateAndDifferenceAreInverse) {
  const Scene scene = one_joint(GetParam());
  Rng rng(11);
  VecX back(scene.nq()), v(scene.nv()), w(scene.nv());
  for (int i = 0; i < 500; ++i) {
    const VecX q0 = random_configuration(scene, rng);
    const VecX q1 = random_configuration(scene, rng);
    difference(scene, q0, q1, v);
    integrate(scene, q0, v, back);
    EXPECT_LT(distance(scene, q1, back), 1e-13);
    // Small and middle-sized velocities come back as they were.
    for (double size : {0.0, 1e-9, 1e-3, 1.0}) {
      for (int k = 0; k < v.size(); ++k) v[k] = size * rng.uniform(-1.5, 1.5);
      integrate(scene, q0, v, back);
      difference(scene, q0, back, w);
      EXPECT_LT((w - v).norm(), 1e-14 + 1e-13 * v.norm());
    }
  }
}

TEST_P(Manifold, InterpolationMeetsItsEndsAndReverses) {
  const Scene scene = one_joint(GetParam());
  Rng rng(12);
  VecX a(scene.nq()), b(scene.nq());
  for (int i = 0; i < 500; ++i) {
    const VecX q0 = random_configuration(scene, rng);
    const VecX q1 = random_configuration(scene, rng);
    interpolate(scene, q0, q1, 0, a);
    EXPECT_LT(distance(scene, q0, a), 1e-14);
    interpolate(scene, q0, q1, 1, a);
    EXPECT_LT(distance(scene, q1, a), 1e-13);
    interpolate(scene, q0, q1, 0.3, a);
    interpolate(scene, q1, q0, 0.7, b);
    EXPECT_LT(distance(scene, a, b), 1e-12);
    EXPECT_NEAR(distance(scene, q0, a), 0.3 * distance(scene, q0, q1), 1e-12);
  }
}

TEST_P(Manifold, VelocityMeansWhatTheKinematicsMean) {
  const Scene scene = one_joint(GetParam());
  Workspace w(scene);
  Rng rng(13);
  const BodyId body(0);
  VecX q1(scene.nq());
  for (int i = 0; i < 200; ++i) {
    const VecX q = random_configuration(scene, rng);
    const VecX v = testing::random_velocity(scene, rng);
    constexpr double h = 1e-6;
    integrate(scene, q, VecX(h * v), q1);
    compute_kinematics(scene, q1, w);
    const Pose ahead = compute_pose(scene, w, body);
    integrate(scene, q, VecX(-h * v), q1);
    compute_kinematics(scene, q1, w);
    const Pose behind = compute_pose(scene, w, body);
    compute_kinematics(scene, q, w);
    compute_velocities(scene, v, w);
    const Motion V = compute_velocity(scene, w, body);
    const Pose here = compute_pose(scene, w, body);
    EXPECT_LT((V.linear - (ahead.p - behind.p) / (2 * h)).norm(), 1e-8);
    EXPECT_LT(
        (V.angular - here.R * so3::log(Mat3(behind.R.transpose() * ahead.R)) / (2 * h)).norm(),
        1e-8);
  }
}

TEST_P(Manifold, DistanceIsSymmetricAndZeroOnlyAtHome) {
  const Scene scene = one_joint(GetParam());
  Rng rng(14);
  for (int i = 0; i < 200; ++i) {
    const VecX q0 = random_configuration(scene, rng);
    const VecX q1 = random_configuration(scene, rng);
    EXPECT_NEAR(distance(scene, q0, q1), distance(scene, q1, q0), 1e-13);
    EXPECT_EQ(distance(scene, q0, q0), 0);
    EXPECT_GT(distance(scene, q0, q1), 0);
    EXPECT_NEAR(distance(scene, q0, q1, VecX::Constant(scene.nv(), 2)), 2 * distance(scene, q0, q1),
                1e-12);
  }
}

TEST_P(Manifold, SamplesStayWithinLimits) {
  std::vector<DofLimits> limits(static_cast<std::size_t>(count_v(GetParam())),
                                DofLimits{-0.5, 0.25});
  if (GetParam() == JointType::spherical) limits[0].upper = 0.7;
  const Scene scene = one_joint(GetParam(), limits);
  const auto sampler = ConfigurationSampler::make(scene).value();
  Rng rng(15);
  VecX q = make_neutral(scene);
  for (int i = 0; i < 2000; ++i) {
    sampler.sample(rng, q);
    EXPECT_TRUE(is_within_limits(scene, q));
    const VecX before = q;
    clamp_to_limits(scene, q);
    EXPECT_EQ(before, q);
  }
}

TEST(Limits, ClampingComesBackToTheBorder) {
  const Scene slider = one_joint(JointType::prismatic, {{-0.5, 0.25}});
  VecX q = VecX::Constant(1, 1.3);
  EXPECT_FALSE(is_within_limits(slider, q));
  EXPECT_NEAR(find_limit_violation(slider, q).excess, 1.05, 1e-15);
  clamp_to_limits(slider, q);
  EXPECT_EQ(q[0], 0.25);
  q[0] = -7;
  clamp_to_limits(slider, q);
  EXPECT_EQ(q[0], -0.5);
  EXPECT_FALSE(find_limit_violation(slider, q).joint.valid());

  const Scene ball = one_joint(JointType::spherical, {{0, 0.7}, {}, {}});
  const Vec3 axis = Vec3(1, 2, -1).normalized();
  VecX b = so3::exp_quaternion(1.3 * axis).coeffs();
  EXPECT_NEAR(find_limit_violation(ball, b).excess, 0.6, 1e-14);
  clamp_to_limits(ball, b);
  EXPECT_LT((so3::log(Quat(b[3], b[0], b[1], b[2])) - 0.7 * axis).norm(), 1e-14);
}

TEST(Limits, WhatIsNoNumberIsOutside) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (JointType type : testing::kMovingJoints) {
    const Scene scene = one_joint(type);
    for (int k = 0; k < scene.nq(); ++k) {
      VecX q = make_neutral(scene);
      EXPECT_TRUE(is_within_limits(scene, q));
      q[k] = nan;
      EXPECT_FALSE(is_within_limits(scene, q)) << to_string(type) << k;
    }
  }
}

TEST(Sampler, OneMissingLimitLeavesATurnFromTheOther) {
  Rng rng(17);
  for (const DofLimits limits : {DofLimits{2, kInfinity}, DofLimits{-kInfinity, -1}}) {
    const Scene scene = one_joint(JointType::revolute, {limits});
    const auto sampler = ConfigurationSampler::make(scene).value();
    VecX q = make_neutral(scene);
    double least = 100, most = -100;
    for (int i = 0; i < 2000; ++i) {
      sampler.sample(rng, q);
      ASSERT_TRUE(is_within_limits(scene, q));
      least = std::min(least, q[0]);
      most = std::max(most, q[0]);
    }
    EXPECT_NEAR(most - least, 2 * pi, 0.1);
  }
}

TEST(Configuration, VectorsOfAnotherSceneThrow) {
  const Scene scene = one_joint(JointType::free);
  VecX q = make_neutral(scene), v = VecX::Zero(6), small(3);
  EXPECT_THROW(integrate(scene, small, v, q), std::invalid_argument);
  EXPECT_THROW(difference(scene, q, q, small), std::invalid_argument);
  EXPECT_THROW(interpolate(scene, q, small, 0.5, q), std::invalid_argument);
  EXPECT_THROW((void)distance(scene, q, small), std::invalid_argument);
  EXPECT_THROW(clamp_to_limits(scene, small), std::invalid_argument);
  Workspace w(scene);
  EXPECT_THROW(compute_kinematics(scene, small, w), std::invalid_argument);
  EXPECT_THROW((void)scene.body(BodyId()), std::out_of_range);
}

INSTANTIATE_TEST_SUITE_P(EveryJoint, Manifold, ::testing::ValuesIn(testing::kMovingJoints),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(Sampler, RotationsWithinAnAngleHaveTheRightDensity) {
  // On SO(3) the share of rotations with angle below a is (a - sin a)/pi; within a ball, the
  // quotient.
  const double most = 1.2;
  const Scene scene = one_joint(JointType::spherical, {{0, most}, {}, {}});
  const auto sampler = ConfigurationSampler::make(scene).value();
  Rng rng(16);
  VecX q = make_neutral(scene);
  int below = 0;
  constexpr int kSamples = 40000;
  Vec3 mean = Vec3::Zero();
  for (int i = 0; i < kSamples; ++i) {
    sampler.sample(rng, q);
    const Vec3 w = so3::log(Quat(q[3], q[0], q[1], q[2]));
    below += w.norm() < 0.8;
    mean += w / kSamples;
  }
  const auto measure = [](double a) { return a - std::sin(a); };
  EXPECT_NEAR(double(below) / kSamples, measure(0.8) / measure(most), 0.012);
  EXPECT_LT(mean.norm(), 0.02);
}

TEST(Sampler, NamesEveryJointWithoutLimits) {
  const auto refused = ConfigurationSampler::make(one_joint(JointType::free));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "sample.no_limits");
  EXPECT_EQ(refused.error().element, "joint 'j'");
}

TEST(Configuration, ContinuousJointsTakeTheShortWay) {
  const Scene scene = one_joint(JointType::continuous);
  VecX v(1);
  difference(scene, VecX::Constant(1, 3.0), VecX::Constant(1, -3.0), v);
  EXPECT_NEAR(v[0], 2 * pi - 6, 1e-14);
  VecX q = VecX::Constant(1, 7.0);
  normalize(scene, q);
  EXPECT_NEAR(q[0], 7 - 2 * pi, 1e-14);
}

TEST(Configuration, NeutralRespectsLimits) {
  EXPECT_EQ(make_neutral(one_joint(JointType::prismatic, {{0.2, 0.9}}))[0], 0.2);
}

}  // namespace
}  // namespace geste

#include "geste/proximity/reach.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"

#include "model/random_scene.hpp"

// MV-7: where a body can come to, whatever its joints do.

namespace geste {
namespace {

void limit(SceneSpec& spec, Rng& rng) {
  for (JointSpec& j : spec.joints) {
    const auto range = [&](double most) {
      const double a = rng.uniform(-most, most), b = rng.uniform(-most, most);
      return DofLimits{std::min(a, b), std::max(a, b)};
    };
    switch (j.type) {
      case JointType::revolute:
        j.limits = {range(4)};
        break;
      case JointType::prismatic:
        j.limits = {range(1)};
        break;
      case JointType::universal:
        j.limits = {range(2), range(2)};
        break;
      case JointType::planar:
        j.limits = {range(1), range(1), range(3)};
        break;
      case JointType::spherical:
        j.limits.resize(3);
        j.limits[0].upper = rng.uniform(0, kPi);
        break;
      case JointType::free:
        j.limits.resize(6);
        for (std::size_t k = 0; k < 3; ++k) j.limits[k] = range(1);
        break;
      default:
        break;
    }
  }
}

bool holds(const ReachVolume& v, const Vec3& p) {
  const double slack = 1e-9 * (1 + v.radius);
  return ((v.box.min - p).array() <= slack).all() && ((p - v.box.max).array() <= slack).all() &&
         (p - v.centre).norm() <= v.radius + slack;
}

/// Every point of every body, in every configuration, in the frame of every mover above it.
TEST(Reach, NothingLeavesItsVolume) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    SceneSpec spec = testing::make_random_tree(rng, 7);
    limit(spec, rng);
    const Scene scene = Scene::compile(spec).value();
    const auto sampler = ConfigurationSampler::make(scene);
    ASSERT_TRUE(sampler) << to_text(sampler.error());
    Workspace workspace(scene);
    VecX q = make_neutral(scene);
    const Vec3 half(rng.uniform(0, 0.3), rng.uniform(0, 0.3), rng.uniform(0, 0.3));
    const Vec3 middle = 0.3 * testing::random_vector(rng);
    const AxisBox box{middle - half, middle + half};
    for (int sample = 0; sample < 30; ++sample) {
      sampler->sample(rng, q);
      ASSERT_TRUE(compute_dependents(scene, q, workspace));
      for (int m = 1; m < static_cast<int>(scene.movers().size()); ++m) {
        ReachVolume volume = make_volume(box);
        for (int above = m; above != 0;) {
          volume = sweep(scene, above, volume);
          ASSERT_TRUE(volume.is_bounded());
          above = scene.movers()[static_cast<std::size_t>(above)].parent;
          const Pose X = workspace.X_WM()[static_cast<std::size_t>(above)].inverse() *
                         workspace.X_WM()[static_cast<std::size_t>(m)];
          for (int corner = 0; corner < 8; ++corner) {
            const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
            EXPECT_TRUE(holds(volume, X * (middle + half.cwiseProduct(sign))))
                << "seed " << seed << " mover " << m << " seen from " << above;
          }
        }
      }
    }
  }
}

Scene make_arm(JointType type, DofLimits limits) {
  SceneSpec spec;
  spec.bodies = {BodySpec{"link"}};
  JointSpec joint;
  joint.name = "joint";
  joint.type = type;
  joint.child = "link";
  joint.axis = Vec3::UnitZ();
  joint.X_PJ = Pose::translation(1, 2, 3);
  joint.limits = {limits};
  spec.joints = {joint};
  return Scene::compile(spec).value();
}

TEST(Reach, IsExactForOneJoint) {
  const AxisBox point{Vec3(1, 0, 0), Vec3(1, 0, 0)};
  // A quarter of a circle about (1, 2, 3), from +x to +y.
  const ReachVolume quarter =
      sweep(make_arm(JointType::revolute, {0, kPi / 2}), 1, make_volume(point));
  EXPECT_TRUE(quarter.box.min.isApprox(Vec3(1, 2, 3), 1e-9));
  EXPECT_TRUE(quarter.box.max.isApprox(Vec3(2, 3, 3), 1e-9));
  EXPECT_NEAR(quarter.radius, std::sqrt(2) / 2, 1e-9);
  // Over the top: the extreme is on the way, not at an end.
  const ReachVolume top =
      sweep(make_arm(JointType::revolute, {kPi / 4, 3 * kPi / 4}), 1, make_volume(point));
  EXPECT_NEAR(top.box.max.y(), 3, 1e-9);
  EXPECT_NEAR(top.box.min.y(), 2 + std::sqrt(0.5), 1e-9);
  const ReachVolume turn = sweep(make_arm(JointType::continuous, {}), 1, make_volume(point));
  EXPECT_TRUE(turn.box.min.isApprox(Vec3(0, 1, 3), 1e-9));
  EXPECT_NEAR(turn.radius, 1, 1e-9);
  const ReachVolume slide = sweep(make_arm(JointType::prismatic, {-1, 3}), 1, make_volume(point));
  EXPECT_TRUE(slide.box.min.isApprox(Vec3(2, 2, 2), 1e-9));
  EXPECT_TRUE(slide.box.max.isApprox(Vec3(2, 2, 6), 1e-9));
  EXPECT_FALSE(sweep(make_arm(JointType::prismatic, {}), 1, make_volume(point)).is_bounded());
}

TEST(Reach, FollowersGoAsFarAsTheirLeaders) {
  SceneSpec spec;
  spec.bodies = {BodySpec{"a"}, BodySpec{"b"}, BodySpec{"c"}};
  for (const char* name : {"a", "b", "c"}) {
    JointSpec joint;
    joint.name = std::string("joint_") + name;
    joint.type = JointType::prismatic;
    joint.child = name;
    if (joint.name == "joint_a") joint.limits = {{-1, 2}};
    if (joint.name == "joint_b") joint.follow = FollowSpec{{"joint_a"}, LinearFollow{-2, 1}};
    if (joint.name == "joint_c")
      joint.follow = FollowSpec{{"joint_a"}, TableFollow{{{-5, 0}, {0, 7}, {4, -1}}}};
    spec.joints.push_back(joint);
  }
  const Scene scene = Scene::compile(spec).value();
  const Interval b = compute_ranges(scene, *scene.find_joint("joint_b"))[0];
  EXPECT_EQ(b.low, -3);
  EXPECT_EQ(b.high, 3);
  const Interval c = compute_ranges(scene, *scene.find_joint("joint_c"))[0];
  EXPECT_NEAR(c.low, 3, 1e-12);  // at the leader's end 2
  EXPECT_EQ(c.high, 7);
}

}  // namespace
}  // namespace geste

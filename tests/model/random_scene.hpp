#pragma once

#include <fmt/format.h>

#include <numbers>

#include "geste/core/rng.hpp"
#include "geste/math/so3.hpp"
#include "geste/model/configuration.hpp"

#include "random_vector.hpp"

namespace geste::testing {

inline Pose random_pose(Rng& rng) {
  return {so3::exp_quaternion(3 * random_vector(rng).normalized() * rng.uniform()),
          random_vector(rng)};
}

inline constexpr JointType kMovingJoints[] = {
    JointType::revolute, JointType::continuous, JointType::prismatic, JointType::universal,
    JointType::planar,   JointType::spherical,  JointType::free};

/// A random branched tree with every joint type, odd axes, welded bodies in between and masses
/// everywhere.
inline SceneSpec make_random_tree(Rng& rng, int n) {
  SceneSpec spec;
  spec.name = "tree";
  for (int i = 0; i < n; ++i) {
    BodySpec body;
    body.name = fmt::format("b{}", i);
    body.inertia = InertiaSpec{rng.uniform(0.1, 3), random_vector(rng),
                               Mat3::Identity() * rng.uniform(0.1, 1)};
    spec.bodies.push_back(std::move(body));
    JointSpec joint;
    joint.name = fmt::format("j{}", i);
    joint.child = fmt::format("b{}", i);
    const auto parent = rng.integer(-1, i - 1);
    if (parent >= 0) joint.parent = fmt::format("b{}", parent);
    joint.type = rng.uniform() < 0.2 ? JointType::fixed : kMovingJoints[rng.integer(0, 6)];
    joint.X_PJ = random_pose(rng);
    // Half of them along an axis, as in most robots: that is another path through the code.
    joint.axis = rng.uniform() < 0.5
                     ? random_vector(rng)
                     : Vec3(Vec3::Unit(rng.integer(0, 2)) * (rng.uniform() < 0.5 ? -1 : 1));
    joint.axis2 = random_vector(rng);
    spec.joints.push_back(std::move(joint));
  }
  return spec;
}

/// Any configuration: positions within a few metres, rotations anywhere.
inline VecX random_configuration(const Scene& scene, Rng& rng) {
  VecX q = make_neutral(scene);
  VecX v(scene.nv());
  for (int i = 0; i < v.size(); ++i) v[i] = rng.uniform(-1.5, 1.5);
  integrate(scene, q, v, q);
  return q;
}

inline VecX random_velocity(const Scene& scene, Rng& rng) {
  VecX v(scene.nv());
  for (int i = 0; i < v.size(); ++i) v[i] = rng.normal();
  return v;
}

}  // namespace geste::testing

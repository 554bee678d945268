#pragma once

#include "geste/model/scene.hpp"

#include "geometry/random_meshes.hpp"
#include "model/random_scene.hpp"

namespace geste::testing {

/// A body that is a cube.
inline void add_box(SceneSpec& spec, const std::string& name, const Vec3& at, double size = 0.2) {
  BodySpec body{name};
  body.geometry.emplace_back();
  body.geometry.back().shape = Box{Vec3::Constant(size)};
  body.geometry.back().X_BG = Pose(Mat3::Identity(), at);
  spec.bodies.push_back(body);
}

inline Shape make_random_shape(Rng& rng) {
  const double size = rng.uniform(0.1, 0.6);
  switch (rng.integer(0, 6)) {
    case 0:
      return Sphere{size / 2};
    case 1:
      return Capsule{size / 4, size};
    case 2:
      return Box{Vec3(size, size / 2, size / 3)};
    case 3:
      return Cylinder{size / 3, size};
    case 4:
      return Cone{size / 3, size};
    case 5:
      return Torus{size / 2, size / 6};
    default:
      break;
  }
  TriangleMesh mesh = make_star(rng, 10);
  // Some come in two pieces that lie apart.
  if (rng.uniform() < 0.5) append(mesh, transformed(mesh, Mat3::Identity(), Vec3(3, 0, 0)));
  for (Vec3& v : mesh.vertices) v *= size;
  return share(std::move(mesh));
}

/// A random tree that stays near its root, among obstacles that stand.
inline SceneSpec make_random_world(Rng& rng, int movers, int obstacles) {
  SceneSpec spec = make_random_tree(rng, movers);
  ActorSpec robot{"robot", "robot", {}};
  for (JointSpec& j : spec.joints) {
    j.X_PJ.p *= 0.4;
    for (int k = 0; k < count_v(j.type); ++k) j.limits.push_back({-0.8, 0.8});
  }
  for (BodySpec& b : spec.bodies) {
    robot.bodies.push_back(b.name);
    if (rng.uniform() < 0.2) continue;  // some have no geometry
    for (auto n = rng.integer(1, 2); n > 0; --n) {
      GeometrySpec g;
      g.shape = make_random_shape(rng);
      g.X_BG = random_placement(rng, 0.2);
      b.geometry.push_back(g);
    }
  }
  spec.actors = {robot};
  for (int i = 0; i < obstacles; ++i) {
    BodySpec b{fmt::format("obstacle{}", i)};
    b.geometry.emplace_back();
    b.geometry.back().shape = make_random_shape(rng);
    b.geometry.back().X_BG = random_placement(rng, 3);
    spec.bodies.push_back(b);
  }
  return spec;
}

}  // namespace geste::testing

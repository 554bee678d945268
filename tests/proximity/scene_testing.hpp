#pragma once

#include <cstdlib>

#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/scene.hpp"
#include "geste/proximity/collision_query.hpp"

#include "geometry/random_meshes.hpp"
#include "model/random_scene.hpp"

namespace geste::testing {

/// How many random motions a law is held against, and from which seed on. The environment may ask
/// for more: GESTE_MOTIONS=100000, in shares that begin at GESTE_FIRST_SEED.
struct MotionCount {
  explicit MotionCount(int usual) : most(usual) {
    if (const char* asked = std::getenv("GESTE_MOTIONS")) most = std::atoi(asked);
    if (const char* asked = std::getenv("GESTE_FIRST_SEED"))
      seed = std::strtoull(asked, nullptr, 10);
  }
  int most;
  std::uint64_t seed = 0;
};

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

/// Few samples: which pairs never collide does not matter in tests.
inline CollisionModel make_plain_model(const Scene& scene, double margin) {
  CollisionOptions options;
  options.survey.samples = 20;
  options.margin = margin;
  return CollisionModel::make(scene, options).value();
}

/// A random world of every joint type and shape, and questions to ask of it.
struct RandomWorld {
  RandomWorld(std::uint64_t seed, double margin, int movers = 4, int obstacles = 8)
      : rng(seed),
        scene(Scene::compile(make_random_world(rng, movers, obstacles)).value()),
        model(make_plain_model(scene, margin)),
        workspace(scene),
        memory(model),
        sampler(ConfigurationSampler::make(scene).value()) {}

  VecX draw() {
    VecX q = make_neutral(scene);
    sampler.sample(rng, q);
    return q;
  }
  MatX draw(int count) {
    MatX q(scene.nq(), count);
    for (int k = 0; k < count; ++k) q.col(k) = draw();
    return q;
  }
  bool is_free(const VecX& q) {
    compute_kinematics(scene, q, workspace);
    return geste::is_free(model, workspace, memory);
  }
  std::optional<PairClearance> find_nearest(const VecX& q, double limit) {
    compute_kinematics(scene, q, workspace);
    return find_nearest_pair(model, workspace, memory, limit);
  }

  Rng rng;
  Scene scene;
  CollisionModel model;
  Workspace workspace;
  CollisionWorkspace memory;
  ConfigurationSampler sampler;
};

}  // namespace geste::testing

#pragma once

#include <functional>
#include <memory>

#include "geste/planning/rrt_connect.hpp"
#include "geste/planning/shorten.hpp"
#include "geste/proximity/verify_motion.hpp"

#include "proximity/scene_testing.hpp"

namespace geste::testing {

inline std::vector<JointId> independent_joints(const Scene& scene) {
  std::vector<JointId> joints;
  for (std::size_t i = 0; i < scene.joints().size(); ++i) {
    const Joint& j = scene.joints()[i];
    if (j.role == JointRole::independent && j.nv > 0) joints.emplace_back(static_cast<int>(i));
  }
  return joints;
}

/// Few samples: which pairs never collide does not matter in tests.
inline CollisionOptions make_plain_options() {
  CollisionOptions options;
  options.survey.samples = 20;
  return options;
}

using MakeRest = std::function<VecX(const Scene&)>;

/// A scene whose independent joints are a space.
struct SpaceRig {
  explicit SpaceRig(SceneSpec spec, const CollisionOptions& options = make_plain_options(),
                    const MakeRest& make_rest = make_neutral)
      : scene(Scene::compile(std::move(spec)).value()),
        model(CollisionModel::make(scene, options).value()),
        space(PlanningSpace::make(scene, model, independent_joints(scene), make_rest(scene))
                  .value()) {}

  Scene scene;
  CollisionModel model;
  PlanningSpace space;
};

/// For the second prover: what the first calls free may be as near as touching to within its own
/// 10 um.
inline VerifyOptions make_second_options() {
  VerifyOptions options;
  options.threads = 1;
  options.touch = 1e-7;
  return options;
}

using MakeSteering = std::function<std::unique_ptr<SteeringMethod>(const PlanningSpace&)>;

/// With all that planning in it takes, by straight legs unless another method is made.
struct Playground : SpaceRig {
  explicit Playground(
      SceneSpec spec, const CollisionOptions& options = make_plain_options(),
      const MakeSteering& make = std::make_unique<LinearSteering, const PlanningSpace&>,
      const MakeRest& make_rest = make_neutral)
      : SpaceRig(std::move(spec), options, make_rest),
        validator(scene, model, {.threads = 1}),
        steering(make(space)),
        local({space, *steering, validator}) {}

  VecX draw_free(Rng& rng) {
    VecX x(space.size());
    for (int i = 0; i < 1000; ++i) {
      space.sample(rng, x);
      if (local.is_free(x)) return x;
    }
    return {};
  }

  [[nodiscard]] JointMotion make_motion(const MatX& path) const {
    JointMotion motion{{}, MatX(scene.nq(), path.cols()), steering->course()};
    Workspace workspace(scene);
    for (Eigen::Index k = 0; k < path.cols(); ++k) {
      motion.times.push_back(static_cast<double>(k));
      EXPECT_TRUE(space.complete(path.col(k), motion.q.col(k), workspace));
    }
    return motion;
  }

  /// By the second prover, on all pairs that joints can bring together.
  [[nodiscard]] VerifyReport verify(const MatX& path) const {
    return verify_motion(scene, model, make_motion(path), make_second_options());
  }

  Validator validator;
  std::unique_ptr<SteeringMethod> steering;
  LocalPlanner local;
};

/// A box that stands somewhere and stays there.
inline void add_wall(SceneSpec& spec, const char* name, const Vec3& size, const Vec3& at) {
  BodySpec wall{name};
  wall.geometry.emplace_back();
  wall.geometry.back().shape = Box{size};
  wall.geometry.back().X_BG = Pose::translation(at);
  spec.bodies.push_back(wall);
}

/// A bar that must turn and go through a window in a wall, from one side to the other: a free body.
inline SceneSpec make_window_world(double bar = 0.6, double window = 0.3) {
  SceneSpec spec;
  BodySpec body{"bar"};
  body.geometry.emplace_back();
  body.geometry.back().shape = Box{Vec3(bar, 0.1, 0.1)};
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::free;
  joint.child = "bar";
  joint.limits = {{-1, 1}, {-0.6, 0.6}, {-0.6, 0.6}, {}, {}, {}};
  spec.joints.push_back(joint);
  const double side = (2 - window) / 2, middle = (2 + window) / 4;
  add_wall(spec, "left", Vec3(0.05, side, 2), Vec3(0, -middle, 0));
  add_wall(spec, "right", Vec3(0.05, side, 2), Vec3(0, middle, 0));
  add_wall(spec, "below", Vec3(0.05, window, side), Vec3(0, 0, -middle));
  add_wall(spec, "above", Vec3(0.05, window, side), Vec3(0, 0, middle));
  return spec;
}

/// Upright on the left and on the right of the wall: through the window it must lie down.
inline PlanningProblem make_window_problem() {
  const Quat upright(Eigen::AngleAxisd(kPi / 2, Vec3::UnitY()));
  PlanningProblem problem;
  problem.start.resize(7);
  problem.start << -0.6, 0.2, 0.1, upright.coeffs();
  problem.goals.push_back(problem.start);
  problem.goals.back()[0] = 0.6;
  return problem;
}

}  // namespace geste::testing

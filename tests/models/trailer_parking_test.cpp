// MV-2: the cart with a trailer backs into a place between two others that stand along a wall.
// Witnesses: how far both axles slip sideways, by poses alone, and the second prover.
#include <gtest/gtest.h>

#include "geste/model/kinematics.hpp"
#include "geste/planning/plan.hpp"
#include "geste/planning/steering/trailer.hpp"
#include "geste/planning/timing.hpp"

#include "models/mobile_testing.hpp"
#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

constexpr double kLength = 0.6;  // from the hitch to the trailer's axle

SceneSpec make_car_park() {
  SceneSpec spec = place_on_floor("trailer/trailer");
  add_wall(spec, "wall", Vec3(6, 0.1, 0.5), Vec3(0, -2, 0.25));
  add_wall(spec, "left", Vec3(1, 1.2, 0.5), Vec3(-0.95, -1.3, 0.25));
  add_wall(spec, "right", Vec3(1, 1.2, 0.5), Vec3(0.95, -1.3, 0.25));
  return spec;
}

/// Over a motion, in m: by how much the worse axle goes sideways, and how far the cart goes.
struct AxleWay {
  double slip = 0;
  double way = 0;
};
AxleWay measure_axles(const Scene& scene, const JointMotion& motion) {
  Workspace workspace(scene);
  const BodyId bodies[] = {*scene.find_body("robot/base"), *scene.find_body("robot/trailer")};
  const Vec3 axles[] = {Vec3::Zero(), Vec3(-kLength, 0, 0)};
  double slips[2] = {};
  AxleWay gone;
  Pose last[2];
  for (Eigen::Index k = 0; k < motion.q.cols(); ++k) {
    compute_kinematics(scene, motion.q.col(k), workspace);
    for (std::size_t i = 0; i < 2; ++i) {
      const Pose X = compute_pose(scene, workspace, bodies[i]);
      if (k > 0) {
        // Across the heading half way.
        const Vec3 step = X * axles[i] - last[i] * axles[i];
        slips[i] += std::abs(step.dot((X.R.col(1) + last[i].R.col(1)).normalized()));
        if (i == 0) gone.way += step.norm();
      }
      last[i] = X;
    }
  }
  gone.slip = std::max(slips[0], slips[1]);
  return gone;
}

TEST(TrailerParking, BacksInBetweenTwoOthers) {
  const Scene scene = Scene::compile(make_car_park()).value();
  const CollisionModel model = CollisionModel::make(scene, make_plain_options()).value();
  const PlanningSpace space =
      PlanningSpace::make(scene, model, independent_joints(scene), make_neutral(scene)).value();
  const auto steering = TrailerSteering::make(space, {.length = kLength}).value();
  const Validator validator(scene, model, {.threads = 1});
  // From along the street to the trailer at the wall.
  const PlanningProblem problem{Eigen::Vector4d(-1.5, 0.8, 0, 0),
                                {Eigen::Vector4d(0, -0.6, kPi / 2, 0)}};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    PlanOptions options;
    options.threads = 1;
    const PlanReport report =
        plan({space, *steering, validator}, problem, options, Budget::steps(20000), Rng(seed));
    ASSERT_EQ(report.status, PlanStatus::found) << to_text(report.status);
    const JointMotion motion = make_timed(space, Course::screw, report.path);
    EXPECT_TRUE(verify_motion(scene, model, motion, make_second_options()).is_free);
    const RateUse use = measure_rates(space, motion, make_rate_limits(space, {}));
    EXPECT_LE(use.velocity, 1 + 1e-9);
    EXPECT_LE(use.acceleration, 1 + 1e-6);
    const AxleWay gone = measure_axles(scene, motion);
    EXPECT_GT(gone.way, 2);
    EXPECT_LT(gone.slip, 0.02 * gone.way);
    // Along its curves it does not stop at every leg.
    EXPECT_LT(find_stops(space, Course::screw, report.path).size(),
              static_cast<std::size_t>(report.path.cols() - 2) / 2);
  }
}

}  // namespace
}  // namespace geste

#include "geste/planning/round.hpp"

#include <gtest/gtest.h>

#include "geste/planning/plan.hpp"

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

/// A small puck in the plane, and a post of this radius inside the corner of its way.
SceneSpec make_corner_world(double post) {
  SceneSpec spec = make_window_world(0.1);
  spec.bodies.resize(1);
  spec.joints[0].type = JointType::planar;
  spec.joints[0].axis = Vec3::UnitZ();
  spec.joints[0].limits = {{-9, 9, 0.5}, {-9, 9, 0.5}, {}};
  BodySpec body{"post"};
  body.geometry.emplace_back();
  body.geometry.back().shape = Cylinder{post, 1};
  body.geometry.back().X_BG = Pose::translation(0.8, 0.2, 0);
  spec.bodies.push_back(body);
  return spec;
}

MatX make_corner_path() {
  MatX path = MatX::Zero(3, 3);
  path.row(0) << 0, 1, 1;
  path.row(1) << 0, 0, 1;
  return path;
}

// The parabola takes half of each leg where nothing is in the way, less where something is.
TEST(RoundCorners, GoesAsFarFromTheCornerAsIsFree) {
  double last = kInfinity;
  for (const double post : {0.001, 0.1, 0.14}) {
    Playground p(make_corner_world(post));
    MatX path = make_corner_path();
    const double before = make_timed(p.space, Course::straight, path).times.back();
    const int rounded = round_corners(path, {}, {}, p.local);
    EXPECT_EQ(path.col(0), make_corner_path().col(0));
    EXPECT_EQ(path.rightCols(1), make_corner_path().rightCols(1));
    EXPECT_TRUE(p.verify(path).is_free) << post;
    const JointMotion motion = make_timed(p.space, Course::straight, path);
    const RateUse use = measure_rates(p.space, motion, make_rate_limits(p.space, {}));
    EXPECT_LE(use.acceleration, 1 + 1e-6);
    double depth = 0;  // how far from the corner
    for (Eigen::Index k = 0; k < path.cols(); ++k)
      depth = std::max(depth, std::min(1 - path(0, k), path(1, k)));
    if (rounded == 0) {
      EXPECT_EQ(path, make_corner_path());
      continue;
    }
    // With x = 1 - (1 - t)^2 r and y = t^2 r the middle is r / 4 away on both sides.
    EXPECT_NEAR(depth, post < 0.01 ? 0.125 : depth, 1e-3);
    EXPECT_LT(depth, last);
    EXPECT_LT(motion.times.back(), before - 0.05);
    last = depth;
  }
  EXPECT_LT(last, 0.1);
}

// MV-6: rounded ways of found motions are proven by the second prover, keep the limits and take
// less time.
TEST(RoundCorners, MakesFoundMotionsFaster) {
  double before = 0, after = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Playground p(make_window_world());
    const PlanningProblem problem = make_window_problem();
    PlanOptions options;
    options.threads = 1;
    MatX path =
        plan({p.space, *p.steering, p.validator}, problem, options, Budget::steps(20000), Rng(seed))
            .path;
    ASSERT_GT(path.cols(), 2);
    const JointMotion stopping = make_timed(p.space, Course::straight, path);
    const MatX corners = path;
    round_corners(path, {}, {}, p.local);
    const JointMotion motion = make_timed(p.space, Course::straight, path);
    EXPECT_TRUE(p.verify(path).is_free);
    EXPECT_TRUE(verify_motion(p.scene, p.model, motion, make_second_options()).is_free);
    EXPECT_EQ(path.col(0), corners.col(0));
    EXPECT_EQ(path.rightCols(1), corners.rightCols(1));
    const RateUse use = measure_rates(p.space, motion, make_rate_limits(p.space, {}));
    EXPECT_LE(use.velocity, 1 + 1e-9);
    EXPECT_LE(use.acceleration, 1 + 1e-6);
    EXPECT_LE(motion.times.back(), stopping.times.back() * 1.001);
    before += stopping.times.back();
    after += motion.times.back();
  }
  EXPECT_LT(after, 0.9 * before);
}

}  // namespace
}  // namespace geste

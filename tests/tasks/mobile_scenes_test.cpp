// MV-2, AR-1: what rolls does not go sideways, from the task files in scenes/. Witnesses: poses of
// axles alone, from moment to moment, and the second prover on the files of the result.
#include <gtest/gtest.h>

#include <algorithm>

#include "geste/core/files.hpp"
#include "geste/model/kinematics.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

class MobileScenesTest : public TaskTest {
 protected:
  TaskOutcome run_scene(const std::string& name, const std::string& instead = "") const {
    std::string text = load_file(testing::source_dir() / "scenes" / (name + ".yaml")).value();
    const std::string models = (testing::source_dir() / "models").string();
    for (std::size_t at = 0; (at = text.find("../models", at)) != std::string::npos;)
      text.replace(at, 9, models);
    if (!instead.empty()) text.replace(text.find("wheels, gripper"), 15, instead);
    Result<TaskOutcome> outcome = run(write(name + ".yaml", text));
    if (!instead.empty() && !outcome) throw std::runtime_error(to_text(outcome.error()));
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return std::move(*outcome);
  }
};

/// What an axle does over a motion.
struct AxleWay {
  double slip = 0;   ///< m, sideways, in all
  double way = 0;    ///< m
  double bend = 0;   ///< rad/m, the sharpest
  double worst = 0;  ///< slip from one moment to the next, as a share of the step
};

AxleWay measure_axle(const TaskOutcome& outcome, const char* body, const Vec3& axle) {
  const Scene& scene = outcome.world.scene;
  const MatX& q = outcome.result.motion.q;
  Workspace workspace(scene);
  AxleWay gone;
  Pose last;
  for (Eigen::Index k = 0; k < q.cols(); ++k) {
    compute_kinematics(scene, q.col(k), workspace);
    const Pose X = compute_pose(scene, workspace, *scene.find_body(body));
    if (k > 0) {
      const Vec3 step = X * axle - last * axle;
      // Across the heading half way: 0 along an arc.
      const double slip = std::abs(step.dot((X.R.col(1) + last.R.col(1)).normalized()));
      const double turn = Eigen::AngleAxisd(last.R.transpose() * X.R).angle();
      gone.slip += slip;
      gone.way += step.norm();
      if (step.norm() > 1e-4) {
        gone.bend = std::max(gone.bend, turn / step.norm());
        gone.worst = std::max(gone.worst, slip / step.norm());
      }
    }
    last = X;
  }
  return gone;
}

TEST_F(MobileScenesTest, CartWithATrailerParks) {
  const TaskOutcome outcome = run_scene("parking");
  expect_proven(outcome);
  const AxleWay cart = measure_axle(outcome, "cart/base", Vec3::Zero());
  const AxleWay trailer = measure_axle(outcome, "cart/trailer", Vec3(-0.6, 0, 0));
  EXPECT_GT(cart.way, 2);
  EXPECT_LT(cart.slip, 0.02 * cart.way);
  EXPECT_LT(trailer.slip, 0.02 * trailer.way);
  const Scene& scene = outcome.world.scene;
  const VecX end = outcome.result.motion.q.rightCols(1);
  const int root = scene.joint(*scene.find_joint("cart/root")).q;
  EXPECT_NEAR((end.segment<3>(root) - Vec3(0, -0.6, kPi / 2)).norm(), 0, 1e-9);
  EXPECT_NEAR(end[scene.joint(*scene.find_joint("cart/hitch")).q], 0, 1e-9);
}

TEST_F(MobileScenesTest, MobileArmRollsAndReaches) {
  const TaskOutcome outcome = run_scene("fetch");
  expect_proven(outcome);
  const AxleWay base = measure_axle(outcome, "robot/base", Vec3::Zero());
  EXPECT_GT(base.way, 3);
  EXPECT_LT(base.worst, 1e-6);
  EXPECT_LE(base.bend, 1 / 0.6 + 1e-3);
  const Scene& scene = outcome.world.scene;
  const MatX& q = outcome.result.motion.q;
  const auto row = [&](const char* joint) {
    return q.row(scene.joint(*scene.find_joint(joint)).q);
  };
  EXPECT_NEAR(row("robot/arm_joint5").rightCols(1)(0), 1.0708, 1e-9);
  for (const char* joint : {"robot/wheel_left_joint", "robot/arm_finger_left_joint"})
    EXPECT_EQ(row(joint).maxCoeff(), row(joint).minCoeff()) << "is to stay";
}

TEST_F(MobileScenesTest, NamesWhatIsToStayAndIsNotThere) {
  try {
    run_scene("fetch", "wheel");
    FAIL();
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("is called 'wheel'"), std::string::npos) << text;
    EXPECT_NE(text.find("robot/wheel_left_joint"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace geste

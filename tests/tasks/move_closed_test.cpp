// Motions of closed chains and of bodies that keep something, as task files ask for them (MV-4).
#include <gtest/gtest.h>

#include "geste/formats/result_files.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/tasks/move.hpp"
#include "geste/tasks/verify.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

/// Calls visit(workspace) at moments of the motion a hundredth of a second apart.
template <class Visit>
void walk(const TaskOutcome& outcome, Visit visit) {
  const Scene& scene = outcome.world.scene;
  Workspace workspace(scene);
  VecX q(scene.nq());
  const JointMotion& motion = outcome.result.motion;
  for (double t = 0; t <= motion.times.back(); t += 0.01) {
    interpolate(scene, motion, t, q);
    compute_kinematics(scene, q, workspace);
    visit(workspace);
  }
}

// MV-4, GX-2: two mobile robots with a dumbbell, closed by a general loop, in a corridor with a
// turn.
TEST_F(TaskTest, CarriesADumbbellRoundACorner) {
  const auto outcome = run(testing::source_dir() / "scenes/carry.yaml");
  ASSERT_TRUE(outcome) << to_text(outcome.error());
  ASSERT_TRUE(outcome->result.found) << outcome->result.verdict;
  const Scene& scene = outcome->world.scene;
  const BodyId grip = *scene.find_body("second/grip"), end = *scene.find_body("bar/far_end");
  double apart = 0;
  Vec3 last = Vec3::Zero();
  walk(*outcome, [&](const Workspace& workspace) {
    last = compute_pose(scene, workspace, end).p;
    apart = std::max(apart, (compute_pose(scene, workspace, grip).p - last).norm());
  });
  EXPECT_LT(apart, 1e-3);
  EXPECT_NEAR((last - Vec3(0, 3.8, 0.5)).norm(), 0, 0.02);
  ASSERT_TRUE(write_result(folder_ / "result", outcome->world, outcome->result));
  const auto verified = verify_result(folder_ / "result", {});
  ASSERT_TRUE(verified) << to_text(verified.error());
  EXPECT_TRUE(verified->verified) << verified->text;
}

TEST_F(TaskTest, KeepsACupUpright) {
  const auto outcome = run(testing::source_dir() / "scenes/upright.yaml");
  ASSERT_TRUE(outcome) << to_text(outcome.error());
  ASSERT_TRUE(outcome->result.found) << outcome->result.verdict;
  const Scene& scene = outcome->world.scene;
  const BodyId cup = *scene.find_body("cup");
  double tilt = 0, highest = 0;
  walk(*outcome, [&](const Workspace& workspace) {
    const Pose X = compute_pose(scene, workspace, cup);
    tilt = std::max(tilt, (X.R.col(2) - Vec3::UnitZ()).norm());
    highest = std::max(highest, X.p.z());
  });
  EXPECT_LT(tilt, 1e-3);
  EXPECT_GT(highest, 0.5);  // over the wall
  ASSERT_TRUE(write_result(folder_ / "result", outcome->world, outcome->result));
  const auto verified = verify_result(folder_ / "result", {});
  ASSERT_TRUE(verified) << to_text(verified.error());
  EXPECT_TRUE(verified->verified) << verified->text;
}

TEST_F(TaskTest, SaysWhatIsWrongWithChainsAndConstraints) {
  const std::string arm = (testing::source_dir() / "models/arm6/arm6").string();
  const auto make = [&](const std::string& more, const std::string& option) {
    return fmt::format(R"(geste: 1
actors:
  - {{name: arm, urdf: {0}.urdf, srdf: {0}.srdf}}
{1}
task:
  move: {{actor: arm, goal: {{joints: {{arm/joint1: 0.3}}}}{2}}}
)",
                       arm, more, option);
  };
  const auto refuse = [&](const std::string& more, const std::string& option) {
    const auto outcome = run(write("t.yaml", make(more, option)));
    EXPECT_FALSE(outcome);
    return outcome ? Error{} : outcome.error();
  };
  const Error open = refuse(
      "loops: [{name: tether, a: {pose: {xyz: [3, 0, 0]}}, b: {body: arm/tool}, free: [rx, ry, "
      "rz]}]",
      "");
  EXPECT_EQ(open.code, "plan.loop_open");
  EXPECT_EQ(open.element, "loop 'tether'");
  EXPECT_NE(open.message.find("cannot be closed"), std::string::npos);
  EXPECT_NE(open.file.find("t.yaml"), std::string::npos);
  EXPECT_EQ(refuse("", ", keep: [arm/tol.roll]").code, "attach.unknown_body");
  EXPECT_EQ(refuse("", ", keep: [arm/base.roll]").code, "constraint.not_moved");
  for (const char* wrong : {"arm/tool.tilt", "arm/tool", "roll."})
    EXPECT_EQ(refuse("", fmt::format(", keep: [{}]", wrong)).code, "move.keep") << wrong;
}

}  // namespace
}  // namespace geste

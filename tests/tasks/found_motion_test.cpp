// What tasks say of a motion that its proof refuses: never "found". The motions are given, so that
// no search stands between.
#include "geste/tasks/internal/found_motion.hpp"

#include <gtest/gtest.h>

#include "geste/tasks/internal/certify.hpp"
#include "geste/tasks/internal/closing.hpp"

#include "tasks/task_testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

/// An arm in the plane: a bar with a finger at its end.
constexpr const char* kPlanarArm = R"(<robot name="r"><link name="base"/>
  <link name="bar"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.04 0.04"/></geometry></collision></link>
  <link name="finger"><collision><origin xyz="0.1 0 0"/><geometry><box size="0.2 0.02 0.02"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="bar"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="close" type="revolute"><parent link="bar"/><child link="finger"/><origin xyz="1.1 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>)";

/// A post at (x, y); the stretched arm lies along x.
std::string make_task(double y, double x = 0.8) {
  return fmt::format(R"(geste: 1
parts:
  - {{name: post, box: [0.04, 0.04, 0.5], pose: {{xyz: [{}, {}, 0]}}}}
actors: [{{name: arm, urdf: arm.urdf}}]
configurations:
  - {{name: shut, joints: {{arm/close: 0.5}}}}
task:
  move: {{actor: arm, goal: {{joints: {{arm/turn: 0.5, arm/close: 0}}}}}}
)",
                     x, y);
}

class FoundMotion : public TaskTest {
 protected:
  /// The rig of a task, with one joint planned and one left over.
  void load(double y) {
    write("arm.urdf", kPlanarArm);
    loaded_.emplace(load_task(write("t.yaml", make_task(y))).value());
    world_.emplace(load_task_scene(loaded_->file).value());
    const JointId turn = *world_->scene.find_joint("arm/turn");
    rig_ = internal::PlanningRig::make(*world_, loaded_->file, {&turn, 1}, {}, 1, {}).value();
    run_.emplace(TaskRun{loaded_->file, 1, 1, Budget(), no_progress()});
  }
  [[nodiscard]] TaskResult take(double to) const {
    PlanReport report;
    report.path.resize(1, 2);
    report.path << 0, to;
    TaskResult result;
    const Result<bool> done =
        internal::take_motion(*world_, *run_, *rig_, report, {.round = false}, result);
    EXPECT_TRUE(done && *done);
    return result;
  }

  std::optional<LoadedTask> loaded_;
  std::optional<TaskScene> world_;
  std::unique_ptr<internal::PlanningRig> rig_;
  std::optional<TaskRun> run_;
};

TEST_F(FoundMotion, IsFoundOnlyWhereItIsProven) {
  load(0.2);
  const TaskResult free = take(-0.5);
  EXPECT_TRUE(free.found) << free.verdict;
  EXPECT_NE(free.verdict.find("Found"), std::string::npos) << free.verdict;
  // Through the post: a path that no planner should have given.
  const TaskResult hit = take(0.5);
  ASSERT_TRUE(hit.certificate);
  EXPECT_FALSE(hit.certificate->is_free);
  EXPECT_FALSE(hit.found) << hit.verdict;
  EXPECT_EQ(hit.verdict.find("Found"), std::string::npos) << hit.verdict;
  EXPECT_NE(hit.verdict.find("post"), std::string::npos) << hit.verdict;
}

TEST_F(FoundMotion, ClosesOnlyWhatIsProven) {
  load(0.2);
  const auto close = [&](double turned) {
    TaskResult result;
    result.motion.times = {0, 1};
    result.motion.q = MatX::Zero(world_->scene.nq(), 2);
    result.motion.q(world_->scene.joint(*world_->scene.find_joint("arm/turn")).q, 1) = turned;
    const Result<bool> done =
        internal::close_joints(*world_, *run_, *rig_, "arm", "shut", 1, result);
    EXPECT_TRUE(done && *done);
    return result;
  };
  const TaskResult free = close(-0.5);
  EXPECT_TRUE(free.found) << free.verdict;
  // It is in the post before anything closes.
  const TaskResult hit = close(0.5);
  ASSERT_TRUE(hit.certificate);
  EXPECT_FALSE(hit.certificate->is_free);
  EXPECT_FALSE(hit.found) << hit.verdict;
  EXPECT_EQ(hit.verdict.find("Found"), std::string::npos) << hit.verdict;
}

/// Whether a recorded motion that turns the arm is certified free.
class CertificateTest : public FoundMotion {
 protected:
  Certificate certify(double y, double to, const std::string& more = "", double x = 0.8) {
    write("arm.urdf", kPlanarArm);
    write("m.csv", fmt::format("time,arm/turn\n0,0\n1,{}\n", to));
    std::string text = make_task(y, x);
    text.replace(text.find("task:"), std::string::npos,
                 more + "task:\n  replay: {motion: m.csv}\n");
    const Result<TaskOutcome> outcome = run(write("r.yaml", text));
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    EXPECT_TRUE(outcome->result.certificate);
    return *outcome->result.certificate;
  }
};

// The joint's limits keep the arm from a post that the recorded motion, which breaks them, runs
// into.
TEST_F(CertificateTest, CountsWhatLimitsWouldKeepApart) {
  EXPECT_TRUE(certify(0.5, 0.9, "", -0.7).is_free);
  const Certificate broken = certify(0.5, 2.6, "", -0.7);
  EXPECT_FALSE(broken.is_free);
  ASSERT_TRUE(broken.contact);
  EXPECT_TRUE(broken.contact->a == "post" || broken.contact->b == "post");
}

TEST_F(CertificateTest, ClaimsTheLeastClearanceOfTheWholeMotion) {
  // It begins 0.08 below the post and ends farther away, so the begin is tightest; the other way
  // round the end is.
  const Certificate away = certify(0.12, -0.2);
  ASSERT_TRUE(away.is_free);
  EXPECT_LE(away.clearance, 0.08);
  EXPECT_GE(away.clearance, 0.08 * 0.85);
  const Certificate near = certify(0.12, 0.05);
  ASSERT_TRUE(near.is_free);
  // The bar's upper edge, y = x tan(0.05) + 0.02 / cos(0.05), below the post's corner at 0.82.
  const double gap = (0.1 - 0.82 * std::tan(0.05)) * std::cos(0.05) - 0.02;
  EXPECT_LE(near.clearance, gap + 1e-9);
  EXPECT_GE(near.clearance, 0.85 * gap);
}

TEST_F(CertificateTest, KeepsTheMarginsOfTheTask) {
  EXPECT_TRUE(certify(0.12, -0.2).is_free);
  EXPECT_FALSE(certify(0.12, -0.2, "collision: {margin: 90 mm}\n").is_free);
}

/// A box of 100 mm before a gate of 90 mm.
TEST_F(TaskTest, PointsOfAMissingClearanceLieOnTheirBodies) {
  const auto outcome = run(write("t.yaml", R"(geste: 1
parts:
  - {name: left, box: [0.1, 2, 2], pose: {xyz: [0, -1.045, 0]}}
  - {name: right, box: [0.1, 2, 2], pose: {xyz: [0, 1.045, 0]}}
  - {name: plank, box: [0.4, 0.1, 0.3], pose: {xyz: [-0.6, 0.02, 0]}, movable: true}
task:
  move: {actor: plank, goal: {pose: {xyz: [0.6, -0.01, 0]}}, room: {low: [-1.2, -0.8, -0.7], high: [1.2, 0.8, 0.7]}, samples: 1500}
)"));
  ASSERT_TRUE(outcome) << to_text(outcome.error());
  EXPECT_FALSE(outcome->result.found);
  ASSERT_TRUE(outcome->result.reasons && outcome->result.reasons->gap) << outcome->result.verdict;
  const Reasons::Gap& gap = *outcome->result.reasons->gap;
  EXPECT_EQ(gap.moved, "plank");
  EXPECT_GE(gap.missing, 0.0099);
  EXPECT_LE(gap.missing, 0.02);
  ASSERT_FALSE(gap.between.empty());
  EXPECT_GT(gap.depth, 1e-4);
  // The gate's faces are 45 mm from its middle: the other's point lies on one, the plank's behind.
  EXPECT_NEAR(std::abs(gap.on_other.y()), 0.045, 1e-5);
  EXPECT_NEAR(std::abs(gap.on_moved.y()), 0.045 + gap.depth, 1e-3 * gap.depth + 1e-5);
  EXPECT_GT(gap.on_other.y() * gap.on_moved.y(), 0);
}

}  // namespace
}  // namespace geste

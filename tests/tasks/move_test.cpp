#include "geste/tasks/move.hpp"

#include <gtest/gtest.h>

#include "geste/formats/result_files.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/tasks/verify.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

/// A plank that leans on nothing and must go round a post, or through a gate of some width.
std::string make_task(const std::string& goal, const std::string& more = "", double gate = 0.4) {
  return fmt::format(R"(geste: 1
parts:
  - {{name: left, box: [0.1, 2, 2], pose: {{xyz: [0, {0}, 0]}}}}
  - {{name: right, box: [0.1, 2, 2], pose: {{xyz: [0, {1}, 0]}}}}
  - {{name: plank, box: [0.8, 0.1, 0.3], pose: {{xyz: [-1, 0, 0], rpy_deg: [0, 0, 90]}}, movable: true}}
{3}
task:
  move: {{actor: plank, goal: {2}, room: {{low: [-1.5, -0.9, -0.7], high: [1.5, 0.9, 0.7]}}, samples: 30000}}
)",
                     -1 - gate / 2, 1 + gate / 2, goal, more);
}

const char* const kThere = "{pose: {xyz: [1, 0, 0], rpy_deg: [0, 0, 90]}}";

TaskOutcome take(Result<TaskOutcome> outcome) {
  EXPECT_TRUE(outcome) << to_text(outcome.error());
  return std::move(*outcome);
}

// MV-1, MV-6, GX-2: found, proven, and proven again from the files alone.
TEST_F(TaskTest, MovesAPartThroughAGateAndVerifies) {
  const TaskOutcome outcome = take(run(write("t.yaml", make_task(kThere))));
  const TaskResult& result = outcome.result;
  ASSERT_TRUE(result.found) << result.verdict;
  ASSERT_TRUE(result.certificate && result.certificate->is_free) << result.verdict;
  const Scene& scene = outcome.world.scene;
  Workspace workspace(scene);
  compute_kinematics(scene, result.motion.q.rightCols(1), workspace);
  const Pose X = compute_pose(scene, workspace, *scene.find_body("plank"));
  EXPECT_NEAR((X.p - Vec3(1, 0, 0)).norm(), 0, 1e-9);
  EXPECT_NEAR((X.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 0, 1e-9);
  ASSERT_TRUE(write_result(folder_ / "result", outcome.world, result));
  const auto verified = verify_result(folder_ / "result", {});
  ASSERT_TRUE(verified) << to_text(verified.error());
  EXPECT_TRUE(verified->verified) << verified->text;
}

// GX-6
TEST_F(TaskTest, MovesTheSameWayOnAnyNumberOfThreads) {
  const testing::fs::path file = write("t.yaml", make_task(kThere));
  std::string first;
  for (const int threads : {1, 2, 4}) {
    Result<LoadedTask> loaded = load_task(file);
    ASSERT_TRUE(loaded);
    const TaskOutcome outcome =
        take(loaded->task->run({loaded->file, 7, threads, Budget(), no_progress()}));
    const std::string bytes = make_result_json(outcome.world.scene, outcome.result);
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes, first) << threads << " threads";
  }
}

// GX-3: ends that are not free are said so, by name and depth.
TEST_F(TaskTest, NamesWhatCollidesAtTheEndsOfAMove) {
  const TaskOutcome goal =
      take(run(write("g.yaml", make_task("{pose: {xyz: [0.08, -0.5, 0], rpy_deg: [0, 0, 90]}}"))));
  EXPECT_FALSE(goal.result.found);
  EXPECT_NE(goal.result.verdict.find("left and plank collide, "), std::string::npos)
      << goal.result.verdict;
  ASSERT_EQ(goal.result.collisions.size(), 1u);
  EXPECT_EQ(goal.result.collisions[0].where, "goal");
  EXPECT_NEAR(goal.result.collisions[0].depth, 0.02, 1e-6);

  const TaskOutcome start = take(run(write(
      "s.yaml",
      make_task(kThere, "  - {name: crate, box: [0.3, 0.3, 0.3], pose: {xyz: [-1, 0, 0.2]}}"))));
  EXPECT_FALSE(start.result.found);
  EXPECT_NE(start.result.verdict.find("the start is not free: plank and crate collide"),
            std::string::npos)
      << start.result.verdict;
}

// GX-3: what was in the way when the search gives up: a plank of 100 mm before a gate of 80 mm.
TEST_F(TaskTest, SaysWhatWasInTheWayOfAMove) {
  std::string text = make_task("{pose: {xyz: [1, 0.1, 0]}}", "", 0.08);
  text.replace(text.find("samples: 30000"), 14, "samples: 3000");
  text.replace(text.find("rpy_deg: [0, 0, 90]"), 19, "rpy_deg: [0, 0, 10]");
  const TaskOutcome outcome = take(run(write("t.yaml", text)));
  EXPECT_FALSE(outcome.result.found);
  EXPECT_EQ(outcome.result.motion.times.size(), 1u);  // where it begins
  ASSERT_TRUE(outcome.result.reasons);
  // No ball of 100 mm gets through 80 mm, nor round the walls within the room.
  EXPECT_EQ(outcome.result.reasons->kind, "blocked") << outcome.result.verdict;
  ASSERT_TRUE(outcome.result.reasons->enclosure);
  EXPECT_TRUE(outcome.result.reasons->enclosure->needs_range);
  ASSERT_EQ(outcome.result.reasons->without.size(), 1u) << outcome.result.verdict;
  const std::string& without = outcome.result.reasons->without[0];
  EXPECT_TRUE(without == "left" || without == "right") << without;
  ASSERT_TRUE(outcome.result.reasons->gap);
  EXPECT_GE(outcome.result.reasons->gap->missing, 0.02);
  EXPECT_LE(outcome.result.reasons->gap->missing, 0.04);
  ASSERT_TRUE(outcome.result.reasons->approach);
  EXPECT_LT(outcome.result.reasons->approach->position.x(), 0.2);
  ASSERT_TRUE(write_result(folder_ / "result", outcome.world, outcome.result));
}

// GX-3: whichever planner gives up.
TEST_F(TaskTest, SaysWhatWasInTheWayOfAnyPlanner) {
  std::string text = make_task("{pose: {xyz: [1, 0.1, 0]}}", "", 0.08);
  text.replace(text.find("samples: 30000"), 14, "samples: 1500");
  text.replace(text.find("rpy_deg: [0, 0, 90]"), 19, "rpy_deg: [0, 0, 10]");
  for (const char* planner : {"prm", "visibility_prm", "ompl/RRTConnect", "ompl/KPIECE1"}) {
    SCOPED_TRACE(planner);
    std::string asked = text;
    asked.insert(asked.find("samples:"), fmt::format("planner: {}, ", planner));
    const TaskOutcome outcome = take(run(write("t.yaml", asked)));
    EXPECT_FALSE(outcome.result.found);
    ASSERT_TRUE(outcome.result.reasons);
    ASSERT_EQ(outcome.result.reasons->without.size(), 1u) << outcome.result.verdict;
    EXPECT_EQ(outcome.result.verdict.find("inf"), std::string::npos) << outcome.result.verdict;
  }
}

// MV-1: one of several poses, or anywhere outside a box.
TEST_F(TaskTest, MovesAPartToOneOfSeveralGoals) {
  const TaskOutcome poses = take(run(write(
      "p.yaml", make_task("{poses: [{pose: {xyz: [0, -0.5, 0]}}, {pose: {xyz: [1, 0, 0]}}]}"))));
  ASSERT_TRUE(poses.result.found) << poses.result.verdict;
  EXPECT_TRUE(poses.result.collisions.empty());
  const auto place = [](const TaskOutcome& outcome) {
    const Scene& scene = outcome.world.scene;
    Workspace workspace(scene);
    compute_kinematics(scene, outcome.result.motion.q.rightCols(1), workspace);
    return compute_pose(scene, workspace, *scene.find_body("plank"));
  };
  EXPECT_NEAR((place(poses).p - Vec3(1, 0, 0)).norm(), 0, 1e-9);
  const TaskOutcome outside =
      take(run(write("o.yaml", make_task("{outside: {low: [-3, -2, -2], high: [0.2, 2, 2]}}"))));
  ASSERT_TRUE(outside.result.found) << outside.result.verdict;
  const Pose X = place(outside);
  EXPECT_GT(X.p.x() - X.R.row(0).cwiseAbs().dot(Vec3(0.4, 0.05, 0.15)), 0.2);
  const TaskOutcome wall =
      take(run(write("w.yaml", make_task("{poses: [{pose: {xyz: [0, -0.5, 0]}}]}"))));
  EXPECT_FALSE(wall.result.found);
  EXPECT_EQ(wall.result.reasons->kind, "goal");
  EXPECT_FALSE(wall.result.collisions.empty());
}

constexpr const char* kArmTask = R"(geste: 1
parts:
  - {name: post, box: [0.1, 0.1, 1.2], pose: {xyz: [0.4, 0, 0.6]}}
actors:
  - {name: arm, urdf: SOURCE/models/arm6/arm6.urdf, srdf: SOURCE/models/arm6/arm6.srdf, start: side}
configurations:
  - {name: side, joints: {arm/joint1: -1.2, arm/joint2: 0.6, arm/joint3: 0.4}}
  - {name: other, joints: {arm/joint1: 1.2, arm/joint2: 0.6, arm/joint3: 0.4}}
task:
  move: {actor: arm, group: arm, goal: GOAL}
)";

class MoveArm : public TaskTest {
 protected:
  Result<TaskOutcome> move(const std::string& goal) const {
    std::string text = kArmTask;
    const std::string source = testing::source_dir().string();
    for (std::size_t i; (i = text.find("SOURCE")) != std::string::npos;) text.replace(i, 6, source);
    text.replace(text.find("GOAL"), 4, goal);
    return run(write("arm.yaml", text));
  }
};

TEST_F(MoveArm, ReachesAConfigurationRoundAPost) {
  const TaskOutcome outcome = take(move("{configuration: other}"));
  ASSERT_TRUE(outcome.result.found) << outcome.result.verdict;
  EXPECT_TRUE(outcome.result.certificate->is_free);
  const Scene& scene = outcome.world.scene;
  EXPECT_NEAR(outcome.result.motion.q(scene.joint(*scene.find_joint("arm/joint1")).q,
                                      outcome.result.motion.q.cols() - 1),
              1.2, 1e-12);
}

TEST_F(MoveArm, ReachesAPoseOfItsTool) {
  const TaskOutcome reference = take(move("{configuration: other}"));
  const Scene& scene = reference.world.scene;
  Workspace workspace(scene);
  compute_kinematics(scene, reference.result.motion.q.rightCols(1), workspace);
  const BodyId tool = *scene.find_body("arm/tool");
  const Pose X = compute_pose(scene, workspace, tool);
  const Quat q = X.quaternion();
  const TaskOutcome outcome = take(move(
      fmt::format("{{body: arm/tool, pose: {{xyz: [{}, {}, {}], quaternion: [{}, {}, {}, {}]}}}}",
                  X.p.x(), X.p.y(), X.p.z(), q.x(), q.y(), q.z(), q.w())));
  ASSERT_TRUE(outcome.result.found) << outcome.result.verdict;
  compute_kinematics(scene, outcome.result.motion.q.rightCols(1), workspace);
  EXPECT_NEAR((compute_pose(scene, workspace, tool).p - X.p).norm(), 0, 2e-5);
  const TaskOutcome far = take(move("{body: arm/tool, pose: {xyz: [5, 0, 0]}}"));
  EXPECT_FALSE(far.result.found);
  EXPECT_NE(far.result.verdict.find("out of reach"), std::string::npos) << far.result.verdict;
}

TEST_F(MoveArm, NamesFaultsOfTheTask) {
  const auto code = [&](const std::string& goal) {
    const Result<TaskOutcome> outcome = move(goal);
    return outcome ? std::string("none") : outcome.error().code;
  };
  EXPECT_EQ(code("{configuration: nowhere}"), "plan.unknown_configuration");
  EXPECT_EQ(code("{joints: {arm/joint99: 1}}"), "plan.unknown_joint");
  EXPECT_EQ(code("{joints: {arm/joint1: [1, 2]}}"), "plan.joint_values");
  EXPECT_EQ(code("{joints: {arm/finger_left_joint: 0.01}}"), "plan.joint_not_planned");
  EXPECT_EQ(code("{}"), "move.options");
  EXPECT_EQ(code("{configuration: other, joints: {arm/joint1: 1}}"), "move.options");
  EXPECT_EQ(code("{pose: {xyz: [1, 0, 0]}}"), "plan.unknown_body");
}

TEST_F(TaskTest, NamesActorsThatCannotMove) {
  const auto code = [&](std::string text, const std::string& actor) {
    text.replace(text.find("actor: plank"), 12, "actor: " + actor);
    const Result<TaskOutcome> outcome = run(write("t.yaml", text));
    return outcome ? std::string("none") : outcome.error().code;
  };
  EXPECT_EQ(code(make_task(kThere), "nobody"), "plan.unknown_actor");
  EXPECT_EQ(code(make_task(kThere), "left"), "plan.nothing_moves");
}

}  // namespace
}  // namespace geste

// What tasks say when there is no motion (GX-3, GX-12): every statement is graded, and holds. Truth
// is known from how the scenes are made. `./bench reasons` asks many more of these questions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "geste/formats/result_files.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/verify_motion.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

class ReasonsTest : public TaskTest {
 protected:
  /// The answer to a task file, by default without a limit of time.
  TaskResult ask(const std::string& text, const Budget& budget = {}) const {
    Result<LoadedTask> loaded = load_task(write("t.yaml", text));
    EXPECT_TRUE(loaded) << to_text(loaded.error());
    Result<TaskOutcome> outcome = loaded->task->run({loaded->file, 1, 0, budget, no_progress()});
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    json_ = make_result_json(outcome->world.scene, outcome->result);
    if (outcome->result.found) expect_proven(*outcome);
    return outcome->result;
  }

  static Budget make_past() {
    Budget budget;
    budget.deadline = make_deadline(-1);
    return budget;
  }

  mutable std::string json_;  ///< of the last answer
};

/// The arm of six joints with its tool on a height and turned somehow.
std::string make_arm_task(const std::string& goal, const std::string& keep) {
  return fmt::format(R"(geste: 1
parts:
  - {{name: floor, box: [2, 2, 0.02], pose: {{xyz: [0, 0, -0.05]}}}}
actors:
  - {{name: arm, urdf: {0}/models/arm6/arm6.urdf, srdf: {0}/models/arm6/arm6.srdf, start: begin}}
configurations:
  - {{name: begin, joints: {{arm/joint1: -0.5, arm/joint2: 0.6, arm/joint3: 0.4}}}}
  - {{name: lower, joints: {{arm/joint1: -0.5, arm/joint2: 0.8, arm/joint3: 0.4}}}}
  - {{name: turned, joints: {{arm/joint1: 0.4, arm/joint2: 0.6, arm/joint3: 0.4}}}}
task:
  move: {{actor: arm, group: arm, goal: {1}, keep: [{2}]}}
)",
                     testing::source_dir().string(), goal, keep);
}

// GX-3: a goal that `keep` forbids is not changed; both are named, and by how much.
TEST_F(ReasonsTest, NamesAGoalThatContradictsWhatIsKept) {
  struct Case {
    const char *goal, *keep;
    double by;
    bool is_angle;
  };
  for (const Case& c :
       {Case{"{joints: {arm/joint1: 0.4}}", "arm/tool.yaw", 0.9, true},
        Case{"{configuration: turned}", "arm/tool.yaw", 0.9, true},
        Case{"{configuration: lower}", "arm/tool.z", -1, false},
        Case{"{joints: {arm/joint2: 0.8}}", "arm/tool.z", -1, false},
        Case{"{body: arm/tool, pose: {xyz: [0.5, -0.2, 0.9]}}", "arm/tool.z", -1, false}}) {
    SCOPED_TRACE(c.goal);
    const TaskResult result = ask(make_arm_task(c.goal, c.keep));
    EXPECT_FALSE(result.found) << result.verdict;
    ASSERT_TRUE(result.reasons);
    EXPECT_EQ(result.reasons->kind, "keep") << result.verdict;
    EXPECT_EQ(result.reasons->grade, Grade::proven);
    ASSERT_EQ(result.reasons->conflicts.size(), 1u);
    EXPECT_EQ(result.reasons->conflicts[0].what, c.keep);
    EXPECT_EQ(result.reasons->conflicts[0].is_angle, c.is_angle);
    if (c.by > 0) {
      EXPECT_NEAR(result.reasons->conflicts[0].by, c.by, 1e-9);
      EXPECT_NE(result.verdict.find("51.6 deg"), std::string::npos) << result.verdict;
    }
    EXPECT_NE(result.verdict.find("`keep` and the goal"), std::string::npos) << result.verdict;
    EXPECT_NE(result.verdict.find(c.keep), std::string::npos) << result.verdict;
    EXPECT_NE(json_.find("\"kind\": \"keep\""), std::string::npos);
  }
}

// The height that joint2 takes the tool down by, against kinematics.
TEST_F(ReasonsTest, MeasuresHowFarAGoalIsOffWhatIsKept) {
  const TaskResult free = ask(make_arm_task("{configuration: lower}", ""));
  ASSERT_TRUE(free.found) << free.verdict;
  Result<LoadedTask> loaded = load_task(folder_ / "t.yaml");
  const TaskScene world = load_task_scene(loaded->file).value();
  Workspace workspace(world.scene);
  const BodyId tool = *world.scene.find_body("arm/tool");
  const auto height = [&](ConstVecRef q) {
    compute_kinematics(world.scene, q, workspace);
    return compute_pose(world.scene, workspace, tool).p.z();
  };
  const double by = height(free.motion.q.leftCols(1)) - height(free.motion.q.rightCols(1));
  const TaskResult kept = ask(make_arm_task("{configuration: lower}", "arm/tool.z"));
  ASSERT_EQ(kept.reasons->conflicts.size(), 1u) << kept.verdict;
  EXPECT_NEAR(kept.reasons->conflicts[0].by, std::abs(by), 1e-6);
}

// A goal that keeps what it should is reached as asked.
TEST_F(ReasonsTest, ReachesAGoalThatKeepsWhatItShould) {
  const TaskResult result = ask(make_arm_task("{configuration: turned}", "arm/tool.z"));
  ASSERT_TRUE(result.found) << result.verdict;
  Result<LoadedTask> loaded = load_task(folder_ / "t.yaml");
  const Scene scene = load_task_scene(loaded->file).value().scene;
  EXPECT_NEAR(
      result.motion.q(scene.joint(*scene.find_joint("arm/joint1")).q, result.motion.q.cols() - 1),
      0.4, 1e-7);
}

std::string make_bar_task(const std::string& parts, const std::string& goal,
                          const std::string& more = "samples: 3000") {
  return fmt::format(R"(geste: 1
parts:
  - {{name: bar, box: [0.3, 0.1, 0.1], pose: {{xyz: [-0.6, 0, 0], rpy_deg: [0, 0, 5]}}, movable: true}}
{}task:
  move: {{actor: bar, goal: {}, room: {{low: [-0.9, -0.35, -0.35], high: [0.9, 0.35, 0.35]}}, {}}}
)",
                     parts, goal, more);
}

const char* const kBehind = "{pose: {xyz: [0.6, 0, 0]}}";

std::string make_window(double window) {
  const double away = window / 2 + 0.6;
  return fmt::format(R"(  - {{name: left, box: [0.04, 1.2, 3], pose: {{xyz: [0, {0}, 0]}}}}
  - {{name: right, box: [0.04, 1.2, 3], pose: {{xyz: [0, -{0}, 0]}}}}
  - {{name: top, box: [0.04, {1}, 1.2], pose: {{xyz: [0, 0, {0}]}}}}
  - {{name: bottom, box: [0.04, {1}, 1.2], pose: {{xyz: [0, 0, -{0}]}}}}
)",
                     away, window);
}

// GX-3: a free body keeps what it should too, and rounding is no conflict.
TEST_F(ReasonsTest, KeepsWhatAFreeBodyShould) {
  const TaskResult off = ask(make_bar_task("", "{pose: {xyz: [0.6, 0, 0.1], rpy_deg: [0, 0, 5]}}",
                                           "samples: 3000, keep: [bar.z]"));
  EXPECT_EQ(off.reasons->kind, "keep") << off.verdict;
  EXPECT_NEAR(off.reasons->conflicts.at(0).by, 0.1, 1e-9);
  const TaskResult near = ask(make_bar_task(
      "", "{pose: {xyz: [0.6, 0, 0.0001], rpy_deg: [0, 0, 5]}}", "samples: 3000, keep: [bar.z]"));
  EXPECT_TRUE(near.found) << near.verdict;
  EXPECT_TRUE(std::any_of(near.notes.begin(), near.notes.end(),
                          [](const Note& n) { return n.code == "move.goal_adjusted"; }));
}

// GX-3: beyond the limits is named by joint and amount.
TEST_F(ReasonsTest, NamesTheLimitThatAGoalIsBeyond) {
  const TaskResult arm = ask(make_arm_task("{joints: {arm/joint3: 1.5}}", ""));
  EXPECT_EQ(arm.reasons->kind, "limits") << arm.verdict;
  EXPECT_EQ(arm.reasons->conflicts.at(0).what, "arm/joint3");
  EXPECT_NEAR(arm.reasons->conflicts[0].by, 1.5 - 1.2217, 1e-9);
  const TaskResult bar = ask(make_bar_task("", "{pose: {xyz: [0.6, 0.4, 0]}}"));
  EXPECT_EQ(bar.reasons->kind, "limits") << bar.verdict;
  EXPECT_NEAR(bar.reasons->conflicts.at(0).by, 0.05, 1e-6);
}

// GX-3: what is out of reach by the lengths of the links is proven so.
TEST_F(ReasonsTest, ProvesThatAPoseIsOutOfReach) {
  const TaskResult far = ask(make_arm_task("{body: arm/tool, pose: {xyz: [5, 0, 0]}}", ""));
  EXPECT_EQ(far.reasons->kind, "unreachable");
  EXPECT_EQ(far.reasons->grade, Grade::proven) << far.verdict;
  // Inside the base: within the reach of the links, and reached by nothing.
  const TaskResult inside = ask(make_arm_task("{body: arm/tool, pose: {xyz: [0, 0, 0.1]}}", ""));
  EXPECT_FALSE(inside.found);
  EXPECT_EQ(inside.reasons->grade, Grade::found_by_search) << inside.verdict;
}

// GX-3: out of time is said first, and no part is blamed.
TEST_F(ReasonsTest, SaysThatItIsOutOfTime) {
  const TaskResult result = ask(make_bar_task(make_window(0.104), kBehind), make_past());
  EXPECT_FALSE(result.found);
  ASSERT_TRUE(result.reasons);
  EXPECT_EQ(result.reasons->kind, "time");
  EXPECT_EQ(result.verdict.rfind("Out of time", 0), 0u) << result.verdict;
  EXPECT_TRUE(result.reasons->parts.empty());
  EXPECT_TRUE(result.reasons->without.empty());
  EXPECT_FALSE(result.reasons->gap);
  EXPECT_NE(json_.find("\"outcome\": \"out of time\""), std::string::npos) << json_;
}

// GX-3: not found is not blocked, and what was found in changed worlds is graded so.
TEST_F(ReasonsTest, SaysNoMoreThanIsKnown) {
  // A way through a slit that few samples do not find: 1 mm of play on each side, twice bent.
  const std::string slits = make_window(0.102);
  const TaskResult result = ask(make_bar_task(slits, kBehind, "samples: 200"));
  if (result.found) return;  // the better
  EXPECT_EQ(result.reasons->kind, "budget");
  EXPECT_NE(result.reasons->grade, Grade::proven);
  EXPECT_EQ(result.verdict.rfind("No motion found within", 0), 0u) << result.verdict;
  EXPECT_EQ(result.verdict.find("block"), std::string::npos) << result.verdict;
  EXPECT_NE(json_.find("\"outcome\": \"not found\""), std::string::npos) << json_;
  for (const Reasons::Part& p : result.reasons->parts) EXPECT_NE(p.grade, Grade::proven) << p.name;
}

// GX-3: a plate across the room is proven to be in the way, by the room's limits; without it there
// is a motion.
TEST_F(ReasonsTest, ProvesThatAPlateAcrossTheRoomBlocks) {
  const std::string plate = "  - {name: plate, box: [0.03, 3, 3]}\n";
  const std::string shelf = "  - {name: shelf, box: [0.1, 0.1, 0.1], pose: {xyz: [0, 2, 0]}}\n";
  const TaskResult result = ask(make_bar_task(plate + shelf, kBehind));
  ASSERT_TRUE(result.reasons && result.reasons->enclosure) << result.verdict;
  EXPECT_EQ(result.reasons->kind, "blocked");
  EXPECT_EQ(result.reasons->grade, Grade::proven);
  EXPECT_EQ(result.reasons->enclosure->walls, std::vector<std::string>{"plate"});
  EXPECT_TRUE(result.reasons->enclosure->needs_range);
  EXPECT_EQ(result.reasons->without, std::vector<std::string>{"plate"});
  EXPECT_TRUE(ask(make_bar_task(shelf, kBehind)).found);
  EXPECT_NE(json_.find("\"outcome\": \"found\""), std::string::npos);
}

// GX-3: gaps that are too small by 1 to 10 mm.
TEST_F(ReasonsTest, ProvesGapsTooSmallByMillimetres) {
  for (const double missing : {1e-3, 4e-3, 10e-3}) {
    SCOPED_TRACE(missing);
    const TaskResult result = ask(make_bar_task(make_window(0.1 - missing), kBehind));
    ASSERT_TRUE(result.reasons && result.reasons->enclosure) << result.verdict;
    ASSERT_EQ(result.reasons->without.size(), 1u) << result.verdict;
    if (result.reasons->gap) {
      EXPECT_GE(result.reasons->gap->missing, missing);
    }
  }
  EXPECT_TRUE(ask(make_bar_task(make_window(0.12), kBehind, "samples: 60000")).found);
}

// GX-3: a closed box is proven closed by the time the first round of the search is over.
TEST_F(ReasonsTest, ProvesAClosedBoxEarly) {
  std::string sides;
  for (int k = 0; k < 6; ++k) {
    Vec3 size = Vec3::Constant(0.41), p(-0.6, 0, 0);
    size[k / 2] = 0.005;
    p[k / 2] += (k % 2 == 0 ? -1 : 1) * 0.2025;
    sides += fmt::format("  - {{name: side{}, box: [{}, {}, {}], pose: {{xyz: [{}, {}, {}]}}}}\n",
                         k, size.x(), size.y(), size.z(), p.x(), p.y(), p.z());
  }
  std::string text = make_bar_task(sides, kBehind, "samples: 1000000");
  const TaskResult result = ask(text);
  ASSERT_TRUE(result.reasons && result.reasons->enclosure) << result.verdict;
  EXPECT_EQ(result.verdict.rfind("Proven blocked", 0), 0u) << result.verdict;
  EXPECT_EQ(result.reasons->enclosure->walls.size(), 6u);
  EXPECT_FALSE(result.reasons->enclosure->needs_range);
  double samples = -1;
  for (const Figure& f : result.figures)
    if (f.name == "samples") samples = f.value;
  EXPECT_LE(samples, 100'000) << result.verdict;
  EXPECT_EQ(result.reasons->without.size(), 1u) << result.verdict;
}

// GX-12: a goal a thousand kilometres away takes no more memory or time than the samples allow.
TEST_F(ReasonsTest, AnswersAGoalThatIsVeryFarAway) {
  const std::string text = R"(geste: 1
parts:
  - {name: bar, box: [0.3, 0.1, 0.1], pose: {xyz: [-0.6, 0, 0]}, movable: true}
  - {name: plate, box: [0.03, 3, 3]}
task:
  move: {actor: bar, goal: {pose: {xyz: [1000000, 0, 0]}}, samples: 500}
)";
  const TaskResult result = ask(text);
  EXPECT_TRUE(result.found || result.reasons) << result.verdict;
}

}  // namespace
}  // namespace geste

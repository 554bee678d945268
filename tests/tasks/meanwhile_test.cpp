// Moves among others that go on a given motion.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geste/core/files.hpp"
#include "geste/formats/result_files.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

class MeanwhileTest : public TaskTest {
 protected:
  TaskOutcome take(const std::string& text) const {
    Result<TaskOutcome> outcome = run(write("t.yaml", text));
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return std::move(*outcome);
  }

  std::string find_error(const std::string& text) const {
    const Result<TaskOutcome> outcome = run(write("t.yaml", text));
    return outcome ? outcome->result.verdict : to_text(outcome.error());
  }

  /// Where a joint in the plane or in space has something that stands at `home`, every so often.
  static MatX sample(const TaskOutcome& outcome, const std::string& joint,
                     const Eigen::Vector2d& home, double step) {
    const Scene& scene = outcome.world.scene;
    const JointMotion& motion = outcome.result.motion;
    const int at = scene.joint(*scene.find_joint(joint)).q;
    const auto count = static_cast<Eigen::Index>(std::ceil(motion.times.back() / step)) + 1;
    MatX places(2, count);
    VecX q(scene.nq());
    for (Eigen::Index k = 0; k < count; ++k) {
      interpolate(scene, motion, static_cast<double>(k) * step, q);
      places.col(k) = home + q.segment<2>(at);
    }
    return places;
  }
};

/// A straight line between rows of two numbers, held outside.
double interpolate_table(const std::vector<std::pair<double, double>>& rows, double t) {
  if (t <= rows.front().first) return rows.front().second;
  for (std::size_t k = 1; k < rows.size(); ++k)
    if (t <= rows[k].first)
      return rows[k - 1].second + (rows[k].second - rows[k - 1].second) * (t - rows[k - 1].first) /
                                      (rows[k].first - rows[k - 1].first);
  return rows.back().second;
}

/// From a point to a rectangle in the plane; 0 inside.
double measure_away(const Eigen::Vector2d& p, const Eigen::Vector2d& centre,
                    const Eigen::Vector2d& size) {
  return ((p - centre).cwiseAbs() - size / 2).cwiseMax(0).norm();
}

std::string read_crossing() {
  std::string text = load_file(testing::source_dir() / "scenes/crossing.yaml").value();
  const auto replace = [&](const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
  };
  replace("../models", (testing::source_dir() / "models").string());
  replace("crossing.csv", (testing::source_dir() / "scenes/crossing.csv").string());
  return text;
}

std::string replace(std::string text, const std::string& what, const std::string& by) {
  EXPECT_NE(text.find(what), std::string::npos) << what;
  return text.replace(text.find(what), what.size(), by);
}

// MV-1, MV-9: what waits for a gate and a truck. Witness: the table of their motion, a disc and
// rectangles in the plane, looked at every millisecond; and the second prover.
TEST_F(MeanwhileTest, WaitsForWhatPasses) {
  const TaskOutcome outcome = take(read_crossing());
  expect_proven(outcome);
  const double step = 1e-3;
  const MatX robot = sample(outcome, "robot/root", {0, 0}, step),
             gate = sample(outcome, "gate/root", {-0.9, 0}, step),
             truck = sample(outcome, "truck/root", {0.6, -2.6}, step);
  EXPECT_NEAR((robot.col(0) - Eigen::Vector2d(-2.4, 0)).norm(), 0, 1e-9);
  EXPECT_NEAR((robot.rightCols(1) - Eigen::Vector2d(2.4, 0)).norm(), 0, 1e-9);
  double fastest = 0, nearest = kInfinity;
  for (Eigen::Index k = 0; k < robot.cols(); ++k) {
    const double t = static_cast<double>(k) * step;
    ASSERT_NEAR(gate(1, k), interpolate_table({{3, 0}, {5, 1.5}}, t), 1e-9) << t;
    ASSERT_NEAR(truck(1, k), interpolate_table({{3, -2.6}, {5, -2.2}, {8, -1.4}, {14, 2.6}}, t),
                1e-9)
        << t;
    nearest = std::min({nearest, measure_away(robot.col(k), gate.col(k), {0.06, 1.3}) - 0.3,
                        measure_away(robot.col(k), truck.col(k), {0.9, 2.4}) - 0.3});
    if (k > 0) fastest = std::max(fastest, (robot.col(k) - robot.col(k - 1)).norm() / step);
  }
  EXPECT_GT(nearest, 0);
  EXPECT_LE(fastest, 0.5 + 1e-6);
  // 4.8 m at 0.5 m/s with a quarter of a second for starting and braking, if nothing were there.
  EXPECT_GT(read_figure(outcome, "arrival"), 4.8 / 0.5 + 0.25 + 1);
  EXPECT_LE(read_figure(outcome, "arrival"), 30);
  EXPECT_LE(read_figure(outcome, "acceleration_use"), 1 + 1e-6);
}

/// A block in a corridor with a niche at its side, and a plug that comes through from the far end:
/// who does not hide in the niche is run over.
std::string make_corridor(const std::string& meanwhile) {
  return fmt::format(R"(geste: 1
parts:
  - {{name: south, box: [8, 0.2, 1], pose: {{xyz: [0, -0.4, 0]}}}}
  - {{name: north_west, box: [3, 0.2, 1], pose: {{xyz: [-2.5, 0.4, 0]}}}}
  - {{name: north_east, box: [4, 0.2, 1], pose: {{xyz: [2, 0.4, 0]}}}}
  - {{name: niche, box: [1, 0.2, 1], pose: {{xyz: [-0.5, 1.1, 0]}}}}
  - {{name: plug, box: [0.4, 0.5, 0.4], pose: {{xyz: [3.4, 0, 0]}}, movable: true}}
actors:
  - {{name: block, urdf: block.urdf, root: planar, start: begin}}
configurations:
  - {{name: begin, joints: {{block/root: [-2, 0, 0]}}}}
task:
  move: {{actor: block, goal: {{joints: {{block/root: [2, 0, 0]}}}}, samples: 20000,
         room: {{low: [-3.6, -0.3, -1], high: [3.6, 1, 1]}}, {}}}
)",
                     meanwhile);
}

const char* const kBlock = R"(<robot name="block"><link name="base">
<collision><geometry><cylinder radius="0.2" length="0.4"/></geometry></collision></link></robot>)";

/// The plug goes from one place in the corridor to another.
std::string make_plug(double from, double to, double begin, double end) {
  std::string text = "time";
  for (const char* entry : {"x", "y", "z", "qx", "qy", "qz", "qw"})
    text += fmt::format(",plug/root:{}", entry);
  return text +
         fmt::format("\n{},{},0,0,0,0,0,1\n{},{},0,0,0,0,0,1\n", begin, from - 3.4, end, to - 3.4);
}

// MV-5: where it stands it cannot wait, so that the way has to be searched in time.
TEST_F(MeanwhileTest, HidesInANiche) {
  write("block.urdf", kBlock);
  write("plug.csv", make_plug(3.4, -3.4, 4, 14));
  const TaskOutcome outcome = take(make_corridor("meanwhile: {motion: plug.csv, by: 30}"));
  expect_proven(outcome);
  const double step = 1e-3;
  const MatX block = sample(outcome, "block/root", {0, 0}, step),
             plug = sample(outcome, "plug/root", {3.4, 0}, step);
  double nearest = kInfinity;
  bool was_hidden = false;
  for (Eigen::Index k = 0; k < block.cols(); ++k) {
    nearest = std::min(nearest, measure_away(block.col(k), plug.col(k), {0.4, 0.5}) - 0.2);
    was_hidden |= block(1, k) > 0.45 && std::abs(block(0, k) - plug(0, k)) < 0.1;
  }
  EXPECT_GT(nearest, 0);
  EXPECT_TRUE(was_hidden);
  EXPECT_NEAR((block.rightCols(1) - Eigen::Vector2d(2, 0)).norm(), 0, 1e-9);
}

// GX-6
TEST_F(MeanwhileTest, GivesTheSameAnswerAgain) {
  write("block.urdf", kBlock);
  write("plug.csv", make_plug(3.4, -3.4, 4, 14));
  const std::string text = make_corridor("meanwhile: {motion: plug.csv, by: 30}");
  const TaskOutcome first = take(text), second = take(text);
  EXPECT_EQ(make_result_json(first.world.scene, first.result),
            make_result_json(second.world.scene, second.result));
}

// GX-3: no motion is an answer, with its reason.
TEST_F(MeanwhileTest, SaysWhyItCannotBeInTime) {
  write("block.urdf", kBlock);
  write("plug.csv", make_plug(3.4, -3.4, 4, 14));
  // 4 m at 0.5 m/s and 0.25 s for starting and braking.
  const TaskOutcome proven = take(make_corridor("meanwhile: {motion: plug.csv, by: 8.2}"));
  EXPECT_FALSE(proven.result.found);
  ASSERT_TRUE(proven.result.reasons);
  EXPECT_EQ(proven.result.reasons->kind, "late");
  EXPECT_NE(proven.result.verdict.find("8.25 s away at full speed"), std::string::npos)
      << proven.result.verdict;
  // Fast enough for the way, but not for the detour and the wait.
  std::string text = make_corridor("meanwhile: {motion: plug.csv, by: 10}");
  const TaskOutcome late = take(replace(text, "samples: 20000", "samples: 300"));
  EXPECT_FALSE(late.result.found);
  ASSERT_TRUE(late.result.reasons);
  EXPECT_EQ(late.result.reasons->kind, "late");
  EXPECT_NE(late.result.verdict.find("none was found by 10 s"), std::string::npos)
      << late.result.verdict;
  EXPECT_NE(late.result.verdict.find("one that arrives after"), std::string::npos);
  EXPECT_NE(late.result.verdict.find("plug"), std::string::npos);
}

// GX-3: where it is to be nobody may come later.
TEST_F(MeanwhileTest, KeepsTheGoalFreeUntilAllIsOver) {
  write("block.urdf", kBlock);
  write("plug.csv", make_plug(3.4, 0.5, 20, 30));
  const TaskOutcome swept = take(make_corridor("meanwhile: {motion: plug.csv, by: 12}"));
  EXPECT_FALSE(swept.result.found);
  EXPECT_NE(swept.result.verdict.find("the goal is not free until the others have come to rest: "),
            std::string::npos)
      << swept.result.verdict;
  write("plug.csv", make_plug(3.4, 2.6, 20, 30));
  const TaskOutcome kept = take(make_corridor("meanwhile: {motion: plug.csv, by: 12}"));
  expect_proven(kept);
  EXPECT_LE(read_figure(kept, "arrival"), 8.3);
  EXPECT_EQ(read_figure(kept, "duration"), 30);
}

TEST_F(MeanwhileTest, SaysWhoCollidesWithoutIt) {
  write("block.urdf", kBlock);
  write("plug.csv", make_plug(3.4, 3.4, 0, 1) + "2,0,-0.2,0,0,0,0,1\n3,0,0,0,0,0,0,1\n");
  const TaskOutcome outcome = take(make_corridor("meanwhile: {motion: plug.csv}"));
  EXPECT_FALSE(outcome.result.found);
  EXPECT_NE(outcome.result.verdict.find("south and plug collide on the motion that is given"),
            std::string::npos)
      << outcome.result.verdict;
}

TEST_F(MeanwhileTest, RefusesWhatDoesNotFit) {
  write("block.urdf", kBlock);
  write("plug.csv", make_plug(3.4, -3.4, 4, 14));
  write("own.csv", "time,block/root:x,block/root:y,block/root:angle\n0,-2,0,0\n1,-1,0,0\n");
  write("unknown.csv", "time,plough/root:x\n0,1\n");
  const auto error = [&](const std::string& meanwhile) {
    return find_error(make_corridor("meanwhile: " + meanwhile));
  };
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(error("{motion: none.csv}"), "none.csv");
  expect(error("{by: 3}"), "motion");
  expect(error("{motion: plug.csv, by: -1}"), "before the motion begins");
  expect(error("{motion: plug.csv, until: 3}"), "until");
  expect(error("{motion: own.csv}"), "joint 'block/root'");
  expect(error("{motion: own.csv}"), "and is planned too");
  expect(error("{motion: unknown.csv}"), "plough/root:x");
  expect(error("{motion: plug.csv}, planner: prm"), "one planner");
}

}  // namespace
}  // namespace geste

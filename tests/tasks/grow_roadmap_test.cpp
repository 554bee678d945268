#include "geste/tasks/grow_roadmap.hpp"

#include <gtest/gtest.h>

#include "geste/core/files.hpp"
#include "geste/tasks/info.hpp"
#include "geste/tasks/verify.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

/// A plank on either side of a gate of some width.
std::string make_gate(const std::string& task, double gate = 0.5) {
  return fmt::format(R"(geste: 1
parts:
  - {{name: left, box: [0.1, 2, 2], pose: {{xyz: [0, {0}, 0]}}}}
  - {{name: right, box: [0.1, 2, 2], pose: {{xyz: [0, {1}, 0]}}}}
  - {{name: plank, box: [0.6, 0.1, 0.2], pose: {{xyz: [-1, 0, 0]}}, movable: true}}
task:
{2}    room: {{low: [-1.5, -0.9, -0.7], high: [1.5, 0.9, 0.7]}}
)",
                     -1 - gate / 2, 1 + gate / 2, task);
}

const std::string kGrow = R"(  roadmap:
    actor: plank
    file: gate.roadmap
    planner: prm
    samples: 800
)";

std::string make_move(double y) {
  return fmt::format(R"(  move:
    actor: plank
    planner: prm
    roadmap: gate.roadmap
    goal: {{pose: {{xyz: [1, {}, 0]}}}}
)",
                     y);
}

class GrowRoadmapTest : public TaskTest {
 protected:
  TaskOutcome take(const std::string& text) const {
    Result<TaskOutcome> outcome = run(write("t.yaml", text));
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return std::move(*outcome);
  }

  std::string refuse(const std::string& text) const {
    const Result<TaskOutcome> outcome = run(write("t.yaml", text));
    return outcome ? "none" : to_text(outcome.error());
  }
};

// MV-6: grown once, asked many times; answers are proven, from the files alone too.
TEST_F(GrowRoadmapTest, MovesAskWhatWasGrown) {
  const TaskOutcome grown = take(make_gate(kGrow));
  EXPECT_TRUE(grown.result.found) << grown.result.verdict;
  EXPECT_EQ(read_figure(grown, "points"), 800);
  EXPECT_EQ(read_figure(grown, "file_size"),
            static_cast<double>(testing::fs::file_size(folder_ / "gate.roadmap")));
  const std::string before = load_file(folder_ / "gate.roadmap").value();
  for (int i = 0; i < 5; ++i) {
    const TaskOutcome outcome = take(make_gate(make_move(-0.7 + 0.35 * i)));
    ASSERT_TRUE(outcome.result.found) << outcome.result.verdict;
    EXPECT_EQ(read_figure(outcome, "roadmap_read"), 1);
    EXPECT_EQ(read_figure(outcome, "samples"), 0);
    ASSERT_TRUE(write_result(folder_ / "result", outcome.world, outcome.result));
    const auto verified = verify_result(folder_ / "result", {});
    ASSERT_TRUE(verified && verified->verified);
  }
  // Asking does not change it.
  EXPECT_EQ(load_file(folder_ / "gate.roadmap").value(), before);
}

// MV-6: a move without a file makes one, and the next move takes it.
TEST_F(GrowRoadmapTest, MovesGrowWhatIsNotThere) {
  const TaskOutcome first = take(make_gate(make_move(0.7)));
  ASSERT_TRUE(first.result.found) << first.result.verdict;
  EXPECT_EQ(read_figure(first, "roadmap_read"), 0);
  EXPECT_GT(read_figure(first, "samples"), 0);
  const TaskOutcome second = take(make_gate(make_move(0.65)));
  ASSERT_TRUE(second.result.found) << second.result.verdict;
  EXPECT_EQ(read_figure(second, "roadmap_read"), 1);
}

// GX-6: the same task gives the same file; growing on gives a larger one.
TEST_F(GrowRoadmapTest, GrowsTheSameAgainAndOn) {
  take(make_gate(kGrow));
  const std::string first = load_file(folder_ / "gate.roadmap").value();
  testing::fs::remove(folder_ / "gate.roadmap");
  take(make_gate(kGrow));
  EXPECT_EQ(load_file(folder_ / "gate.roadmap").value(), first);
  EXPECT_EQ(read_figure(take(make_gate(kGrow)), "points"), 1600);
}

TEST_F(GrowRoadmapTest, SaysWhyAFileDoesNotFit) {
  take(make_gate(kGrow));
  EXPECT_NE(refuse(make_gate(make_move(0), 0.52)).find("[roadmap.other]"), std::string::npos);
  EXPECT_NE(refuse(make_gate(make_move(0) + "    steering: {method: manhattan}\n"))
                .find("another steering method: linear"),
            std::string::npos);
  write("gate.roadmap", "GROADMAP and nothing more");
  EXPECT_NE(refuse(make_gate(make_move(0))).find("[roadmap.file]"), std::string::npos);
  EXPECT_NE(refuse(make_gate(kGrow)).find("[roadmap.file]"), std::string::npos);
}

TEST_F(GrowRoadmapTest, InfoSaysWhatIsInAFile) {
  take(make_gate(kGrow));
  const auto info = load_info(folder_ / "gate.roadmap");
  ASSERT_TRUE(info) << to_text(info.error());
  for (const char* words : {"prm", "800", "linear", "plank/root"})
    EXPECT_NE(info->text.find(words), std::string::npos) << info->text;
}

}  // namespace
}  // namespace geste

#include <gtest/gtest.h>

#include <mutex>

#include "geste/tasks/move.hpp"

#include "tasks/task_testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

/// Keeps all lines.
class Lines final : public GrowthSink {
 public:
  void add(const Vec3& from, const Vec3& to) override {
    const std::lock_guard lock(mutex_);
    all.emplace_back(from, to);
  }

  std::vector<std::pair<Vec3, Vec3>> all;

 private:
  std::mutex mutex_;
};

// GX-7: what a search has proven is seen where the part would be: in its room, from where it
// stands, and never inside the walls.
TEST_F(TaskTest, SearchesShowHowTheyGrow) {
  for (const char* planner : {"rrt_connect", "prm", "ompl/RRTConnect"}) {
    Result<LoadedTask> loaded = load_task(write("t.yaml", std::string(R"(geste: 1
parts:
  - {name: left, box: [0.2, 2, 2], pose: {xyz: [0, -1.3, 0]}}
  - {name: right, box: [0.2, 2, 2], pose: {xyz: [0, 1.3, 0]}}
  - {name: ball, sphere: 0.1, pose: {xyz: [-1, 0.6, 0]}, movable: true}
task:
  move: {actor: ball, goal: {pose: {xyz: [1, 0.6, 0]}}, room: {low: [-1.5, -0.9, -0.7], high: [1.5, 0.9, 0.7]}, planner: )") +
                                                              planner + "}\n"));
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    Lines lines;
    TaskRun run{loaded->file, 3, 2, Budget(), no_progress(), &lines};
    const Result<TaskOutcome> outcome = loaded->task->run(run);
    ASSERT_TRUE(outcome) << to_text(outcome.error());
    ASSERT_TRUE(outcome->result.found) << planner;
    ASSERT_FALSE(lines.all.empty()) << planner;
    bool begins = false;
    for (const auto& [from, to] : lines.all) {
      begins = begins || (from - Vec3(-1, 0.6, 0)).norm() < 1e-9;
      for (const Vec3& p : {from, to, Vec3((from + to) / 2)}) {
        EXPECT_LT(std::abs(p.x()), 1.5 + 1e-9) << planner;
        // A ball of 10 cm stays as far from walls that are 20 cm thick and 60 cm apart.
        EXPECT_FALSE(std::abs(p.x()) < 0.1 && std::abs(p.y()) > 0.3) << planner << p.transpose();
      }
    }
    EXPECT_TRUE(begins) << planner;
  }
}

}  // namespace
}  // namespace geste

// Hands that close at the end of a move, until they touch.
#include <gtest/gtest.h>

#include <algorithm>

#include "geste/core/files.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/tasks/verify.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

class ClosingTest : public TaskTest {
 protected:
  static void replace(std::string& text, const std::string& what, const std::string& by) {
    ASSERT_NE(text.find(what), std::string::npos) << what;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
      text.replace(at, what.size(), by);
  }

  static std::string read_scene(const std::string& name) {
    std::string text = load_file(testing::source_dir() / "scenes" / (name + ".yaml")).value();
    replace(text, "../models", (testing::source_dir() / "models").string());
    return text;
  }

  TaskOutcome take(const std::string& text) const {
    Result<TaskOutcome> outcome = run(write("t.yaml", text));
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return std::move(*outcome);
  }

  /// What collides with the grip at the end of a motion, were the grip a little thicker.
  std::vector<std::string> find_touching(std::string text, const TaskOutcome& outcome) const {
    replace(text, "radius: 0.014,", "radius: 0.0142,");
    const Result<LoadedTask> thicker = load_task(write("thick.yaml", text));
    const TaskScene world = load_task_scene(thicker->file).value();
    const CollisionModel model = CollisionModel::make(world.scene, {}).value();
    Workspace workspace(world.scene);
    compute_kinematics(world.scene, outcome.result.motion.q.rightCols(1), workspace);
    CollisionWorkspace memory(model);
    std::vector<std::string> names;
    for (const PairClearance& pair : find_collisions(model, workspace, memory)) {
      const std::string &a = world.scene.body(pair.a).name, &b = world.scene.body(pair.b).name;
      if (a == "grip") names.push_back(b);
      if (b == "grip") names.push_back(a);
    }
    return names;
  }
};

// MV-11: the whole hand of a person lies on what it holds. Witnesses: the second prover says that
// nothing touches, and a grip that is 0.2 mm thicker is touched by every finger.
TEST_F(ClosingTest, EveryFingerClosesUntilItTouches) {
  const std::string text = read_scene("take_hold");
  const TaskOutcome outcome = take(text);
  ASSERT_TRUE(outcome.result.found) << outcome.result.verdict;
  EXPECT_NE(outcome.result.verdict.find("closes until"), std::string::npos);
  ASSERT_TRUE(write_result(folder_ / "result", outcome.world, outcome.result));
  const Result<VerifyOutcome> second = verify_result(folder_ / "result");
  ASSERT_TRUE(second) << to_text(second.error());
  EXPECT_TRUE(second->verified) << second->text;
  const std::vector<std::string> touching = find_touching(text, outcome);
  for (const std::string finger : {"index", "middle", "ring", "thumb"})
    EXPECT_TRUE(std::any_of(touching.begin(), touching.end(), [&](const std::string& name) {
      return name.starts_with("worker/" + finger);
    })) << finger;
}

// Without the grip in it the hand closes farther: 1.6 rad where nothing is in the way.
TEST_F(ClosingTest, ClosesFartherWhereNothingIsHeld) {
  std::string text = read_scene("take_hold");
  replace(text, "[0.46, -0.2, 1.188]", "[0.46, 0.4, 1.188]");
  replace(text, "[0.46, -0.2, 1.281]", "[0.46, 0.4, 1.281]");
  const TaskOutcome outcome = take(text);
  ASSERT_TRUE(outcome.result.found) << outcome.result.verdict;
  const Scene& scene = outcome.world.scene;
  const VecX end = outcome.result.motion.q.rightCols(1);
  EXPECT_NEAR(end[scene.joint(*scene.find_joint("worker/middle_knuckle")).q], 1.6, 1e-9);
}

TEST_F(ClosingTest, NamesConfigurationsThatDoNotFit) {
  const auto find_error = [&](const std::string& close) {
    std::string text = read_scene("take_hold");
    replace(text, "close: fist", close);
    const Result<TaskOutcome> outcome = run(write("t.yaml", text));
    return outcome ? outcome->result.verdict : to_text(outcome.error());
  };
  EXPECT_NE(find_error("close: fisst").find("there is no configuration 'fisst'"),
            std::string::npos);
  EXPECT_NE(find_error("close: ready").find("moves no joint that is not planned"),
            std::string::npos);
}

}  // namespace
}  // namespace geste

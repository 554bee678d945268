#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "geste/formats/result_files.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/tasks/move.hpp"
#include "geste/tasks/verify.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

constexpr const char* kCart = R"(<robot name="cart">
  <link name="body"><collision><origin xyz="0.1 0 0.2"/><geometry><box size="0.6 0.3 0.2"/></geometry></collision></link>
</robot>)";

/// Its hitch is at the middle of the axle.
constexpr const char* kTruck = R"(<robot name="truck">
  <link name="body"><collision><origin xyz="0.2 0 0.2"/><geometry><box size="0.4 0.3 0.2"/></geometry></collision></link>
  <link name="trailer"><collision><origin xyz="-0.5 0 0.2"/><geometry><box size="0.4 0.3 0.2"/></geometry></collision></link>
  <joint name="hinge" type="revolute"><parent link="body"/><child link="trailer"/><axis xyz="0 0 1"/>
    <limit lower="-0.9" upper="0.9" velocity="1" effort="1"/></joint>
</robot>)";

class MoveOptionsTest : public TaskTest {
 protected:
  MoveOptionsTest() {
    write("cart.urdf", kCart);
    write("truck.urdf", kTruck);
  }

  /// Runs a task and holds what it found against the second prover, from the files alone.
  TaskOutcome move(const std::string& text, std::uint64_t seed) const {
    Result<LoadedTask> loaded = load_task(write("t.yaml", text));
    EXPECT_TRUE(loaded) << to_text(loaded.error());
    Result<TaskOutcome> outcome =
        loaded->task->run({loaded->file, seed, 1, Budget(), no_progress()});
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    EXPECT_TRUE(outcome->result.found) << outcome->result.verdict;
    EXPECT_TRUE(write_result(folder_ / "result", outcome->world, outcome->result));
    const auto verified = verify_result(folder_ / "result", {});
    EXPECT_TRUE(verified && verified->verified);
    return std::move(*outcome);
  }

  /// The error of a task that must not run, whole.
  std::string refuse(const std::string& text) const {
    const Result<TaskOutcome> outcome = run(write("t.yaml", text));
    return outcome ? std::string("none") : to_text(outcome.error());
  }

  static double read_goal(const TaskOutcome& outcome, const char* joint, int entry = 0) {
    const Scene& scene = outcome.world.scene;
    return outcome.result.motion.q(scene.joint(*scene.find_joint(joint)).q + entry,
                                   outcome.result.motion.q.cols() - 1);
  }
};

/// A cart that has to come round a post, facing back where it came from.
std::string make_cart_task(const std::string& more, const std::string& robot = "cart",
                           const std::string& goal = "cart/root: [3, 0, 3.1]") {
  return fmt::format(R"(geste: 1
parts:
  - {{name: post, box: [0.2, 1.2, 1], pose: {{xyz: [1.5, 0, 0.5]}}}}
actors:
  - {{name: cart, urdf: {}.urdf, root: planar}}
task:
  move: {{actor: cart, goal: {{joints: {{{}}}}}, room: {{low: [-1.5, -2.5, -1], high: [4.5, 2.5, 1]}}, {}, samples: 20000}}
)",
                     robot, goal, more);
}

/// How the planar joint of `cart/root` goes from moment to moment, told as a screw.
std::vector<Vec6> list_screws(const TaskOutcome& outcome) {
  const Scene& scene = outcome.world.scene;
  const int q = scene.joint(*scene.find_joint("cart/root")).q;
  std::vector<Vec6> screws;
  for (Eigen::Index k = 1; k < outcome.result.motion.q.cols(); ++k)
    screws.push_back(compute_screw(JointType::planar, &outcome.result.motion.q(q, k - 1),
                                   &outcome.result.motion.q(q, k)));
  return screws;
}

// MV-2: carts roll, turn no tighter than they can, and Dubins' never goes back.
TEST_F(MoveOptionsTest, CartsRoll) {
  for (const char* method : {"reeds_shepp", "dubins"}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const TaskOutcome outcome = move(
          make_cart_task(fmt::format("steering: {{method: {}, radius: 40 cm}}", method)), seed);
      EXPECT_EQ(outcome.result.motion.course, Course::screw);
      for (const Vec6& v : list_screws(outcome)) {
        EXPECT_NEAR(v[1], 0, 1e-6);
        EXPECT_LE(0.4 * std::abs(v[5]), std::abs(v[0]) + 1e-6);
        if (std::string(method) == "dubins") {
          EXPECT_GT(v[0], -1e-6);
        }
      }
      EXPECT_NEAR(read_goal(outcome, "cart/root", 2), 3.1, 1e-12);
    }
  }
}

// MV-2: a trailer follows its cart: neither axle slips by more than a little on any leg.
TEST_F(MoveOptionsTest, TrailersFollow) {
  const TaskOutcome outcome =
      move(make_cart_task("steering: {method: trailer, length: 0.6, slip: 2 mm}", "truck",
                          "cart/root: [3, 0, 0], cart/hinge: 0.2"),
           1);
  double slipped = 0, gone = 0;
  for (const Vec6& v : list_screws(outcome)) {
    slipped += std::abs(v[1]);
    gone += std::abs(v[0]);
  }
  EXPECT_LT(slipped, 0.02 * gone);
  EXPECT_NEAR(read_goal(outcome, "cart/hinge"), 0.2, 1e-12);
}

/// A crate over a wall: it has to go up first, and down last.
std::string make_crate_task(const std::string& steering, double wall = 0.8) {
  return fmt::format(R"(geste: 1
parts:
  - {{name: wall, box: [0.2, 3, {0}], pose: {{xyz: [1, 0, {1}]}}}}
  - {{name: crate, box: [0.4, 0.4, 0.4], pose: {{xyz: [0, 0, 0.2]}}, movable: true}}
task:
  move:
    actor: crate
    goal: {{pose: {{xyz: [2, 0.5, 0.2], rpy_deg: [0, 0, 90]}}}}
    room: {{low: [-0.5, -0.9, 0], high: [2.5, 0.9, 1.6]}}
    steering: {{method: manhattan, {2}}}
    samples: 20000
)",
                     wall, wall / 2, steering);
}

/// How many of x, y, z and rotation change between two moments.
int count_moves(const JointMotion& motion, Eigen::Index k) {
  const VecX step = motion.q.col(k) - motion.q.col(k - 1);
  return (std::abs(step[0]) > 1e-12) + (std::abs(step[1]) > 1e-12) + (std::abs(step[2]) > 1e-12) +
         (step.tail(4).norm() > 1e-12);
}

// MV-2: one thing at a time, in the order that is given or one that serves.
TEST_F(MoveOptionsTest, CranesMoveOneThingAtATime) {
  for (const char* steering :
       {"order: [crate/root.z, root.rotation, root]", "searched: true", "order: [root]"}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      const TaskOutcome outcome = move(make_crate_task(steering), seed);
      const JointMotion& motion = outcome.result.motion;
      for (Eigen::Index k = 1; k < motion.q.cols(); ++k) EXPECT_LE(count_moves(motion, k), 1);
    }
  }
}

constexpr const char* kMobileArm = R"(geste: 1
parts:
  - {name: post, box: [0.2, 1.2, 2], pose: {xyz: [1.5, 0, 1]}}
actors:
  - {name: robot, urdf: SOURCE/models/mobile_arm/mobile_arm.urdf, srdf: SOURCE/models/mobile_arm/mobile_arm.srdf, root: planar}
task:
  move:
    actor: robot
    goal: {joints: {robot/root: [3, 0, 0], arm_joint1: 1}}
    room: {low: [-1.5, -2.5, -1], high: [4.5, 2.5, 2]}
    steering:
      groups: [{joints: GROUP, method: reeds_shepp, radius: 0.5}]
)";

// MV-2: a method for the base, straight ways for the arm.
TEST_F(MoveOptionsTest, BaseRollsWhileItsArmMoves) {
  std::string text = kMobileArm;
  for (std::size_t i; (i = text.find("SOURCE")) != std::string::npos;)
    text.replace(i, 6, testing::source_dir().string());
  std::string good = text, bad = text;
  const TaskOutcome outcome = move(good.replace(good.find("GROUP"), 5, "[robot/root]"), 1);
  const Scene& scene = outcome.world.scene;
  const int q = scene.joint(*scene.find_joint("robot/root")).q;
  for (Eigen::Index k = 1; k < outcome.result.motion.q.cols(); ++k) {
    const Vec6 v = compute_screw(JointType::planar, &outcome.result.motion.q(q, k - 1),
                                 &outcome.result.motion.q(q, k));
    EXPECT_NEAR(v[1], 0, 1e-6);
  }
  EXPECT_NEAR(read_goal(outcome, "robot/arm_joint1"), 1, 1e-12);
  EXPECT_NE(refuse(bad.replace(bad.find("GROUP"), 5, "[robot/rot]")).find("'robot/root'"),
            std::string::npos);
}

// MV-5, MV-6: every planner with every sampler, over several seeds.
TEST_F(MoveOptionsTest, PlannersFindTheGate) {
  const char* const kGate = R"(geste: 1
parts:
  - {name: left, box: [0.1, 2, 2], pose: {xyz: [0, -1.25, 0]}}
  - {name: right, box: [0.1, 2, 2], pose: {xyz: [0, 1.25, 0]}}
  - {name: plank, box: [0.6, 0.1, 0.2], pose: {xyz: [-1, 0, 0], rpy_deg: [0, 0, 90]}, movable: true}
task:
  move:
    actor: plank
    goal: {pose: {xyz: [1, 0, 0], rpy_deg: [0, 0, 90]}}
    room: {low: [-1.5, -0.9, -0.7], high: [1.5, 0.9, 0.7]}
)";
  for (const char* planner :
       {"prm\n    parameters: {neighbours: 8}", "prm\n    sampler: gaussian\n    strategy: nearest",
        "visibility_prm\n    parameters: {enough: 2000}", "visibility_prm\n    sampler: bridge",
        "rrt_connect\n    parameters: {range: 1, searches: 2}",
        "ompl/KPIECE1\n    parameters: {range: 0.8, goal_bias: 0.1}", "ompl/PRM"}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
      move(std::string(kGate) + "    planner: " + planner + "\n", seed);
  }
}

// MV-5: two carts change places; each alone would wait for the other for ever.
TEST_F(MoveOptionsTest, TwoCartsChangePlaces) {
  const char* const kTwo = R"(geste: 1
parts:
  - {name: north, box: [4, 0.1, 1], pose: {xyz: [1, 0.75, 0.5]}}
  - {name: south, box: [4, 0.1, 1], pose: {xyz: [1, -0.75, 0.5]}}
actors:
  - {name: a, urdf: cart.urdf, root: planar}
  - {name: b, urdf: cart.urdf, root: planar, at: {xyz: [2, 0, 0]}}
task:
  move:
    actors: [a, b]
    goal: {joints: {a/root: [2, 0, 0], b/root: [-2, 0, 0]}}
    room: {low: [-0.7, -0.6, -1], high: [2.7, 0.6, 1]}
)";
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const TaskOutcome outcome = move(kTwo, seed);
    EXPECT_NEAR(read_goal(outcome, "a/root"), 2, 1e-12);
    EXPECT_NEAR(read_goal(outcome, "b/root"), -2, 1e-12);
    // The room is that of the world for both, though their joints stand elsewhere.
    const Scene& scene = outcome.world.scene;
    const int q = scene.joint(*scene.find_joint("b/root")).q;
    EXPECT_GE(outcome.result.motion.q.row(q).minCoeff(), -2.7 - 1e-9);
    EXPECT_LE(outcome.result.motion.q.row(q).maxCoeff(), 0.7 + 1e-9);
  }
}

// Names, parameters and joints that do not fit are met with what would.
TEST_F(MoveOptionsTest, SaysWhatDoesNotFit) {
  const auto expect = [&](const std::string& text, const char* code, const char* words) {
    const std::string said = refuse(text);
    EXPECT_NE(said.find(code), std::string::npos) << said;
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  const auto cart = [](const std::string& more) { return make_cart_task(more); };
  expect(cart("steering: {method: reed_shepp}"), "task.unknown_choice", "'reeds_shepp'");
  expect(cart("steering: {method: reeds_shepp}"), "task.steering", "needs `radius`");
  expect(cart("steering: {radius: 1}"), "task.steering", "says nothing to the method 'linear'");
  expect(cart("steering: {method: dubins, radius: -1}"), "plan.steering", "cart/root");
  expect(cart("steering: {method: trailer, length: 1}"), "plan.steering", "hinge");
  expect(cart("steering: {method: manhattan, order: [root.x, root.y]}"), "plan.steering",
         "leaves out cart/root.angle");
  expect(cart("steering: {method: manhattan, order: [root.x, root, root.x]}"), "plan.steering",
         "comes twice");
  expect(cart("steering: {method: manhattan, order: [root.angel]}"), "plan.steering",
         "cart/root.angle");
  expect(cart("steering: {searched: true}"), "task.steering", "manhattan");
  expect(cart("planner: rrt_conect"), "task.unknown_choice", "'rrt_connect'");
  expect(cart("parameters: {rang: 1}"), "plan.parameter", "'range'");
  expect(cart("planner: prm, parameters: {neighbours: 1.5}"), "plan.parameter", "whole number");
  expect(cart("sampler: gaussian"), "task.planner", "says nothing to the planner");
  expect(cart("planner: visibility_prm, strategy: nearest"), "task.planner", "'visibility_prm'");
  expect(cart("planner: prm, steering: {method: dubins, radius: 1}"), "plan.planner", "gone back");
  expect(cart("planner: prm, steering: {method: manhattan, searched: true}"), "plan.planner",
         "order");
  expect(cart("planner: ompl/KPIECE"), "task.unknown_choice", "ompl/KPIECE1");
  expect(cart("planner: ompl/KPIECE1, parameters: {rang: 1}"), "plan.ompl", "'range'");
  expect(cart("planner: ompl/RRT, parameters: {range: [1, 2]}"), "plan.parameter", "one number");
  expect(cart("actors: [cart]"), "move.options", "said twice");
}

}  // namespace
}  // namespace geste

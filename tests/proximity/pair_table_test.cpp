#include "geste/proximity/internal/pair_table.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "geste/model/kinematics.hpp"

#include "proximity/scene_testing.hpp"

namespace geste {
namespace {

/// Arm, forearm and hand, of which the outer two can meet.
SceneSpec make_three_links(JointType wrist) {
  SceneSpec spec;
  testing::add_box(spec, "arm", Vec3(0.2, 0, 0), 0.2);
  testing::add_box(spec, "forearm", Vec3(0.25, 0, 0), 0.05);
  testing::add_box(spec, "hand", Vec3(0.2, 0, 0), 0.2);
  spec.actors = {{"robot", "robot", {"arm", "forearm", "hand"}}};
  spec.joints = {{.name = "elbow",
                  .type = JointType::revolute,
                  .parent = "arm",
                  .child = "forearm",
                  .X_PJ = Pose::translation(0.4, 0, 0),
                  .axis = Vec3::UnitZ(),
                  .limits = {{-2, 2.5}}},
                 {.name = "wrist",
                  .type = wrist,
                  .parent = "forearm",
                  .child = "hand",
                  .X_PJ = Pose::translation(0.3, 0, 0),
                  .axis = wrist == JointType::prismatic ? Vec3::UnitX() : Vec3::UnitZ(),
                  .limits = {{-2, 1.5}}}};
  return spec;
}

/// The table of two bodies, and how they lie in truth.
struct TablePair {
  TablePair(const SceneSpec& spec, const char* first, const char* second, double margin)
      : scene(Scene::compile(spec).value()),
        model(testing::make_plain_model(scene, margin)),
        world(scene, model),
        a(*scene.find_body(first)),
        b(*scene.find_body(second)),
        axes(PairTable::find_axes(scene, scene.body(a).mover, scene.body(b).mover).value()),
        pairs{{find_object(a), find_object(b), margin}},
        table(world, pairs, scene.body(a).mover, axes),
        workspace(scene),
        memory(model) {}

  [[nodiscard]] int find_object(BodyId body) const {
    int i = 0;
    while (model.objects()[static_cast<std::size_t>(i)].body != body) ++i;
    return i;
  }
  /// What is not called free of the way from q0 to q1.
  [[nodiscard]] std::vector<PairTable::Part> find_open(ConstVecRef q0, ConstVecRef q1) const {
    PairTable::Line line;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      line.start[k] = q0[axes[k].q];
      line.rate[k] = q1[axes[k].q] - q0[axes[k].q];
    }
    std::vector<PairTable::Part> open;
    table.find_open(line, {}, open);
    return open;
  }
  [[nodiscard]] bool says_free(ConstVecRef q) const { return find_open(q, q).empty(); }
  VecX draw(Rng& rng) const {
    VecX q = VecX::Zero(scene.nq());
    for (const PairTable::Axis& axis : axes) q[axis.q] = rng.uniform(axis.low, axis.high);
    return q;
  }
  double measure(ConstVecRef q) {
    compute_kinematics(scene, q, workspace);
    return compute_clearance(model, workspace, a, b, memory)->separation.distance;
  }

  Scene scene;
  CollisionModel model;
  ProofScene world;
  BodyId a, b;
  std::vector<PairTable::Axis> axes;
  std::vector<ProofPair> pairs;
  PairTable table;
  Workspace workspace;
  CollisionWorkspace memory;
};

/// What it calls free is free, and what is farther apart than a square may move it is called so.
void expect_truth(TablePair& pair, double margin) {
  Rng rng(1);
  int free = 0, touching = 0;
  for (int k = 0; k < 20'000; ++k) {
    const VecX q = pair.draw(rng);
    const double distance = pair.measure(q);
    const bool is_free = pair.says_free(q);
    ASSERT_FALSE(is_free && !(distance > margin)) << q.transpose() << ": " << distance;
    constexpr double kSquare = 0.02;
    ASSERT_TRUE(is_free || distance < margin + kSquare) << q.transpose() << ": " << distance;
    free += is_free;
    touching += !(distance > margin);
  }
  EXPECT_GT(free, 1000);
  EXPECT_GT(touching, 100);
}

/// The same of ways: what touches on them is in one of the open parts.
void expect_truth_on_ways(TablePair& pair, double margin) {
  Rng rng(3);
  for (int k = 0; k < 500; ++k) {
    const VecX q0 = pair.draw(rng), q1 = pair.draw(rng);
    const std::vector<PairTable::Part> open = pair.find_open(q0, q1);
    for (int i = 0; i <= 100; ++i) {
      const double s = i / 100.0;
      const bool is_open = std::any_of(open.begin(), open.end(), [&](const PairTable::Part& part) {
        return part.begin <= s && s <= part.end;
      });
      ASSERT_TRUE(is_open || pair.measure(q0 + s * (q1 - q0)) > margin) << k << " at " << s;
    }
  }
}

TEST(PairTable, IsTrueOfTwoJoints) {
  for (const double margin : {0.0, 0.03}) {
    for (const JointType wrist : {JointType::revolute, JointType::prismatic}) {
      TablePair pair(make_three_links(wrist), "arm", "hand", margin);
      ASSERT_EQ(pair.axes.size(), 2u);
      expect_truth(pair, margin);
      expect_truth_on_ways(pair, margin);
    }
  }
}

TEST(PairTable, IsTrueOfOneJoint) {
  SceneSpec spec = make_three_links(JointType::prismatic);
  spec.joints[0].type = JointType::fixed;
  spec.joints[0].limits.clear();
  TablePair pair(spec, "arm", "hand", 0);
  ASSERT_EQ(pair.axes.size(), 1u);
  expect_truth(pair, 0);
  expect_truth_on_ways(pair, 0);
}

// Discs that turn above each other on parallel axes, a tenth of a millimetre apart: nothing of them
// moves along the axes, and all of the table is proven.
TEST(PairTable, IsFullOfDiscsOnParallelAxes) {
  SceneSpec spec = make_three_links(JointType::revolute);
  for (std::size_t i = 0; i < 3; ++i) {
    spec.bodies[i].geometry[0].shape = Cylinder{i == 1 ? 0.01 : 0.1, i == 1 ? 1e-5 : 0.02};
    spec.bodies[i].geometry[0].X_BG = Pose::translation(0, 0, 0.01005 * (static_cast<int>(i) - 1));
  }
  for (JointSpec& joint : spec.joints) joint.X_PJ = Pose();
  TablePair pair(spec, "arm", "hand", 0);
  EXPECT_EQ(pair.table.free_fraction(), 1);
  Rng rng(2);
  for (int k = 0; k < 100; ++k) {
    const VecX q = pair.draw(rng);
    EXPECT_NEAR(pair.measure(q), 1e-4, 1e-9);
    EXPECT_TRUE(pair.says_free(q));
  }
  // With a margin as large as the gap nothing is.
  TablePair kept(spec, "arm", "hand", 1.01e-4);
  EXPECT_EQ(kept.table.free_fraction(), 0);
}

// A joint of two turns and one without limits have tables of one turn, for any value.
TEST(PairTable, HoldsForEveryTurn) {
  for (const JointType wrist : {JointType::revolute, JointType::continuous}) {
    SceneSpec spec = make_three_links(wrist);
    spec.joints[1].limits = {{-2 * std::numbers::pi, 2 * std::numbers::pi}};
    if (wrist == JointType::continuous) spec.joints[1].limits.clear();
    TablePair pair(spec, "arm", "hand", 0);
    ASSERT_TRUE(pair.axes[1].wraps);
    EXPECT_NEAR(pair.axes[1].high - pair.axes[1].low, 2 * std::numbers::pi, 1e-12);
    Rng rng(5);
    int free = 0, touching = 0;
    for (int k = 0; k < 2000; ++k) {
      VecX q = pair.draw(rng);
      q[pair.axes[1].q] = rng.uniform(-9, 9);
      const bool is_free = pair.says_free(q);
      const double distance = pair.measure(q);
      ASSERT_FALSE(is_free && !(distance > 0)) << q.transpose();
      ASSERT_TRUE(is_free || distance < 0.02) << q.transpose();
      free += is_free;
      touching += !(distance > 0);
    }
    EXPECT_GT(free, 200);
    EXPECT_GT(touching, 20);
  }
}

}  // namespace
}  // namespace geste

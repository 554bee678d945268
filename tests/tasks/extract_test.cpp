#include "geste/tasks/extract.hpp"

#include <gtest/gtest.h>

#include "geste/formats/result_files.hpp"
#include "geste/model/kinematics.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::TaskTest;

/// A block of 100 x 60 x 50 mm stands in a tray of 10 mm sheet, `play` from its walls and `lift`
/// above its floor.
std::string make_tray(double play, double lift, const std::string& more = "",
                      const std::string& options = "") {
  return fmt::format(R"(geste: 1
parts:
  - {{name: block, box: [0.1, 0.06, 0.05], pose: {{xyz: [0, 0, {lift}]}}}}
  - {{name: floor, box: [0.14, 0.1, 0.01], pose: {{xyz: [0, 0, -0.03]}}}}
  - {{name: left, box: [0.01, 0.1, 0.07], pose: {{xyz: [{x0}, 0, 0.01]}}}}
  - {{name: right, box: [0.01, 0.1, 0.07], pose: {{xyz: [{x1}, 0, 0.01]}}}}
  - {{name: front, box: [0.14, 0.01, 0.07], pose: {{xyz: [0, {y0}, 0.01]}}}}
  - {{name: back, box: [0.14, 0.01, 0.07], pose: {{xyz: [0, {y1}, 0.01]}}}}
{more}
task:
  extract: {{part: block{options}}}
)",
                     fmt::arg("lift", lift), fmt::arg("x0", -0.055 - play),
                     fmt::arg("x1", 0.055 + play), fmt::arg("y0", -0.035 - play),
                     fmt::arg("y1", 0.035 + play), fmt::arg("more", more),
                     fmt::arg("options", options.empty() ? "" : ", " + options));
}

const char* const kLid = "  - {name: lid, box: [0.14, 0.1, 0.01], pose: {xyz: [0, 0, 0.05]}}";
const char* const kBar = "  - {name: bar, box: [0.2, 0.01, 0.01], pose: {xyz: [0, 0, 0.06]}}";

double figure(const TaskResult& result, const std::string& name) {
  for (const Figure& f : result.figures)
    if (f.name == name) return f.value;
  ADD_FAILURE() << "no figure " << name;
  return 0;
}

class ExtractTest : public TaskTest {
 protected:
  TaskOutcome extract(const std::string& text, std::uint64_t seed = 1, int threads = 0) const {
    Result<LoadedTask> loaded = load_task(write("t.yaml", text));
    EXPECT_TRUE(loaded) << to_text(loaded.error());
    Result<TaskOutcome> outcome =
        loaded->task->run({loaded->file, seed, threads, Budget(), no_progress()});
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return std::move(*outcome);
  }

  static bool says(const TaskOutcome& outcome, const std::string& text) {
    return outcome.result.verdict.find(text) != std::string::npos;
  }
};

// MV-1, MV-10, GX-2: a part that the file does not call movable comes out, with where it is
// tightest: 4 mm from the walls as long as it is between them.
TEST_F(ExtractTest, TakesAPartOutAndSaysWhereItIsTightest) {
  const TaskOutcome outcome = extract(make_tray(0.004, 0.005));
  expect_proven(outcome);
  EXPECT_TRUE(says(outcome, "Yes: block comes out in one motion")) << outcome.result.verdict;
  EXPECT_NEAR(figure(outcome.result, "tightest_clearance"), 0.004, 2e-4);
  EXPECT_LT(figure(outcome.result, "tightest_share"), 0.8);
  const Scene& scene = outcome.world.scene;
  Workspace workspace(scene);
  compute_kinematics(scene, outcome.result.motion.q.rightCols(1), workspace);
  EXPECT_GT(compute_pose(scene, workspace, *scene.find_body("block")).p.z(), 0.045 + 0.025);
}

// Contact at the start is the usual case in CAD: it is taken as given, measured, bounded on the way
// and listed.
TEST_F(ExtractTest, TakesContactsOfTheStartAsGiven) {
  for (const double depth : {0.0, 0.0007, 0.003}) {
    const TaskOutcome outcome = extract(make_tray(0.002, -depth));
    expect_proven(outcome);
    const std::vector<StartContact>& contacts = outcome.result.certificate->contacts;
    ASSERT_EQ(contacts.size(), 1u) << outcome.result.verdict;
    EXPECT_EQ(contacts[0].other, "floor");
    EXPECT_NEAR(contacts[0].depth, depth, 1e-6);
    EXPECT_FALSE(contacts[0].is_fit);
    EXPECT_GE(contacts[0].bound, depth);
    EXPECT_LE(contacts[0].bound, 1.4 * depth + 1e-4);
    EXPECT_TRUE(says(outcome, "it touches floor at the start")) << outcome.result.verdict;
    EXPECT_NE(make_result_json(outcome.world.scene, outcome.result).find("\"contacts\""),
              std::string::npos);
    // What it does not touch at the start has no tolerance: 2 mm of play is what is measured.
    EXPECT_GT(outcome.result.certificate->tightest->distance, 0);
  }
  const TaskOutcome ignoring = extract(make_tray(0.002, -0.0007, "", "ignore: [fl*r]"));
  expect_proven(ignoring);
  EXPECT_TRUE(ignoring.result.certificate->contacts.empty());
}

/// A pin sits deep in solid material and leaves along its own axis; a cover lies over it.
std::string make_pin(const std::string& more, const std::string& options) {
  return fmt::format(R"(geste: 1
parts:
  - {{name: block, box: [0.1, 0.1, 0.04]}}
  - {{name: pin, cylinder: {{radius: 0.005, length: 0.05}}, pose: {{xyz: [0.02, 0.01, 0.01]}}}}
{}task:
  extract: {{{}}}
)",
                     more, options);
}

// A fit is named, left along its axis, and proven once the two are apart.
TEST_F(ExtractTest, LeavesFitsAlongTheirAxis) {
  const TaskOutcome outcome = extract(make_pin("", "part: pin"));
  expect_proven(outcome);
  const std::vector<StartContact>& contacts = outcome.result.certificate->contacts;
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_TRUE(contacts[0].is_fit);
  EXPECT_GT(contacts[0].depth, 0.004);
  ASSERT_TRUE(contacts[0].axis);
  EXPECT_GT(std::abs(contacts[0].axis->z()), 0.9999);
  EXPECT_GT(contacts[0].apart_at, 0);
  EXPECT_TRUE(says(outcome, "it leaves its fit in block along the axis")) << outcome.result.verdict;
  // Sideways it would plough through the block.
  const TaskOutcome sideways = extract(make_pin("", "part: pin, direction: [1, 0, 0]"));
  const JointMotion& motion = sideways.result.motion;
  if (sideways.result.found) {
    EXPECT_GT(motion.times.size(), 2u);
  }
}

constexpr const char* kCover =
    "  - {name: cover, box: [0.2, 0.2, 0.01], pose: {xyz: [0, 0, 0.06]}}\n"
    "  - {name: left, box: [0.01, 0.2, 0.085], pose: {xyz: [-0.105, 0, 0.0225]}}\n"
    "  - {name: right, box: [0.01, 0.2, 0.085], pose: {xyz: [0.105, 0, 0.0225]}}\n"
    "  - {name: near, box: [0.2, 0.01, 0.085], pose: {xyz: [0, -0.105, 0.0225]}}\n"
    "  - {name: far, box: [0.2, 0.01, 0.085], pose: {xyz: [0, 0.105, 0.0225]}}\n"
    "  - {name: bottom, box: [0.2, 0.2, 0.01], pose: {xyz: [0, 0, -0.03]}}\n";

// Disassembly: the cover goes before the pin, each with a proven motion, and nothing else goes.
TEST_F(ExtractTest, GivesTheOrderOfDisassembly) {
  const TaskOutcome outcome = extract(make_pin(kCover, "part: pin, sequence: true"));
  ASSERT_TRUE(outcome.result.found) << outcome.result.verdict;
  const std::vector<SequenceStep>& steps = outcome.result.sequence;
  ASSERT_EQ(steps.size(), 2u) << outcome.result.verdict;
  EXPECT_EQ(steps[1].part, "pin");
  EXPECT_EQ(steps[0].end, steps[1].begin);
  EXPECT_EQ(steps[1].end, outcome.result.motion.times.back());
  EXPECT_TRUE(outcome.result.certificate->is_free);
  EXPECT_TRUE(outcome.result.certificate->is_verified);
}

/// The option that lets a part go through those who must go.
std::string ignore_blockers(const TaskOutcome& outcome) {
  return fmt::format("ignore: [{}]", fmt::join(outcome.result.reasons->without, ", "));
}

// GX-3: along the axis of the fit others are in the way: who is named, is rightly so.
TEST_F(ExtractTest, NamesWhoIsInTheWayOfAFit) {
  const std::string lids =
      "  - {name: lid, box: [0.1, 0.1, 0.01], pose: {xyz: [0, 0, 0.045]}}\n"
      "  - {name: base, box: [0.1, 0.1, 0.01], pose: {xyz: [0, 0, -0.03]}}\n"
      "  - {name: rest, box: [0.1, 0.1, 0.01], pose: {xyz: [0, 0, -0.045]}}\n";
  const TaskOutcome outcome = extract(make_pin(lids, "part: pin"));
  ASSERT_TRUE(outcome.result.reasons) << outcome.result.verdict;
  EXPECT_EQ(outcome.result.reasons->kind, "fit") << outcome.result.verdict;
  EXPECT_EQ(outcome.result.reasons->without, std::vector<std::string>{"lid"});
  expect_proven(extract(make_pin(lids, "part: pin, " + ignore_blockers(outcome))));
}

// Two fits whose axes differ hold each other: one of the two must go.
TEST_F(ExtractTest, NamesFitsThatShareNoAxis) {
  const std::string bolt =
      "  - {name: bolt, cylinder: {radius: 0.005, length: 0.05}, pose: {xyz: [-0.02, 0.04, 0], "
      "rpy_deg: [90, 0, 0]}}\n";
  const TaskOutcome outcome = extract(make_pin(bolt, "part: block"));
  ASSERT_TRUE(outcome.result.reasons) << outcome.result.verdict;
  EXPECT_EQ(outcome.result.reasons->kind, "fit") << outcome.result.verdict;
  EXPECT_EQ(outcome.result.reasons->without.size(), 1u) << outcome.result.verdict;
  expect_proven(extract(make_pin(bolt, "part: block, " + ignore_blockers(outcome))));
}

// GX-3: a closed box is a proof, with the parts that enclose; without the one that is named there
// is a way. Over several seeds.
TEST_F(ExtractTest, ProvesThatAClosedBoxBlocks) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const TaskOutcome outcome = extract(make_tray(0.004, 0.005, kLid, "samples: 2000"), seed);
    const TaskResult& result = outcome.result;
    EXPECT_FALSE(result.found);
    EXPECT_TRUE(says(outcome, "Proven blocked: ")) << result.verdict;
    ASSERT_TRUE(result.reasons && result.reasons->enclosure);
    EXPECT_EQ(result.reasons->kind, "blocked");
    EXPECT_NEAR(result.reasons->enclosure->radius, 0.025, 2e-4);
    EXPECT_EQ(result.reasons->enclosure->walls.size(), 6u);
    const AxisBox& box = result.reasons->enclosure->box;
    EXPECT_GT(box.min.x(), -0.1);
    EXPECT_LT(box.max.x(), 0.1);
    EXPECT_NE(make_result_json(outcome.world.scene, result).find("\"proven blocked\""),
              std::string::npos);
    ASSERT_EQ(result.reasons->without.size(), 1u);
    std::string open = make_tray(0.004, 0.005, kLid, "samples: 2000");
    const std::size_t begin = open.find("  - {name: " + result.reasons->without[0]);
    ASSERT_NE(begin, std::string::npos) << result.reasons->without[0];
    open.erase(begin, open.find('\n', begin) - begin);
    expect_proven(extract(open, seed));
  }
}

// GX-3: one part that must go first is named; without it the block comes out.
TEST_F(ExtractTest, NamesThePartThatMustGoFirst) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const TaskOutcome outcome = extract(make_tray(0.001, 0.005, kBar, "samples: 2000"), seed);
    const TaskResult& result = outcome.result;
    EXPECT_FALSE(result.found) << result.verdict;
    ASSERT_TRUE(result.reasons);
    EXPECT_EQ(result.reasons->without, std::vector<std::string>{"bar"}) << result.verdict;
    EXPECT_TRUE(says(outcome, "without bar there is a motion, found and proven")) << result.verdict;
    expect_proven(extract(make_tray(0.001, 0.005), seed));
  }
}

/// A cube of 50 mm in a closed chamber with a slot of some width above it.
std::string make_slot(double width, double off_centre = 0) {
  const double lip = (0.2 - width) / 2;
  return fmt::format(R"(geste: 1
parts:
  - {{name: cube, box: [0.05, 0.05, 0.05], pose: {{xyz: [{off}, 0, 0]}}}}
  - {{name: floor, box: [0.2, 0.2, 0.01], pose: {{xyz: [0, 0, -0.04]}}}}
  - {{name: left, box: [0.01, 0.2, 0.1], pose: {{xyz: [-0.095, 0, 0]}}}}
  - {{name: right, box: [0.01, 0.2, 0.1], pose: {{xyz: [0.095, 0, 0]}}}}
  - {{name: front, box: [0.2, 0.01, 0.1], pose: {{xyz: [0, -0.095, 0]}}}}
  - {{name: back, box: [0.2, 0.01, 0.1], pose: {{xyz: [0, 0.095, 0]}}}}
  - {{name: lip_left, box: [{lip}, 0.2, 0.01], pose: {{xyz: [{x0}, 0, 0.05]}}}}
  - {{name: lip_right, box: [{lip}, 0.2, 0.01], pose: {{xyz: [{x1}, 0, 0.05]}}}}
task:
  extract: {{part: cube, samples: 15000}}
)",
                     fmt::arg("off", off_centre), fmt::arg("lip", lip),
                     fmt::arg("x0", -width / 2 - lip / 2), fmt::arg("x1", width / 2 + lip / 2));
}

// GX-3: how much is missing, and between whom. The proof is that a ball of 50 mm does not go
// through 48 mm.
TEST_F(ExtractTest, SaysHowMuchIsMissing) {
  for (const std::uint64_t seed : {1, 2}) {
    for (const double off : {0.0, 0.02}) {
      const TaskOutcome outcome = extract(make_slot(0.048, off), seed);
      const TaskResult& result = outcome.result;
      EXPECT_FALSE(result.found);
      ASSERT_TRUE(result.reasons && result.reasons->gap) << result.verdict;
      // What slides sideways first is found less exactly, but never as less than is missing.
      EXPECT_LE(result.reasons->gap->missing, off == 0 ? 0.0022 : 0.003) << result.verdict;
      EXPECT_GE(result.reasons->gap->missing, 0.002 - 1e-9) << result.verdict;
      EXPECT_TRUE(result.reasons->enclosure) << result.verdict;
      std::vector<std::string> between = result.reasons->gap->between;
      std::sort(between.begin(), between.end());
      EXPECT_EQ(between, (std::vector<std::string>{"lip_left", "lip_right"})) << result.verdict;
    }
  }
  expect_proven(extract(make_slot(0.0525)));
}

// GX-3: a side on which something else stands is no way out.
TEST_F(ExtractTest, SaysThatTheGoalIsInAWall) {
  const TaskOutcome outcome = extract(
      make_tray(0.004, 0.005, "  - {name: wall, box: [0.4, 0.4, 0.4], pose: {xyz: [0, 0, 0.3]}}",
                "direction: [0, 0, 1], outside: {low: [-0.1, -0.1, -0.1], high: [0.1, 0.1, 0.1]}"));
  EXPECT_FALSE(outcome.result.found);
  ASSERT_TRUE(outcome.result.reasons);
  EXPECT_EQ(outcome.result.reasons->kind, "goal") << outcome.result.verdict;
}

// What is carried goes along, and may be what does not fit.
TEST_F(ExtractTest, TakesCarriedPartsAlong) {
  const std::string knob =
      "  - {name: knob_1, box: [0.02, 0.02, 0.02], pose: {xyz: [0, 0, 0.045]}}";
  const TaskOutcome outcome = extract(make_tray(0.004, 0.005, knob, "carries: ['knob*']"));
  expect_proven(outcome);
  const Scene& scene = outcome.world.scene;
  Workspace workspace(scene);
  compute_kinematics(scene, outcome.result.motion.q.rightCols(1), workspace);
  const Pose X_WB = compute_pose(scene, workspace, *scene.find_body("block"));
  const Pose X_WK = compute_pose(scene, workspace, *scene.find_body("knob_1"));
  EXPECT_NEAR(((X_WB.inverse() * X_WK).p - Vec3(0, 0, 0.04)).norm(), 0, 1e-12);
  const std::string plate =
      "  - {name: plate, box: [0.3, 0.02, 0.004], pose: {xyz: [0, 0, 0.06]}}\n"
      "  - {name: hook, box: [0.02, 0.1, 0.01], pose: {xyz: [0.12, 0, 0.08]}}\n"
      "  - {name: hook2, box: [0.02, 0.1, 0.01], pose: {xyz: [-0.12, 0, 0.08]}}";
  const TaskOutcome held =
      extract(make_tray(0.001, 0.005, plate, "carries: [plate], samples: 2000"));
  EXPECT_FALSE(held.result.found) << held.result.verdict;
  EXPECT_TRUE(extract(make_tray(0.001, 0.005, plate, "ignore: [plate]")).result.found);
}

// GX-6
TEST_F(ExtractTest, SaysTheSameOnAnyNumberOfThreads) {
  for (const std::string& text :
       {make_tray(0.001, 0.005, kBar, "samples: 1000"), make_tray(0.004, 0.005)}) {
    const TaskOutcome one = extract(text, 5, 1), two = extract(text, 5, 2);
    EXPECT_EQ(make_result_json(one.world.scene, one.result),
              make_result_json(two.world.scene, two.result));
  }
}

// MV-10: one product of a STEP assembly comes out of the others, whose seat it lies in without
// play.
TEST_F(ExtractTest, TakesAProductOutOfAStepAssembly) {
  const std::filesystem::path file = testing::shared_data() / "cad/step/as1-oc-214.stp";
  GESTE_NEEDS_DATA(file);
  const auto task = [&](const std::string& options) {
    return fmt::format("geste: 1\nparts:\n  - {{name: as1, mesh: {}}}\ntask:\n  extract: {{{}}}\n",
                       file.string(), options);
  };
  const TaskOutcome nut = extract(task("part: as1/nut_1"));
  expect_proven(nut);
  // Bracket and rod hold it; they are told apart from what it only passes.
  EXPECT_TRUE(says(nut, "it touches as1/rod_1 and as1/l-bracket_1_2 at the start"))
      << nut.result.verdict;
  // With both nuts on it the rod is held by the brackets, both of them.
  const TaskOutcome rod =
      extract(task("part: as1/rod_1, carries: [as1/nut_1, as1/nut_2], samples: 1000"));
  EXPECT_FALSE(rod.result.found);
  ASSERT_TRUE(rod.result.reasons);
  std::vector<std::string> blocking = rod.result.reasons->without;
  std::sort(blocking.begin(), blocking.end());
  EXPECT_EQ(blocking, (std::vector<std::string>{"as1/l-bracket_1", "as1/l-bracket_1_2"}))
      << rod.result.verdict;
  // Without them it comes out.
  expect_proven(extract(
      task("part: as1/rod_1, carries: [as1/nut_1, as1/nut_2], ignore: ['as1/l-bracket*']")));
}

TEST_F(ExtractTest, NamesFaultsOfTheTask) {
  const auto code = [&](const std::string& part, const std::string& options) {
    std::string text = make_tray(0.004, 0.005, "", options);
    text.replace(text.find("part: block"), 11, "part: " + part);
    const Result<TaskOutcome> outcome = run(write("f.yaml", text));
    return outcome ? std::string("none") : outcome.error().code;
  };
  EXPECT_EQ(code("blok", ""), "extract.unknown_part");
  EXPECT_EQ(code("block", "carries: [nobody]"), "extract.unknown_part");
  EXPECT_EQ(code("block", "tolerance: -1 mm"), "extract.options");
  EXPECT_EQ(code("block", "direction: [0, 0, 0]"), "extract.options");
  EXPECT_EQ(code("block", "outside: {low: [1, 0, 0], high: [0, 1, 1]}"), "extract.options");
  EXPECT_EQ(code("block", "outside: {low: [1, 1, 1], high: [2, 2, 2]}"), "extract.out_already");
  EXPECT_EQ(code("block", "carries: ['*']"), "extract.nothing_there");
}

}  // namespace
}  // namespace geste

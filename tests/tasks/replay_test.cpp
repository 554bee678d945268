#include "geste/tasks/replay.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

#include "geste/core/files.hpp"
#include "geste/formats/bvh.hpp"
#include "geste/formats/gltf.hpp"
#include "geste/formats/motion_csv.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/tasks/info.hpp"

#include "tasks/task_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;
using testing::TaskTest;

constexpr const char* kArm = R"(<robot name="r">
  <link name="base"/><link name="a"><collision><geometry><box size="0.1 0.1 0.4"/></geometry></collision></link>
  <link name="b"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="follow" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="turn" multiplier="2" offset="0.5"/></joint>
</robot>)";

constexpr const char* kTask = R"(geste: 1
parts:
  - {name: cup, sphere: 50 mm, movable: true, pose: {xyz: [1, 0, 0]}}
actors:
  - {name: arm, urdf: arm.urdf}
attachments:
  - {body: cup, carrier: arm/b}
task:
  replay: {motion: m.csv}
)";

TEST_F(TaskTest, ReplaysCsvWithFollowersAndCarriedParts) {
  write("arm.urdf", kArm);
  write("m.csv", "time,arm/turn\n0,0\n1,0.5\n2,1.2\n");
  const Result<TaskOutcome> outcome = run(write("t.yaml", kTask));
  ASSERT_TRUE(outcome) << to_text(outcome.error());
  const Scene& scene = outcome->world.scene;
  const JointMotion& motion = outcome->result.motion;
  const auto at = [&](const char* joint) { return scene.joint(*scene.find_joint(joint)).q; };
  EXPECT_DOUBLE_EQ(motion.q(at("arm/follow"), 1), 2 * 0.5 + 0.5);
  // The cup rides on b: it was 0.5 in front of it, and b is 1.5 out after half a radian.
  const Vec3 cup(motion.q(at("cup/root"), 1), motion.q(at("cup/root") + 1, 1), 0);
  const Vec3 world = cup + Vec3(1, 0, 0);  // the joint's zero is where the part was placed
  EXPECT_NEAR(world.norm(), 2.0, 1e-12);
  EXPECT_NEAR(std::atan2(world.y(), world.x()), 0.5, 1e-12);
  // The last frame is beyond the limit, and said to be.
  const Notes& notes = outcome->result.notes;
  const auto limits = std::find_if(notes.begin(), notes.end(),
                                   [](const Note& n) { return n.code == "replay.limits"; });
  ASSERT_NE(limits, notes.end());
  EXPECT_EQ(limits->element, "joint 'arm/turn'");
}

TEST_F(TaskTest, WritesAllResultFilesThatReadBack) {
  write("arm.urdf", kArm);
  write("m.csv", "time,arm/turn\n0,0\n1,0.5\n2,0.9\n");
  const Result<TaskOutcome> outcome = run(write("t.yaml", kTask));
  ASSERT_TRUE(outcome);
  const Scene& scene = outcome->world.scene;
  ASSERT_TRUE(write_result(folder_ / "out", outcome->world, outcome->result));
  const auto facts = nlohmann::json::parse(load_file(folder_ / "out/result.json").value());
  EXPECT_EQ(facts["outcome"], "found");
  EXPECT_EQ(facts["certificate"]["checked"], true);
  EXPECT_EQ(facts["certificate"]["free"], true);
  EXPECT_EQ(facts["certificate"]["profile"].front()["begin_s"], 0);
  EXPECT_EQ(facts["certificate"]["profile"].back()["end_s"], 2);
  EXPECT_EQ(facts["inputs"].size(), 2u);
  EXPECT_EQ(facts["inputs"][0]["sha256"].get<std::string>().size(), 64u);
  // The same numbers come back from motion.csv, to the last bit.
  const JointMotion back =
      load_motion_csv(folder_ / "out/motion.csv", scene, make_neutral(scene)).value();
  EXPECT_EQ(back.times, outcome->result.motion.times);
  EXPECT_LT((back.q - outcome->result.motion.q).cwiseAbs().maxCoeff(), 1e-15);
  // The GLB holds the shapes; a second run gives the same bytes.
  EXPECT_EQ(load_gltf(folder_ / "out/motion.glb").value().instances.size(), 3u);
  const std::string first = load_file(folder_ / "out/motion.glb").value();
  EXPECT_EQ(make_motion_glb(scene, run(folder_ / "t.yaml")->result.motion), first);
}

// GX-2: between the frames too, by name and time.
TEST_F(TaskTest, NamesTheFirstContactBetweenFrames) {
  write("arm.urdf", kArm);
  write("m.csv", "time,arm/turn\n0,0\n1,0.5\n2,0.9\n");
  std::string task = kTask;
  const double angle = 0.7, away = 2;
  task.replace(task.find("actors:"), 7,
               fmt::format("  - {{name: pin, sphere: 10 mm, pose: {{xyz: [{}, {}, 0]}}}}\nactors:",
                           away * std::cos(angle), away * std::sin(angle)));
  const Result<TaskOutcome> outcome = run(write("t.yaml", task));
  ASSERT_TRUE(outcome) << to_text(outcome.error());
  const Certificate& certificate = *outcome->result.certificate;
  EXPECT_FALSE(certificate.is_free);
  ASSERT_TRUE(certificate.contact);
  EXPECT_EQ(certificate.contact->a, "pin");
  EXPECT_EQ(certificate.contact->b, "arm/b");
  EXPECT_GT(certificate.contact->at, 1);
  EXPECT_LT(certificate.contact->at, 2);
  EXPECT_LE(certificate.contact->distance, 10e-6);
  EXPECT_LT((certificate.contact->point - away * Vec3(std::cos(angle), std::sin(angle), 0)).norm(),
            0.02);
  EXPECT_NE(outcome->result.verdict.find("it collides at"), std::string::npos);
  EXPECT_DOUBLE_EQ(certificate.profile.front().begin, 0);
}

TEST_F(TaskTest, CutsAndResamples) {
  write("arm.urdf", kArm);
  write("m.csv", "time,arm/turn\n0,0\n1,0.5\n2,1\n");
  std::string task = kTask;
  task.replace(task.find("m.csv"), 5, "m.csv, rate: 10, begin: 500 ms, end: 1.5");
  const JointMotion motion = run(write("t.yaml", task))->result.motion;
  ASSERT_EQ(motion.times.size(), 11u);
  EXPECT_DOUBLE_EQ(motion.times.front(), 0.5);
  const auto outcome = run(folder_ / "t.yaml");
  const int turn = outcome->world.scene.joint(*outcome->world.scene.find_joint("arm/turn")).q;
  EXPECT_NEAR(motion.q(turn, 5), 0.5, 1e-12);
}

constexpr const char* kStick = R"(HIERARCHY
ROOT hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT knee
  {
    OFFSET 0 -50 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -50 0
    }
  }
}
MOTION
)";

std::string make_clip(int frames) {
  std::string text = kStick + ("Frames: " + std::to_string(frames) + "\nFrame Time: 0.1\n");
  for (int i = 0; i < frames; ++i) text += std::to_string(i) + " 90 0 0 0 0 0 30 0\n";
  return text;
}

bool has_note(const TaskOutcome& outcome, const std::string& code) {
  const Notes& notes = outcome.result.notes;
  return std::any_of(notes.begin(), notes.end(), [&](const Note& n) { return n.code == code; });
}

TEST_F(TaskTest, CapturesMoveAnActorOfTheSameSkeleton) {
  write("walk.bvh", make_clip(3));
  const auto alone = run(write("alone.yaml",
                               "geste: 1\ntask: {replay: {motion: walk.bvh, "
                               "bvh_unit: 0.01}}\n"));
  ASSERT_TRUE(alone) << to_text(alone.error());
  const auto moved = run(write("moved.yaml",
                               "geste: 1\nactors: [{name: man, bvh: walk.bvh, bvh_unit: 0.01}]\n"
                               "task: {replay: {motion: walk.bvh, actor: man, bvh_unit: 0.01}}\n"));
  ASSERT_TRUE(moved) << to_text(moved.error());
  EXPECT_EQ(alone->result.motion.q, moved->result.motion.q);
  EXPECT_EQ(alone->result.motion.times.size(), 3u);
  EXPECT_GT((moved->result.motion.q.col(2) - moved->result.motion.q.col(0)).norm(), 0.01);
  for (const auto& outcome : {alone, moved}) {
    ASSERT_EQ(outcome->result.inputs.size(), 1u);
    EXPECT_EQ(outcome->result.inputs[0].file, "walk.bvh") << "as written, not where it lies";
  }
  // A joint that the actor does not have is named.
  std::string other = make_clip(1);
  other.replace(other.find("knee"), 4, "elbow");
  write("other.bvh", other);
  const auto partly = run(write("partly.yaml",
                                "geste: 1\nactors: [{name: man, bvh: walk.bvh}]\n"
                                "task: {replay: {motion: other.bvh, actor: man}}\n"));
  ASSERT_TRUE(partly) << to_text(partly.error());
  EXPECT_TRUE(has_note(*partly, "replay.joints_left_out"));
  EXPECT_EQ(partly->result.inputs.size(), 2u);
}

TEST_F(TaskTest, RecordingsWithoutFramesAreExplained) {
  write("walk.bvh", make_clip(0));
  const auto outcome = run(write("t.yaml", "geste: 1\ntask: {replay: {motion: walk.bvh}}\n"));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, "replay.empty");
}

TEST_F(TaskTest, TimesBeforeZeroAreReplayedToo) {
  write("arm.urdf", kArm);
  write("m.csv", "time,arm/turn\n-5,0\n-4,0.5\n3,0.5\n");
  EXPECT_EQ(run(write("t.yaml", kTask))->result.motion.times, (std::vector<double>{-5, -4, 3}));
  std::string task = kTask;
  task.replace(task.find("m.csv"), 5, "m.csv, begin: -4.5, end: 0");
  EXPECT_EQ(run(write("t.yaml", task))->result.motion.times, (std::vector<double>{-4}));
}

TEST_F(TaskTest, ChainsThatCannotCloseAreNoted) {
  // The second carrier would stand outside its area.
  write("m.csv",
        "time,pair/first/base:x,pair/first/base:y,pair/first/base:angle\n0,0,0,0\n1,3.9,0,0\n");
  const auto outcome = run(write("t.yaml",
                                 "geste: 1\nactors: [{name: pair, builtin: dumbbell}]\n"
                                 "task: {replay: {motion: m.csv}}\n"));
  ASSERT_TRUE(outcome) << to_text(outcome.error());
  EXPECT_TRUE(has_note(*outcome, "replay.loop_unreachable"));
}

TEST_F(TaskTest, ASpentBudgetIsNotCalledCancelled) {
  write("arm.urdf", kArm);
  write("m.csv", "time,arm/turn\n0,0\n1,0.5\n");
  const auto loaded = load_task(write("t.yaml", kTask));
  Budget budget;
  budget.deadline = make_deadline(0);
  const auto outcome = loaded->task->run({loaded->file, 1, 0, budget, no_progress()});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, "replay.budget");
  EXPECT_NE(outcome.error().remedy.find("--budget"), std::string::npos);
}

TEST_F(TaskTest, ReplaysACaptureAsItsOwnSkeleton) {
  const fs::path clip = testing::shared_data() / "mocap/07_01.bvh";
  GESTE_NEEDS_DATA(clip);
  const auto outcome = run(write("t.yaml", "geste: 1\ntask:\n  replay: {motion: " + clip.string() +
                                               ", end: 0.5, bvh_unit: 0.056444 m}\n"));
  ASSERT_TRUE(outcome) << to_text(outcome.error());
  // The hands of the replay are where the capture's own kinematics puts them, turned upright.
  const Scene& scene = outcome->world.scene;
  const BvhFile bvh = load_bvh(clip).value();
  std::vector<Pose> X;
  Workspace w(scene);
  for (int frame : {1, 40}) {
    compute_bvh_pose(bvh, frame, X);
    compute_kinematics(scene, outcome->result.motion.q.col(frame), w);
    for (std::size_t j = 0; j < bvh.joints.size(); ++j) {
      const Vec3 p = 0.056444 * Vec3(X[j].p.z(), X[j].p.x(), X[j].p.y());
      EXPECT_LT(
          (compute_pose(scene, w, *scene.find_body("07_01/" + bvh.joints[j].name)).p - p).norm(),
          1e-9)
          << bvh.joints[j].name;
    }
  }
}

// Each wrong task file gets one message that names place, cause and remedy.
struct BadTask {
  const char* name;
  const char* text;
  std::vector<std::string> expected;
};

class BadTasks : public ::testing::TestWithParam<BadTask> {};

TEST_P(BadTasks, AreExplained) {
  const Result<LoadedTask> loaded = parse_task_with_kinds(GetParam().text, "t.yaml");
  ASSERT_FALSE(loaded);
  const std::string text = to_text(loaded.error());
  const bool several = std::string_view(GetParam().name) == "all_at_once";
  EXPECT_EQ(loaded.error().also.size(), several ? 1u : 0u) << text;
  for (const std::string& expected : GetParam().expected)
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\nin\n" << text;
}

INSTANTIATE_TEST_SUITE_P(
    Messages, BadTasks,
    ::testing::Values(
        BadTask{"unknown_key",
                "geste: 1\nparts:\n  - {name: a, bx: [1, 2, 3]}\n",
                {"t.yaml:3:15", "unknown key 'bx'", "did you mean 'box'?"}},
        BadTask{"wrong_type",
                "geste: 1\nparts:\n  - {name: a, box: tall}\n",
                {"t.yaml:3:20", "must be a sequence of 3 numbers", "'tall'"}},
        BadTask{"wrong_unit",
                "geste: 1\nparts:\n  - {name: a, sphere: 3 kg}\n",
                {"t.yaml:3:23", "'kg' is no unit", "mm"}},
        BadTask{"wrong_count",
                "geste: 1\nparts:\n  - {name: a, box: [1, 2]}\n",
                {"3 numbers", "2 of them"}},
        BadTask{"no_shape",
                "geste: 1\nparts:\n  - {name: a}\n",
                {"t.yaml:3:5", "task.no_shape", "mesh"}},
        BadTask{"misspelt_shape",
                "geste: 1\nparts:\n  - {name: a, cylindr: {radius: 1, length: 1}}\n",
                {"unknown key 'cylindr'", "did you mean 'cylinder'?"}},
        BadTask{"misspelt_required_key",
                "geste: 1\nparts:\n  - {nmae: a, sphere: 1}\n",
                {"unknown key 'nmae'", "did you mean 'name'?"}},
        BadTask{"no_radius",
                "geste: 1\nparts:\n  - {name: a, sphere: 0}\n",
                {"t.yaml:3:23", "'sphere' must be above zero"}},
        BadTask{"negative_radius",
                "geste: 1\nparts:\n  - {name: a, cone: {radius: -1, length: 1}}\n",
                {"'radius' must be above zero"}},
        BadTask{"no_edges",
                "geste: 1\nparts:\n  - {name: a, box: [0, 0, 0]}\n",
                {"t.yaml:3:20", "edges of 'box' must be above zero"}},
        BadTask{"two_shapes",
                "geste: 1\nparts:\n  - {name: a, sphere: 1, box: [1, 1, 1]}\n",
                {"task.two_shapes"}},
        BadTask{"no_version", "parts: []\n", {"'geste' is missing"}},
        BadTask{"new_version", "geste: 7\n", {"newer"}},
        BadTask{"unknown_task",
                "geste: 1\ntask:\n  repaly: {motion: x.csv}\n",
                {"t.yaml:3:3", "did you mean 'replay'?"}},
        BadTask{"same_name",
                "geste: 1\nparts:\n  - {name: a, sphere: 1}\n  - {name: a, sphere: 1}\n",
                {"'a' is used twice"}},
        BadTask{"bad_quaternion",
                "geste: 1\nparts:\n  - {name: a, sphere: 1, pose: {quaternion: [0, 0, 0, 2]}}\n",
                {"norm 1"}},
        BadTask{"not_yaml", "geste: [1\n", {"t.yaml:", "yaml.syntax"}},
        BadTask{"stray_comma", ", movable: true}\nattac", {"t.yaml:1:1", "more than one document"}},
        BadTask{"two_documents", "geste: 1\n---\ngeste: 1\n", {"t.yaml:2", "more than one"}},
        BadTask{"nothing", "# only a comment\n", {"is empty"}},
        BadTask{"not_a_mapping", "- 1\n- 2\n", {"not a mapping"}},
        BadTask{"all_at_once",
                "geste: 1\nfoo: 1\nparts:\n  - {name: a, sphere: x}\n",
                {"unknown key 'foo'", "a length in m, not 'x'"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(TaskTest, MissingFilesAndMotionsAreExplained) {
  const auto missing = run(write("t.yaml",
                                 "geste: 1\nparts:\n  - {name: a, mesh: no.stl}\n  - {name: b, "
                                 "mesh: never.obj}\ntask:\n  replay: {motion: m.csv}\n"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "replay.motion_missing");
  write("m.csv", "time,x\n0,1\n");
  const auto parts = run(folder_ / "t.yaml");
  ASSERT_FALSE(parts);
  EXPECT_EQ(parts.error().also.size(), 1u);
  EXPECT_NE(to_text(parts.error()).find((folder_ / "no.stl").string()), std::string::npos);
}

TEST_F(TaskTest, BadMotionsAreExplained) {
  write("arm.urdf", kArm);
  write("t.yaml", kTask);
  const auto text_of = [&](const char* csv) {
    write("m.csv", csv);
    const auto outcome = run(folder_ / "t.yaml");
    return outcome ? std::string() : to_text(outcome.error());
  };
  EXPECT_NE(text_of("time,arm/trun\n0,1\n").find("did you mean 'arm/turn'?"), std::string::npos);
  EXPECT_NE(text_of("time,arm/turn\n0,1\n1\n").find("m.csv:3"), std::string::npos);
  EXPECT_NE(text_of("time,arm/turn\n0,abc\n").find("'abc' is not a finite number"),
            std::string::npos);
  EXPECT_NE(text_of("time,arm/turn\n1,0\n1,0\n").find("csv.time_order"), std::string::npos);
  EXPECT_NE(text_of("time,cup/root:x\n1,0\n").find("cup/root:y"), std::string::npos);
  EXPECT_NE(text_of("").find("csv.empty"), std::string::npos);
}

TEST_F(TaskTest, CancellingStopsBeforeAnythingIsWritten) {
  write("arm.urdf", kArm);
  write("m.csv", "time,arm/turn\n0,0\n1,0.5\n");
  const auto loaded = load_task(write("t.yaml", kTask));
  CancelSource source;
  source.request();
  Budget budget;
  budget.cancel = source.token();
  const auto outcome = loaded->task->run({loaded->file, 1, 0, budget, no_progress()});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, "cancelled");
}

TEST(Info, KnowsEveryFormatOfTheDataFolder) {
  const fs::path data = testing::shared_data();
  GESTE_NEEDS_DATA(data / "robots");
  for (const char* file :
       {"robots/panda/panda.urdf", "robots/panda/panda.srdf", "robots/talos/meshes",
        "cad/gltf/2CylinderEngine.glb", "cad/step/as1-oc-214.stp", "mocap/07_01.bvh",
        "mocap/Vicon.c3d", "rigid/hedgehog/robot.stl", "robots/panda/meshes/collision/link0.obj"}) {
    if (fs::is_directory(data / file)) continue;
    const auto info = load_info(data / file);
    ASSERT_TRUE(info) << to_text(info.error());
    EXPECT_TRUE(nlohmann::json::accept(info->json)) << file;
    EXPECT_NE(info->text.find("format:"), std::string::npos);
  }
  const auto engine = nlohmann::json::parse(load_info(data / "cad/gltf/2CylinderEngine.glb")->json);
  EXPECT_EQ(engine["parts"], 67);
  EXPECT_EQ(engine["distinct_meshes"], 29);
  EXPECT_EQ(engine["triangles"]["instanced_in_file"], 121496);
  EXPECT_EQ(engine["notes"].back()["code"], "asset.unit_doubt");
}

TEST(Info, OwnExampleRuns) {
  const auto info = load_info(testing::source_dir() / "scenes/hello.yaml");
  ASSERT_TRUE(info) << to_text(info.error());
  const auto facts = nlohmann::json::parse(info->json);
  EXPECT_EQ(facts["task"], "replay");
}

}  // namespace
}  // namespace geste

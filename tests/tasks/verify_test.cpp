#include "geste/tasks/verify.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "geste/core/files.hpp"
#include "geste/formats/result_reader.hpp"
#include "geste/tasks/task.hpp"

#include "formats/step_writing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kTask = R"(geste: 1
parts:
  - {name: shelf, box: [1, 1, 0.1]}
  - {name: crate, mesh: crate.obj, movable: true, pose: {xyz: [0, 0, 0.2]}}
task:
  replay: {motion: slide.csv}
)";

/// A tetrahedron that stands on its tip.
constexpr const char* kCrate = R"(v 0 0 -0.1
v 0.1 0 0.1
v -0.1 0.1 0.1
v -0.1 -0.1 0.1
f 1 3 2
f 1 4 3
f 1 2 4
f 2 3 4
)";

constexpr const char* kMotion =
    "time,crate/root:x,crate/root:y,crate/root:z,crate/root:qx,crate/root:qy,crate/root:qz,"
    "crate/root:qw\n0,0,0,0,0,0,0,1\n1,0.2,0,-0.04,0,0,0,1\n2,0.4,0,0,0,0,0,1\n";

/// A scene with a recording and the result of its replay.
class Verify : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "scene");
    write("scene/task.yaml", kTask);
    write("scene/crate.obj", kCrate);
    write("scene/slide.csv", kMotion);
    run_task();
  }

  void run_task() {
    const Result<LoadedTask> task = load_task(folder_ / "scene/task.yaml");
    ASSERT_TRUE(task) << to_text(task.error());
    const auto outcome = task->task->run({task->file, 1, 0, Budget(), no_progress()});
    ASSERT_TRUE(outcome) << to_text(outcome.error());
    ASSERT_TRUE(write_result(folder_ / "out/result", outcome->world, outcome->result));
  }

  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file_atomically(folder_ / name.c_str(), text));
  }
  std::string read(const std::string& name) { return load_file(folder_ / name.c_str()).value(); }
  /// What replaces what must be there.
  void replace(const std::string& name, const std::string& from, const std::string& to) {
    std::string text = read(name);
    ASSERT_NE(text.find(from), std::string::npos) << text;
    write(name, text.replace(text.find(from), from.size(), to));
  }
  void claim(double clearance) {
    json result = json::parse(read("out/result/result.json"));
    result["certificate"]["clearance_m"] = clearance;
    write("out/result/result.json", result.dump());
  }

  json verify(const VerifyResultOptions& options = {}) {
    const Result<VerifyOutcome> outcome = verify_result(folder_ / "out/result", options);
    if (!outcome) return {{"error", to_text(outcome.error())}, {"code", outcome.error().code}};
    json facts = json::parse(outcome->json);
    EXPECT_EQ(facts["verified"], outcome->verified);
    facts["text"] = outcome->text;
    facts["notes"] = outcome->notes.size();
    return facts;
  }

  testing::Scratch folder_;
};

// GX-2
TEST_F(Verify, ProvesAFreeMotion) {
  const json facts = verify();
  ASSERT_FALSE(facts.contains("error")) << facts["error"];
  EXPECT_EQ(facts["verified"], true);
  EXPECT_LE(facts["clearance_m"], 0.01);
  EXPECT_GE(facts["clearance_m"], 0.009 - 1e-9);
  EXPECT_EQ(facts["a"], "shelf");
  EXPECT_EQ(facts["b"], "crate");
  EXPECT_EQ(facts["course"], "straight");
  EXPECT_EQ(facts["checked_pairs"], 1);
}

TEST_F(Verify, RefusesAMotionThatTouches) {
  replace("out/result/motion.csv", "1,0.2,0,0.16", "1,0.2,0,0.14");
  const json facts = verify();
  ASSERT_FALSE(facts.contains("error")) << facts["error"];
  EXPECT_EQ(facts["verified"], false);
  EXPECT_NEAR(facts["at_s"], 0.05 / 0.06, 1e-3);
  EXPECT_NEAR(facts["point"][0], 0.2 * 0.05 / 0.06, 1e-3);
  EXPECT_NEAR(facts["point"][2], 0.05, 1e-4);
  const auto text = facts["text"].get<std::string>();
  EXPECT_NE(text.find("shelf - crate at 0.83"), std::string::npos) << text;
  EXPECT_NE(text.find("touching"), std::string::npos) << text;
}

TEST_F(Verify, ProvesWhatTheCertificateClaims) {
  claim(0.0099);
  EXPECT_EQ(verify()["verified"], true);
  EXPECT_NE(verify()["text"].get<std::string>().find("the claimed clearance of 9.9 mm holds"),
            std::string::npos);
  claim(0.0101);
  const json facts = verify();
  EXPECT_EQ(facts["verified"], false);
  EXPECT_NE(facts["text"].get<std::string>().find("claimed 10.1 mm"), std::string::npos)
      << facts["text"];
}

TEST_F(Verify, MovesTogetherWithItsScene) {
  fs::create_directories(folder_ / "elsewhere/deep");
  fs::rename(folder_ / "scene", folder_ / "elsewhere/deep/scene");
  EXPECT_EQ(verify()["code"], "verify.task_missing");
  EXPECT_EQ(verify({folder_ / "elsewhere/deep/scene/task.yaml"})["verified"], true);
  fs::rename(folder_ / "out", folder_ / "elsewhere/deep/out");
  fs::create_directory_symlink(folder_ / "elsewhere/deep/out", folder_ / "out");
  const auto moved = verify_result(folder_ / "elsewhere/deep/out/result");
  ASSERT_TRUE(moved) << to_text(moved.error());
  EXPECT_TRUE(moved->verified);
}

TEST_F(Verify, NamesInputsThatChanged) {
  write("scene/slide.csv", std::string(kMotion) + "3,0,0,0,0,0,0,1\n");
  json facts = verify();
  EXPECT_EQ(facts["code"], "verify.input_changed");
  EXPECT_NE(facts["error"].get<std::string>().find("input 'slide.csv'"), std::string::npos);
  write("scene/slide.csv", kMotion);
  EXPECT_EQ(verify()["verified"], true);
  write("scene/crate.obj", std::string(kCrate) + "# smaller\n");
  facts = verify();
  EXPECT_NE(facts["error"].get<std::string>().find("input 'crate.obj'"), std::string::npos);
  write("scene/crate.obj", kCrate);
  fs::remove(folder_ / "scene/slide.csv");
  EXPECT_EQ(verify()["code"], "verify.input_missing");
  write("scene/slide.csv", kMotion);
  write("scene/task.yaml", std::string(kTask) + "# changed\n");
  facts = verify();
  EXPECT_EQ(facts["code"], "verify.input_changed");
  EXPECT_NE(facts["error"].get<std::string>().find("task.yaml"), std::string::npos);
}

TEST_F(Verify, EachFaultOfAResultIsNamed) {
  const std::string good = read("out/result/result.json"), motion = read("out/result/motion.csv");
  replace("out/result/motion.csv", "crate:pose.qw", "crate:pse.qw");
  EXPECT_EQ(verify()["code"], "csv.unknown_column");
  write("out/result/motion.csv", motion.substr(0, motion.rfind('\n', motion.size() - 2) + 1));
  EXPECT_EQ(verify()["code"], "verify.frames");
  fs::remove(folder_ / "out/result/motion.csv");
  EXPECT_NE(verify()["error"].get<std::string>().find("motion.csv"), std::string::npos);
  write("out/result/motion.csv", motion);

  write("out/result/result.json", good.substr(0, good.size() / 2));
  EXPECT_EQ(verify()["code"], "result.json");
  const auto set = [&](const json& patch) {
    json result = json::parse(good);
    result.merge_patch(patch);
    write("out/result/result.json", result.dump());
    return verify();
  };
  EXPECT_EQ(set({{"task_file", nullptr}})["code"], "verify.no_task_file");
  EXPECT_EQ(set({{"outcome", "not found"}})["code"], "verify.no_motion");
  EXPECT_EQ(set({{"inputs", 3}})["code"], "result.field");
  EXPECT_EQ(set({{"motion", {{"course", "curly"}}}})["code"], "result.field");
  EXPECT_EQ(set({{"motion", {{"course", "screw"}}}})["course"], "screw");
  fs::remove(folder_ / "out/result/result.json");
  const json missing = verify();
  EXPECT_NE(missing["error"].get<std::string>().find("`geste run --out` wrote"), std::string::npos);
}

TEST_F(Verify, SaysWhereLimitsAreBroken) {
  write("scene/arm.urdf", R"(<robot name="r"><link name="base"/>
  <link name="a"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>)");
  write("scene/task.yaml",
        "geste: 1\nactors: [{name: arm, urdf: arm.urdf}]\ntask: {replay: {motion: turn.csv}}\n");
  write("scene/turn.csv", "time,arm/turn\n0,0\n1,1.5\n");
  run_task();
  const auto verified = verify_result(folder_ / "out/result");
  ASSERT_TRUE(verified) << to_text(verified.error());
  EXPECT_TRUE(verified->verified) << "nothing is checked, nothing collides";
  ASSERT_FALSE(verified->notes.empty());
  EXPECT_EQ(verified->notes.back().code, "verify.limit");
  EXPECT_EQ(verified->notes.back().element, "joint 'arm/turn'");
}

// Also the meshes of a robot, which only its description names.
TEST_F(Verify, NamesMeshesOfRobotsThatChanged) {
  write("scene/arm.urdf", R"(<robot name="r"><link name="base"/>
  <link name="a"><collision><geometry><mesh filename="crate.obj"/></geometry></collision></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="a"/></joint></robot>)");
  write("scene/task.yaml",
        "geste: 1\nactors: [{name: arm, urdf: arm.urdf}]\ntask: {replay: {motion: turn.csv}}\n");
  write("scene/turn.csv", "time,arm/turn\n0,0\n1,1.5\n");
  run_task();
  EXPECT_EQ(verify()["verified"], true);
  write("scene/crate.obj", std::string(kCrate) + "# smaller\n");
  const json facts = verify();
  EXPECT_EQ(facts["code"], "verify.input_changed");
  EXPECT_NE(facts["error"].get<std::string>().find("arm.urdf: crate.obj"), std::string::npos)
      << facts["error"];
}

/// A skeleton that joins the scene with its recording is there in the second look too.
TEST_F(Verify, KnowsWhatTheTaskAddsToItsScene) {
  write("scene/walk.bvh",
        "HIERARCHY\nROOT hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition "
        "Zrotation Xrotation Yrotation\n End Site\n {\n OFFSET 0 -50 0\n }\n}\nMOTION\nFrames: 2\n"
        "Frame Time: 0.1\n0 90 0 0 0 0\n1 90 0 0 0 0\n");
  write("scene/task.yaml", "geste: 1\ntask: {replay: {motion: walk.bvh, bvh_unit: 0.01}}\n");
  run_task();
  const json facts = verify();
  ASSERT_FALSE(facts.contains("error")) << facts["error"];
  EXPECT_EQ(facts["verified"], true);
  EXPECT_EQ(facts["frames"], 2);
  EXPECT_TRUE(facts["clearance_m"].is_null()) << "there is nothing to come near to";
}

TEST(ResultReader, SaysTheLineOfWhatIsNoJson) {
  const auto broken = parse_result_json("{\n  \"outcome\": found\n}\n", "result.json");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, "result.json");
  EXPECT_EQ(broken.error().line, 2);
  const auto many = parse_result_json("{}", "result.json");
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().also.size(), 2u) << "outcome, motion, inputs";
  EXPECT_FALSE(parse_result_json("[1e999]", "result.json"));
  EXPECT_FALSE(parse_result_json("", "result.json"));
}

}  // namespace
}  // namespace geste

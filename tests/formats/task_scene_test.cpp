#include "geste/formats/task_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "testing.hpp"

namespace geste {
namespace {

Result<TaskScene> load(const std::string& text) {
  // Beside the project's own folders, so that relative paths lead there.
  const std::string file = (testing::source_dir() / "t.yaml").string();
  const Result<TaskFile> task = parse_task(text, file, {});
  if (!task) return task.error();
  return load_task_scene(*task);
}

TEST(TaskScene, TellsEachNoteOfASkeletonOnce) {
  const auto notes_of = [](const std::string& unit) {
    return load("geste: 1\nactors:\n  - {name: p, bvh: tests/fuzz/corpus/bvh/walker.bvh" + unit +
                "}\n")
        .value()
        .notes;
  };
  const auto count = [](const Notes& notes, const std::string& code) {
    return std::count_if(notes.begin(), notes.end(), [&](const Note& n) { return n.code == code; });
  };
  const Notes guessed = notes_of(""), given = notes_of(", bvh_unit: 1 cm");
  EXPECT_EQ(count(guessed, "bvh.scale_guessed"), 1);
  EXPECT_EQ(count(given, "bvh.scale_guessed"), 0);
  EXPECT_EQ(given.size(), 1u);
  EXPECT_EQ(guessed.size(), 2u);
}

TEST(TaskScene, AStartWithoutAnyConfigurationSaysWhereTheyComeFrom) {
  const auto world =
      load("geste: 1\nactors:\n  - {name: arm, urdf: models/arm6/arm6.urdf, start: redy}\n");
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().code, "task.unknown_configuration");
  EXPECT_NE(world.error().remedy.find("add `srdf:`"), std::string::npos);
  const auto typo = load(
      "geste: 1\nactors:\n  - {name: arm, urdf: models/arm6/arm6.urdf, srdf: "
      "models/arm6/arm6.srdf, start: redy}\n");
  ASSERT_FALSE(typo);
  EXPECT_NE(typo.error().remedy.find("ready"), std::string::npos);
}

TEST(TaskScene, TakesUnitsBehindJointValues) {
  const std::string arm =
      "geste: 1\nactors:\n  - {name: arm, urdf: models/arm6/arm6.urdf, start: bent}\n"
      "configurations:\n  - {name: bent, joints: {";
  const auto at = [&](const std::string& joints) { return load(arm + joints + "}}\n"); };
  const auto world =
      at("arm/joint1: 45 deg, arm/joint2: -30deg, arm/joint3: 0.5 rad, "
         "arm/finger_left_joint: 10 mm");
  ASSERT_TRUE(world) << to_text(world.error());
  const auto value = [&](const char* joint) {
    return world->start[world->scene.joint(*world->scene.find_joint(joint)).q];
  };
  EXPECT_NEAR(value("arm/joint1"), M_PI / 4, 1e-15);
  EXPECT_NEAR(value("arm/joint2"), -M_PI / 6, 1e-15);
  EXPECT_EQ(value("arm/joint3"), 0.5);

  const auto wrong = at("arm/joint1: 45 mm");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, "task.wrong_unit");
  EXPECT_EQ(wrong.error().line, 5);
  EXPECT_NE(wrong.error().message.find("an angle in rad, not a length"), std::string::npos)
      << wrong.error().message;
  const auto odd = at("arm/joint1: 45 parsec");
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().code, "task.wrong_unit");
  EXPECT_EQ(at("arm/joint1: 45 kg").error().code, "task.wrong_unit");
}

TEST(TaskScene, TakesDegreesInRotations) {
  const auto pose_of = [](const std::string& rotation) {
    const auto task = parse_task(
        "geste: 1\nparts:\n  - {name: a, sphere: 1, pose: {" + rotation + "}}\n", "t.yaml", {});
    EXPECT_TRUE(task) << rotation << ": " << to_text(task.error());
    return task->parts.at(0).pose.R;
  };
  const Mat3 quarter = Pose::rotation(Vec3::UnitZ(), M_PI / 2).R;
  for (const char* rotation :
       {"rpy_deg: [0, 0, 90]", "rpy_deg: [0, 0, 90 deg]", "rpy: [0, 0, 90 deg]",
        "rpy: [0, 0, 90deg]", "rpy_deg: [0, 0, 1.5707963267948966 rad]",
        "quaternion: [0, 0, 0.7071067811865476, 0.7071067811865476]"}) {
    EXPECT_TRUE(pose_of(rotation).isApprox(quarter, 1e-12)) << rotation;
  }
}

TEST(TaskScene, NotesSuspiciousQuaternions) {
  const auto notes_of = [](const std::string& quaternion) {
    return parse_task("geste: 1\nparts:\n  - {name: a, sphere: 1, pose: {quaternion: [" +
                          quaternion + "]}}\n",
                      "t.yaml", {})
        .value()
        .notes;
  };
  const Notes first = notes_of("1, 0, 0, 0");
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].code, "task.quaternion_order");
  EXPECT_EQ(first[0].line, 3);
  EXPECT_NE(first[0].message.find("180 deg"), std::string::npos) << first[0].message;
  EXPECT_NE(first[0].remedy.find("w last"), std::string::npos);
  EXPECT_EQ(notes_of("0.99, 0.1, 0, 0.1").at(0).code, "task.quaternion_order");
  EXPECT_EQ(notes_of("0.7, 0, 0, 0.7").at(0).code, "task.quaternion_norm");
  for (const char* fine :
       {"0, 0, 0, 1", "0.7071, 0, 0, 0.7071", "0, 1, 0, 0", "0.5, 0.5, 0.5, 0.5"})
    EXPECT_TRUE(notes_of(fine).empty()) << fine;
}

}  // namespace
}  // namespace geste

#include "geste/formats/task_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

}  // namespace
}  // namespace geste

#include "geste/core/fold_notes.hpp"

#include <gtest/gtest.h>

namespace geste {
namespace {

Note make(const std::string& code, int line, const std::string& element = "",
          const std::string& message = "odd") {
  Note note;
  note.code = code;
  note.file = "robot.urdf";
  note.line = line;
  note.element = element;
  note.message = message;
  return note;
}

TEST(FoldNotes, MakeOneOfEachCode) {
  Notes notes;
  for (int i = 1; i <= 20; ++i) {
    notes.push_back(make("inertia", i, "link 'l" + std::to_string(i) + "'", "has no inertia"));
    if (i == 2) notes.push_back(make("mimic", i, "joint 'j'"));
  }
  const Notes folded = fold_notes(notes);
  ASSERT_EQ(folded.size(), 2u);
  EXPECT_EQ(to_text(folded[0]),
            "robot.urdf: 20 links ('l1', 'l2', 'l3' and 17 more): has no inertia [inertia]");
  EXPECT_EQ(folded[1], make("mimic", 2, "joint 'j'"));
}

TEST(FoldNotes, NameTwoWithoutACount) {
  const Notes folded =
      fold_notes({make("a", 1, "link 'x'"), make("a", 2, "link 'y'"), make("a", 3, "link 'x'")});
  ASSERT_EQ(folded.size(), 1u);
  EXPECT_EQ(folded[0].element, "2 links ('x' and 'y')");
}

TEST(FoldNotes, ShowTheFirstOfDifferentMessages) {
  const Notes folded =
      fold_notes({make("a", 1, "link 'x'", "is 2 m long"), make("a", 2, "joint 'y'", "is 3 m long"),
                  make("b", 1, "", "b1"), make("b", 1, "", "b2"), make("b", 1, "", "b3")});
  ASSERT_EQ(folded.size(), 2u);
  EXPECT_EQ(folded[0].element, "link 'x' and joint 'y'");
  EXPECT_EQ(folded[0].message, "'x': is 2 m long (and 1 more like it)");
  EXPECT_EQ(to_text(folded[1]), "robot.urdf:1: b1 (and 2 more like it) [b]");
}

TEST(FoldNotes, ShowEqualOnesOnce) {
  EXPECT_EQ(fold_notes({make("a", 1), make("a", 1)}), Notes{make("a", 1)});
  EXPECT_TRUE(fold_notes({}).empty());
}

}  // namespace
}  // namespace geste

#include "geste/core/fold_notes.hpp"

#include <gtest/gtest.h>

namespace geste {
namespace {

Note make(const std::string& code, int line) {
  Note note;
  note.code = code;
  note.line = line;
  note.message = "odd";
  return note;
}

TEST(FoldNotes, ShowsThreeOfEachCodeAndCountsTheRest) {
  Notes notes;
  for (int line = 1; line <= 14; ++line) {
    notes.push_back(make("inertia", line));
    if (line <= 2) notes.push_back(make("mimic", line));
  }
  const Notes folded = fold_notes(notes);
  ASSERT_EQ(folded.size(), 6u);
  EXPECT_EQ(folded[2], make("inertia", 3));
  EXPECT_EQ(folded[3].code, "inertia");
  EXPECT_EQ(folded[3].message, "and 11 more like it");
  EXPECT_EQ(folded[4], make("mimic", 1));
  EXPECT_EQ(folded[5], make("mimic", 2));
}

TEST(FoldNotes, ShowsEqualOnesOnce) {
  EXPECT_EQ(fold_notes({make("a", 1), make("a", 1)}), Notes{make("a", 1)});
  EXPECT_TRUE(fold_notes({}).empty());
}

}  // namespace
}  // namespace geste

#include "geste/core/error.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "geste/core/result.hpp"

namespace geste {
namespace {

Diagnostic make_fault() {
  Diagnostic fault;
  fault.code = "urdf.limits";
  fault.message = "lower limit 2 is above upper limit 1";
  fault.file = "arm.urdf";
  fault.line = 12;
  fault.column = 3;
  fault.element = "joint 'elbow'";
  fault.remedy = "swap them";
  return fault;
}

TEST(Diagnostic, TellsAllItKnows) {
  EXPECT_EQ(to_text(make_fault()),
            "arm.urdf:12:3: joint 'elbow': lower limit 2 is above upper limit 1 [urdf.limits]\n"
            "  remedy: swap them");
}

TEST(Diagnostic, LeavesOutWhatItDoesNotKnow) {
  Diagnostic fault = make_fault();
  fault.column = 0;
  fault.remedy.clear();
  fault.element.clear();
  EXPECT_EQ(to_text(fault), "arm.urdf:12: lower limit 2 is above upper limit 1 [urdf.limits]");
  fault.line = 0;
  fault.column = 3;
  EXPECT_EQ(to_text(fault), "arm.urdf: lower limit 2 is above upper limit 1 [urdf.limits]");
  fault.file.clear();
  fault.code.clear();
  EXPECT_EQ(to_text(fault), "lower limit 2 is above upper limit 1");
}

TEST(Error, HoldsSeveralFaultsInOrder) {
  Diagnostic second, third;
  second.message = "second";
  third.message = "third";
  const Error error = make_error({make_fault(), second, third});
  EXPECT_EQ(error.code, "urdf.limits");
  ASSERT_EQ(error.also.size(), 2u);
  EXPECT_EQ(error.also[0], second);
  EXPECT_EQ(error.also[1], third);
  EXPECT_EQ(to_text(error), to_text(make_fault()) + "\nsecond\nthird");
}

TEST(Error, NeedsAFault) { EXPECT_THROW(make_error({}), std::logic_error); }

Result<int> parse_even(int n) {
  if (n % 2 != 0) return make_fault();
  return n;
}

TEST(Result, HoldsAValue) {
  const Result<int> even = parse_even(4);
  EXPECT_TRUE(even);
  EXPECT_TRUE(even.has_value());
  EXPECT_EQ(even.value(), 4);
  EXPECT_EQ(*even, 4);
  EXPECT_THROW(static_cast<void>(even.error()), std::logic_error);
}

TEST(Result, HoldsTheReason) {
  const Result<int> odd = parse_even(3);
  EXPECT_FALSE(odd);
  EXPECT_EQ(odd.error().code, "urdf.limits");
  try {
    static_cast<void>(odd.value());
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error& bug) {
    EXPECT_EQ(bug.what(), to_text(make_fault())) << "the cause is not lost";
  }
}

TEST(Result, GivesItsValueAway) {
  Result<std::unique_ptr<int>> made(std::make_unique<int>(5));
  EXPECT_EQ(**made, 5);
  const std::unique_ptr<int> taken = std::move(made).value();
  EXPECT_EQ(*taken, 5);
  EXPECT_TRUE(made.has_value()) << "moved from, but not an error";
}

TEST(Result, IsChangedInPlace) {
  Result<std::string> text(std::string("a"));
  text->append("b");
  *text += "c";
  EXPECT_EQ(text.value(), "abc");
  const Result<std::string>& seen = text;
  EXPECT_EQ(seen->size(), 3u);
  text = Error(make_fault());
  EXPECT_FALSE(text);
  EXPECT_THROW(text->size(), std::logic_error);
}

TEST(Result, OfNothing) {
  const Result<void> good;
  EXPECT_TRUE(good);
  EXPECT_NO_THROW(good.value());
  EXPECT_THROW(static_cast<void>(good.error()), std::logic_error);
  const Result<void> bad(make_fault());
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error().line, 12);
  EXPECT_THROW(bad.value(), std::logic_error);
}

}  // namespace
}  // namespace geste

#include "geste/core/quantity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "geste/core/text.hpp"

namespace geste {
namespace {

TEST(Quantity, NumbersHaveNoExponentAndNoNegativeZero) {
  EXPECT_EQ(format_number(1860, 3), "1860");
  EXPECT_EQ(format_number(1863.4, 3), "1863");
  EXPECT_EQ(format_number(12.5), "12.5");
  EXPECT_EQ(format_number(0.00041237), "0.0004124");
  EXPECT_EQ(format_number(-0.0), "0");
  EXPECT_EQ(format_number(-1e-300), "0");
  EXPECT_EQ(format_number(-2.5), "-2.5");
  EXPECT_EQ(format_number(9.9999, 3), "10");
  EXPECT_EQ(format_number(1e15), "1000000000000000");
  EXPECT_EQ(format_number(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(format_number(std::nan("")), "unknown");
}

TEST(Quantity, LengthsTakeTheUnitThatSuitsThem) {
  EXPECT_EQ(format_length(1.86), "1.86 m");
  EXPECT_EQ(format_length(0.0125), "12.5 mm");
  EXPECT_EQ(format_length(0.000412), "0.412 mm");
  EXPECT_EQ(format_length(6.072e-16), "0 mm");
  EXPECT_EQ(format_length(-6e-9), "0 mm");
  EXPECT_EQ(format_length(0.99999), "1 m");
  EXPECT_EQ(format_length(29.8), "29.8 m");
  EXPECT_EQ(format_length(-0.003), "-3 mm");
}

TEST(Quantity, GapsSayWhichSide) {
  EXPECT_EQ(format_gap(-0.00041), "0.41 mm deep");
  EXPECT_EQ(format_gap(0.003), "3 mm apart");
  EXPECT_EQ(format_gap(-6.072e-16), "touching");
  EXPECT_EQ(format_gap(-0.0), "touching");
  EXPECT_EQ(format_gap(2e-6, 1e-5), "touching");
  EXPECT_EQ(format_gap(1.863), "1.863 m apart");
}

TEST(Quantity, AnglesAndTimes) {
  EXPECT_EQ(format_angle(M_PI / 4), "45 deg");
  EXPECT_EQ(format_angle(-1e-9), "0 deg");
  EXPECT_EQ(format_duration(2.4), "2.4 s");
  EXPECT_EQ(format_duration(0.035), "35 ms");
  EXPECT_EQ(format_duration(0), "0 s");
  EXPECT_EQ(format_duration(1860), "1860 s");
  EXPECT_EQ(format_quantity(0.25, "m"), "250 mm");
  EXPECT_EQ(format_quantity(M_PI, "rad", 6), "180 deg");
  EXPECT_EQ(format_quantity(3, "1"), "3");
  EXPECT_EQ(format_quantity(7.5, "kg"), "7.5 kg");
}

// Whatever is printed reads back as the value, to the digits that were asked for.
TEST(Quantity, ReadsBackWithinItsDigits) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-9, 9), mantissa(-10, 10);
  for (int i = 0; i < 20'000; ++i) {
    const double value = mantissa(random) * std::pow(10, exponent(random));
    const std::string text = format_number(value, 5);
    EXPECT_EQ(text.find('e'), std::string::npos) << text;
    const auto read = parse_double(text);
    ASSERT_TRUE(read) << text;
    EXPECT_NEAR(*read, value, 0.51e-4 * std::abs(value) + 1e-12) << text;
    EXPECT_FALSE(text == "-0" || (text.find('.') != text.npos && text.back() == '0')) << text;
  }
}

}  // namespace
}  // namespace geste

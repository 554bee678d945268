#include "geste/math/sincos.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "geste/core/rng.hpp"

namespace geste {
namespace {

TEST(Sincos, WithinRoundingOfTheTrueValue) {
  Rng rng(5);
  double x[8], s[8], c[8];
  double worst = 0;
  for (int n = 0; n < 200000; ++n) {
    const double size = std::pow(10.0, rng.uniform(-8, 5));
    for (double& angle : x) angle = size * rng.uniform(-1, 1);
    compute_sincos(x, s, c, 8);
    for (int k = 0; k < 8; ++k) {
      const auto exact = static_cast<long double>(x[k]);
      worst = std::max({worst, static_cast<double>(std::abs(s[k] - std::sin(exact))),
                        static_cast<double>(std::abs(c[k] - std::cos(exact)))});
    }
  }
  EXPECT_LT(worst, 2e-16);
}

TEST(Sincos, QuadrantsZerosAndBorders) {
  const double half = std::numbers::pi / 2;
  for (int n = -9; n <= 9; ++n) {
    for (double nudge : {-1e-9, 0.0, 1e-9, 0.7, -0.7}) {
      const double x[4] = {n * half + nudge, 0, -0.0, 1e5};
      double s[4], c[4];
      compute_sincos(x, s, c, 4);
      EXPECT_NEAR(s[0], std::sin(x[0]), 2e-16);
      EXPECT_NEAR(c[0], std::cos(x[0]), 2e-16);
      EXPECT_EQ(s[1], 0);
      EXPECT_EQ(c[1], 1);
      EXPECT_EQ(s[2], 0);
      EXPECT_EQ(c[2], 1);
      EXPECT_NEAR(s[3], std::sin(1e5), 2e-16);
      EXPECT_NEAR(c[3], std::cos(1e5), 2e-16);
    }
  }
}

TEST(Sincos, FarAnglesAndNonNumbersAreTheLibrarys) {
  const double x[4] = {1e17, std::numeric_limits<double>::infinity(), 0.3,
                       std::numeric_limits<double>::quiet_NaN()};
  double s[4], c[4], plain[4] = {0.3, 0.3, 0.3, 0.3}, s2[4], c2[4];
  compute_sincos(x, s, c, 4);
  compute_sincos(plain, s2, c2, 4);
  EXPECT_EQ(s[0], std::sin(1e17));
  EXPECT_EQ(c[0], std::cos(1e17));
  EXPECT_TRUE(std::isnan(s[1]));
  EXPECT_TRUE(std::isnan(c[3]));
  EXPECT_EQ(s[2], s2[0]);  // neighbours do not matter
  EXPECT_EQ(c[2], c2[3]);
}

}  // namespace
}  // namespace geste

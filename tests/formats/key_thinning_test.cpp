#include "geste/formats/internal/key_thinning.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace geste {
namespace {

BudgetMeter unlimited{Budget{}};

std::vector<double> make_times(std::size_t count, double rate) {
  std::vector<double> times(count);
  for (std::size_t k = 0; k < count; ++k) times[k] = static_cast<double>(k) / rate;
  return times;
}

/// A smooth curve through `n` numbers: a few sines of random phase.
class RandomCurve {
 public:
  RandomCurve(std::mt19937& rng, double amplitude) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Vec3& term : terms_) {
      term = Vec3(amplitude * uniform(rng), 3 * uniform(rng), 3 * uniform(rng));
    }
  }
  double operator()(double t) const {
    double sum = 0;
    for (const Vec3& term : terms_) sum += term[0] * std::sin(term[1] * t + term[2]);
    return sum;
  }

 private:
  std::array<Vec3, 3> terms_;
};

/// The key before or at sample k, by its place in `kept`.
std::size_t find_span(const std::vector<std::uint32_t>& kept, std::size_t k) {
  std::size_t s = 0;
  while (s + 2 < kept.size() && kept[s + 1] <= k) ++s;
  return s;
}

/// Interpolation by the axis and angle between two keys: another way than the product's slerp.
Mat3 interpolate(const Quat& a, const Quat& b, double u) {
  const Eigen::AngleAxisd turn(Mat3(a.toRotationMatrix().transpose() * b.toRotationMatrix()));
  return a.toRotationMatrix() * Eigen::AngleAxisd(u * turn.angle(), turn.axis()).toRotationMatrix();
}

TEST(KeyThinning, EverySampleOfASmoothMotionFollowsFromTheKeys) {
  std::mt19937 rng(7);
  const std::vector<double> times = make_times(1200, 120);
  for (const double tolerance : {1e-6, 1e-4, 1e-2}) {
    for (int repetition = 0; repetition < 10; ++repetition) {
      const RandomCurve x(rng, 1), y(rng, 1), z(rng, 1), roll(rng, 1.5), pitch(rng, 1), yaw(rng, 3);
      std::vector<Vec3> points;
      std::vector<Quat> rotations;
      for (const double t : times) {
        points.emplace_back(x(t), y(t), z(t));
        Quat q = Eigen::AngleAxisd(yaw(t), Vec3::UnitZ()) *
                 Eigen::AngleAxisd(pitch(t), Vec3::UnitY()) *
                 Eigen::AngleAxisd(roll(t), Vec3::UnitX());
        if (!rotations.empty() && q.dot(rotations.back()) < 0) q.coeffs() = -q.coeffs();
        rotations.push_back(q);
      }
      const auto kept_p = thin_translations(times, points, tolerance, unlimited);
      const auto kept_q = thin_rotations(times, rotations, tolerance, unlimited);
      for (const auto* kept : {&kept_p, &kept_q}) {
        ASSERT_EQ(kept->front(), 0u);
        ASSERT_EQ(kept->back(), times.size() - 1);
      }
      for (std::size_t k = 0; k < times.size(); ++k) {
        std::size_t s = find_span(kept_p, k);
        std::size_t i = kept_p[s], j = kept_p[s + 1];
        double u = (times[k] - times[i]) / (times[j] - times[i]);
        EXPECT_LE(((1 - u) * points[i] + u * points[j] - points[k]).norm(), tolerance + 1e-12);

        s = find_span(kept_q, k);
        i = kept_q[s], j = kept_q[s + 1];
        u = (times[k] - times[i]) / (times[j] - times[i]);
        const Mat3 error = interpolate(rotations[i], rotations[j], u).transpose() *
                           rotations[k].toRotationMatrix();
        EXPECT_LE(Eigen::AngleAxisd(error).angle(), tolerance + 1e-7);
      }
      if (tolerance >= 1e-2) {
        EXPECT_LT(kept_p.size(), times.size() / 8);
        EXPECT_LT(kept_q.size(), times.size() / 4);
      }
    }
  }
}

TEST(KeyThinning, StraightMotionNeedsTwoKeys) {
  const std::vector<double> times = make_times(7200, 120);
  std::vector<Vec3> points;
  for (const double t : times) points.emplace_back(0.1 * t, 3 - t, 2 * t);
  EXPECT_EQ(thin_translations(times, points, 1e-9, unlimited),
            (std::vector<std::uint32_t>{0, 7199}));
}

TEST(KeyThinning, ACornerIsKept) {
  const std::vector<double> times = make_times(101, 10);
  std::vector<Vec3> points;
  for (const double t : times) points.emplace_back(t < 3 ? t : 3, t < 3 ? 0 : t - 3, 0);
  EXPECT_EQ(thin_translations(times, points, 1e-9, unlimited),
            (std::vector<std::uint32_t>{0, 30, 100}));
}

TEST(KeyThinning, SpinsAreCutIntoQuarterTurnsAtMost) {
  const std::vector<double> times = make_times(1001, 100);
  std::vector<Quat> rotations;
  for (const double t : times) {  // ten full turns: the quaternion changes its sign ten times
    const double half = M_PI * t;
    rotations.emplace_back(std::cos(half), 0, 0, std::sin(half));
  }
  const auto kept = thin_rotations(times, rotations, 1e-6, unlimited);
  EXPECT_GE(kept.size(), 41u);
  EXPECT_LE(kept.size(), 43u);
  for (std::size_t s = 1; s < kept.size(); ++s) {
    EXPECT_GE(rotations[kept[s - 1]].dot(rotations[kept[s]]), std::sqrt(0.5) - 1e-12);
  }
}

TEST(KeyThinning, EndsWithItsBudget) {
  const std::vector<double> times = make_times(5000, 10);
  std::vector<Vec3> points;
  for (const double t : times) points.emplace_back(t * t, 0, 0);
  BudgetMeter whole{Budget{}};
  const auto kept = thin_translations(times, points, 0.1, whole);
  EXPECT_GT(whole.spent(), kept.size());
  BudgetMeter enough(Budget::steps(whole.spent())), few(Budget::steps(whole.spent() - 1));
  EXPECT_EQ(thin_translations(times, points, 0.1, enough), kept);
  EXPECT_TRUE(thin_translations(times, points, 0.1, few).empty());
}

TEST(KeyThinning, ToleranceZeroKeepsWhatBends) {
  const std::vector<double> times = make_times(50, 10);
  std::vector<Vec3> points;
  for (const double t : times) points.emplace_back(t * t, 0, 0);
  std::vector<std::uint32_t> all(50);
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(thin_translations(times, points, 0, unlimited), all);
}

TEST(KeyThinning, FewSamples) {
  const std::vector<double> times = {0, 1};
  const std::vector<Vec3> points = {Vec3::Zero(), Vec3::UnitX()};
  EXPECT_TRUE(thin_translations({}, {}, 1, unlimited).empty());
  EXPECT_EQ(thin_translations({times.data(), 1}, {points.data(), 1}, 1, unlimited).size(), 1u);
  EXPECT_EQ(thin_translations(times, points, 10, unlimited).size(), 2u);
}

TEST(KeyThinning, AngleIsExactForSmallAndLargeTurnsAndBothSigns) {
  for (const double angle : {1e-9, 1e-5, 0.3, 1.7, 3.1}) {
    Quat q(Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()));
    EXPECT_NEAR(compute_angle(Quat::Identity(), q) / angle, 1, 1e-6);
    q.coeffs() = -q.coeffs();
    EXPECT_NEAR(compute_angle(Quat::Identity(), q) / angle, 1, 1e-6);
  }
}

}  // namespace
}  // namespace geste

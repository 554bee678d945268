// What users get is the finished motion: nothing that makes paths better may make it slower.
// Witness: durations of make_timed before and after, and the second prover.
#include "geste/planning/finish.hpp"

#include <gtest/gtest.h>

#include "geste/planning/plan.hpp"

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;

/// A path as searches leave it, of one of several kinds of robots; without points where none was
/// found.
struct Found {
  explicit Found(std::uint64_t seed) : rng(seed), p(make_world(seed, rng)) {
    PlanningProblem problem;
    if (seed % 4 == 0) {
      problem = make_window_problem();
    } else {
      problem.start = p.draw_free(rng);
      problem.goals.push_back(p.draw_free(rng));
    }
    if (problem.start.size() == 0 || problem.goals[0].size() == 0) return;
    PlanOptions options;
    options.threads = 1;
    options.shorten.is_on = false;
    // Short steps leave a path with many corners.
    options.search.range = 0.3;
    path = plan(p.local.world(), problem, options, Budget::steps(5000), Rng(seed)).path;
  }

  static SceneSpec make_world(std::uint64_t seed, Rng& rng) {
    if (seed % 4 == 0) return make_window_world();
    return make_random_world(rng, 4 + static_cast<int>(seed % 4), 5);
  }

  [[nodiscard]] double measure(const MatX& some, const TimingOptions& timing) const {
    return make_timed(p.space, Course::straight, some, timing).times.back();
  }

  Rng rng;
  Playground p;
  MatX path;
};

// MV-5, GX-2
TEST(Shorten, NeverMakesAMotionSlower) {
  int shortened = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Found found(seed);
    if (found.path.cols() < 3) continue;
    ShortenOptions options;
    options.timing.speed = seed % 2 == 0 ? 1 : 0.3;
    MatX path = found.path;
    shorten(path, options, found.p.local, {}, found.rng);
    const double before = found.measure(found.path, options.timing);
    const double after = found.measure(path, options.timing);
    EXPECT_LE(after, before * (1 + 1e-9)) << "seed " << seed;
    EXPECT_EQ(path.col(0), found.path.col(0));
    EXPECT_EQ(path.rightCols(1), found.path.rightCols(1));
    EXPECT_TRUE(found.p.verify(path).is_free) << "seed " << seed;
    shortened += after < 0.99 * before;
  }
  EXPECT_GT(shortened, 10);
}

// A shortcut across the only corner is shorter, but has two corners to stop at.
TEST(Shorten, LeavesACornerThatCuttingMakesSlower) {
  SceneSpec spec = make_loose_box("box", Vec3::Constant(0.1), Vec3(2, 2, 2));
  // In the way of the diagonal, but not of what cuts the corner.
  add_wall(spec, "wall", Vec3(0.3, 0.3, 1), Vec3(0.5, 0.5, 0));
  Playground p(std::move(spec));
  MatX path = MatX::Zero(7, 3);
  path.row(6).setOnes();
  path(0, 1) = path(0, 2) = 1;
  path(1, 2) = 1;
  const double before = make_timed(p.space, Course::straight, path).times.back();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    MatX shorter = path;
    Rng rng(seed);
    shorten(shorter, {}, p.local, {}, rng);
    EXPECT_LE(make_timed(p.space, Course::straight, shorter).times.back(), before + 1e-9);
  }
}

TEST(Finish, IsAsQuickAsTheBestOfWhatItIsGiven) {
  int quicker = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Found found(seed);
    if (found.path.cols() < 3) continue;
    FinishOptions options;
    options.timing.speed = seed % 2 == 0 ? 1 : 0.3;
    MatX rounded = found.path;
    round_corners(rounded, {}, options.timing, found.p.local);
    const double plain =
        std::min(found.measure(found.path, options.timing), found.measure(rounded, options.timing));
    const FinishedMotion finished = finish(found.path, options, found.p.local, {}, found.rng);
    EXPECT_LE(finished.motion.times.back(), plain * (1 + 1e-9)) << "seed " << seed;
    EXPECT_TRUE(
        verify_motion(found.p.scene, found.p.model, finished.motion, make_second_options()).is_free)
        << "seed " << seed;
    const RateUse use = measure_rates(found.p.space, finished.motion,
                                      make_rate_limits(found.p.space, options.timing));
    EXPECT_LE(use.velocity, 1 + 1e-6);
    EXPECT_LE(use.acceleration, 1.01);
    quicker += finished.motion.times.back() < 0.95 * plain;
    ++all;
  }
  EXPECT_GT(quicker, all / 4);
}

// GX-6
TEST(Finish, GivesTheSameForTheSameSeed) {
  Found found(4);
  ASSERT_GT(found.path.cols(), 2);
  const auto run = [&] {
    Rng rng(7);
    return finish(found.path, {}, found.p.local, {}, rng);
  };
  const FinishedMotion a = run(), b = run();
  EXPECT_EQ(a.motion.times, b.motion.times);
  EXPECT_EQ(a.motion.q, b.motion.q);
}

}  // namespace
}  // namespace geste

#include <gtest/gtest.h>

#include "geste/planning/steering/dubins.hpp"
#include "geste/planning/steering/reeds_shepp.hpp"

#include "planning/cart_oracle.hpp"
#include "planning/steering_laws.hpp"

namespace geste {
namespace {

using namespace testing;

// MV-2
TEST(CartSteering, ReedsSheppKeepsTheLaws) {
  const SpaceRig p(make_cart_world());
  for (const double radius : {0.3, 1.0, 4.0})
    expect_steering_laws(p.space, *ReedsSheppSteering::make(p.space, {radius}).value(),
                         rolls_as_cart(radius, false));
}

TEST(CartSteering, DubinsKeepsTheLaws) {
  const SpaceRig p(make_cart_world());
  for (const double radius : {0.3, 1.0, 4.0}) {
    const auto method = DubinsSteering::make(p.space, {radius}).value();
    EXPECT_FALSE(method->is_reversible());
    expect_steering_laws(p.space, *method, rolls_as_cart(radius, true));
  }
}

CartPose draw_end(Rng& rng) {
  const double size = std::pow(10.0, rng.uniform(-1.5, 0.9));
  return {rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-kPi, kPi)};
}

// The pieces of a word lead to the end, walked here by chords.
TEST(CartSteering, WordsLeadToTheEnd) {
  Rng rng(1);
  for (int i = 0; i < 100'000; ++i) {
    const CartPose end = draw_end(rng);
    EXPECT_LT(measure_gap(oracle::walk(find_reeds_shepp(end)), end), 1e-8);
    const CartWord dubins = find_dubins(end);
    EXPECT_LT(measure_gap(oracle::walk(dubins), end), 1e-8);
    for (int k = 0; k < dubins.count(); ++k) EXPECT_GE(dubins[k].length, 0);
    EXPECT_GE(dubins.length(), find_reeds_shepp(end).length() - 1e-9);
  }
}

// Whatever way a cart goes, none is shorter than the one that is said to be the shortest.
TEST(CartSteering, NoRandomWayIsShorter) {
  Rng rng(2);
  for (int i = 0; i < 300'000; ++i) {
    const bool forwards = i % 2 == 0;
    const CartWord word = oracle::draw_word(rng, forwards);
    CartPose end = oracle::walk(word);
    end.angle = wrap_angle(end.angle);
    const double length = (forwards ? find_dubins(end) : find_reeds_shepp(end)).length();
    ASSERT_LE(length, word.length() + 1e-7) << show(Vec3(end.x, end.y, end.angle));
  }
}

// Against the shortest of all words that Newton's method finds from many beginnings.
TEST(CartSteering, AgreesWithBruteForce) {
  Rng rng(3);
  for (int i = 0; i < MotionCount(250).most; ++i) {
    const CartPose end = draw_end(rng);
    const std::string shown = show(Vec3(end.x, end.y, end.angle));
    EXPECT_NEAR(find_reeds_shepp(end).length(), oracle::search_reeds_shepp(end), 1e-6) << shown;
    EXPECT_NEAR(find_dubins(end).length(), oracle::search_dubins(end), 1e-6) << shown;
  }
}

TEST(CartSteering, MirroredEndsAreAsFar) {
  Rng rng(4);
  for (int i = 0; i < 20'000; ++i) {
    const CartPose end = draw_end(rng);
    const double rs = find_reeds_shepp(end).length(), dubins = find_dubins(end).length();
    EXPECT_NEAR(find_reeds_shepp({-end.x, end.y, -end.angle}).length(), rs, 1e-8);
    EXPECT_NEAR(find_reeds_shepp({end.x, -end.y, -end.angle}).length(), rs, 1e-8);
    EXPECT_NEAR(find_reeds_shepp(turn_round(end)).length(), rs, 1e-8);
    EXPECT_NEAR(find_dubins({end.x, -end.y, -end.angle}).length(), dubins, 1e-8);
    EXPECT_NEAR(find_dubins(turn_round(end)).length(), dubins, 1e-8);
  }
}

TEST(CartSteering, KnowsThePlainCases) {
  EXPECT_NEAR(find_reeds_shepp({-3, 0, 0}).length(), 3, 1e-12);
  EXPECT_NEAR(find_dubins({3, 0, 0}).length(), 3, 1e-12);
  EXPECT_NEAR(find_reeds_shepp({0, 2, kPi}).length(), kPi, 1e-9);
  // On the spot: three arcs of a third of the turn (half: of pi / 3 each).
  EXPECT_NEAR(find_reeds_shepp({0, 0, kPi}).length(), kPi, 1e-9);
  // Back by a bit, forwards only: nearly a whole turn at least.
  EXPECT_GT(find_dubins({-0.1, 0, 0}).length(), 6);
}

/// A kerb and a parked box before and behind a gap that is half as long again as the cart.
SceneSpec make_parking_world() {
  SceneSpec spec = make_cart_world(0.8, 0.4);
  spec.joints[0].limits = {{-2, 2}, {-0.5, 1.5}, {}};
  const auto add = [&](const char* name, const Vec3& size, const Vec3& at) {
    BodySpec wall{name};
    wall.geometry.emplace_back();
    wall.geometry.back().shape = Box{size};
    wall.geometry.back().X_BG = Pose::translation(at);
    spec.bodies.push_back(wall);
  };
  add("before", Vec3(1, 0.4, 0.4), Vec3(1.34, 0, 0.2));
  add("behind", Vec3(1, 0.4, 0.4), Vec3(-0.86, 0, 0.2));
  add("kerb", Vec3(4, 0.1, 0.4), Vec3(0, -0.3, 0.2));
  return spec;
}

// MV-2, MV-9: parallel parking, proven by the second prover too.
TEST(CartSteering, ReedsSheppParks) {
  Playground p(make_parking_world(), make_plain_options(), [](const PlanningSpace& space) {
    return ReedsSheppSteering::make(space, {0.6}).value();
  });
  const PlanningProblem problem{Vec3(-1, 0.8, 0), {Vec3(0, 0, 0)}};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RrtConnectMemory memory(p.space);
    Rng rng(seed);
    PlanReport report = plan_rrt_connect(problem, {}, p.local, memory, Budget::steps(20'000), rng);
    ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
    EXPECT_TRUE(p.verify(report.path).is_free) << "seed " << seed;
    const double before = measure_length(p.space, report.path);
    shorten(report.path, {}, p.local, {}, rng);
    EXPECT_LE(measure_length(p.space, report.path), before * (1 + 1e-9));
    EXPECT_TRUE(p.verify(report.path).is_free) << "shortened, seed " << seed;
    const LegPromise rolls = rolls_as_cart(0.6, false);
    for (int i = 1; i < report.path.cols(); ++i)
      EXPECT_EQ(rolls(report.path.col(i - 1), report.path.col(i)), "");
  }
}

// Where nothing is in the way: every shortcut counts, none makes it longer.
TEST(CartSteering, ShorterWaysAreShorter) {
  Playground p(make_cart_world(), make_plain_options(), [](const PlanningSpace& space) {
    return ReedsSheppSteering::make(space, {2}).value();
  });
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Rng rng(seed);
    MatX path(3, 0);
    Way way(p.space);
    VecX a(3), b(3);
    p.space.sample(rng, a);
    for (int i = 0; i < 3; ++i) {
      p.space.sample_near(a, 1, rng, b);
      ASSERT_TRUE(p.steering->steer(a, b, way));
      const MatX before = path;
      path.resize(3, before.cols() + way.count());
      path << before, way.points();
      a = b;
    }
    for (int i = 0; i < 20; ++i) {
      const double before = measure_length(p.space, path);
      shorten(path, {.most = 1}, p.local, {}, rng);
      ASSERT_LE(measure_length(p.space, path), before * (1 + 1e-9)) << "seed " << seed;
    }
  }
}

// Trees that grow from the goal hold ways that are gone forwards too.
TEST(CartSteering, DubinsNeverGoesBack) {
  SceneSpec spec = make_cart_world();
  add_box(spec, "pillar", Vec3(0, 0, 0), 1.5);
  Playground p(spec, make_plain_options(), [](const PlanningSpace& space) {
    return DubinsSteering::make(space, {0.7}).value();
  });
  const PlanningProblem problem{Vec3(-3, 0, kPi), {Vec3(3, 0, 0.1)}};
  const LegPromise rolls = rolls_as_cart(0.7, true);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    RrtConnectMemory memory(p.space);
    Rng rng(seed);
    PlanReport report = plan_rrt_connect(problem, {}, p.local, memory, Budget::steps(20'000), rng);
    ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
    shorten(report.path, {}, p.local, {}, rng);
    EXPECT_TRUE(p.verify(report.path).is_free) << "seed " << seed;
    for (int i = 1; i < report.path.cols(); ++i)
      EXPECT_EQ(rolls(report.path.col(i - 1), report.path.col(i)), "");
  }
}

TEST(CartSteering, NamesWhatIsNoCart) {
  SceneSpec spec = make_cart_world();
  add_box(spec, "arm", Vec3::Zero());
  JointSpec shoulder;
  shoulder.name = "shoulder";
  shoulder.type = JointType::revolute;
  shoulder.child = "arm";
  shoulder.limits = {{-1, 1}};
  spec.joints.push_back(shoulder);
  spec.joints[0].limits[2] = {-1, 1};
  const SpaceRig p(spec);
  const auto made = ReedsSheppSteering::make(p.space, {-1});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, "plan.steering");
  EXPECT_EQ(made.error().element, "joint 'base'");
  ASSERT_EQ(made.error().also.size(), 2u);
  EXPECT_EQ(made.error().also[1].element, "joint 'shoulder'");
  EXPECT_NE(made.error().also[1].remedy, "");
  EXPECT_FALSE(DubinsSteering::make(p.space, {1}));
}

}  // namespace
}  // namespace geste

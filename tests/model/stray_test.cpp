#include "geste/model/stray.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/loops.hpp"
#include "geste/model/mechanisms.hpp"

#include "random_scene.hpp"

// Mechanisms that stay closed, against the motion as stored: MV-3, MV-4 with MV-9.

namespace geste {
namespace {

using std::numbers::pi;

JointSpec make_hinge(const std::string& name, const std::string& parent, const Vec3& axis,
                     const Vec3& at) {
  JointSpec j;
  j.name = name;
  j.type = JointType::revolute;
  j.parent = parent;
  j.child = name;
  j.axis = axis;
  j.X_PJ = Pose::translation(at);
  return j;
}

/// Links in a row from the world, each hinge at the end of the link before, and the end held by the
/// world again.
SceneSpec make_ring(const std::vector<Vec3>& axes, const std::vector<Vec3>& links) {
  SceneSpec spec;
  std::string parent;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string name = fmt::format("link{}", i);
    spec.bodies.push_back({.name = name});
    spec.joints.push_back(
        make_hinge(name, parent, axes[i], i == 0 ? Vec3(Vec3::Zero()) : links[i - 1]));
    parent = name;
  }
  return spec;
}

/// Crank 0.2, coupler 0.5, rocker 0.4, ground 0.45: the crank turns all the way round.
SceneSpec make_four_bar(double crank = 0.2) {
  SceneSpec spec = make_ring({Vec3::UnitZ(), Vec3::UnitZ(), Vec3::UnitZ()},
                             {Vec3(crank, 0, 0), Vec3(0.5, 0, 0)});
  spec.loops = {{"rocker",
                 "",
                 Pose::translation(0.45, 0, 0),
                 "link2",
                 Pose::translation(0.4, 0, 0),
                 {true, true, true, true, true, false},
                 {}}};
  return spec;
}

/// Seven hinges askew, closed rigidly to where the ring is at a random configuration.
SceneSpec make_skew_ring(Rng& rng) {
  std::vector<Vec3> axes, links;
  for (int i = 0; i < 7; ++i) {
    axes.push_back(Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)));
    links.push_back(Vec3(rng.uniform(0.1, 0.4), rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3)));
  }
  SceneSpec spec = make_ring(axes, links);
  const Scene open = Scene::compile(spec).value();
  VecX q(7);
  for (double& x : q) x = rng.uniform(-1, 1);
  Workspace workspace(open);
  EXPECT_TRUE(compute_dependents(open, q, workspace));
  const Pose X_WE = compute_pose(open, workspace, *open.find_body("link6"));
  spec.loops = {{"ring", "", X_WE, "link6", {}, {true, true, true, true, true, true}, {}}};
  spec.configurations = {{"start", "", {}, {}}};
  for (int i = 0; i < 7; ++i)
    spec.configurations[0].values.push_back({fmt::format("link{}", i), {q[i]}});
  return spec;
}

/// A leg between two configurations that hold all rules, about `step` long.
struct ClosedLeg {
  VecX q0, q1;
};
std::optional<ClosedLeg> draw_leg(const Scene& scene, const VecX& about, double step, Rng& rng,
                                  Workspace& workspace) {
  ClosedLeg leg{about, about};
  VecX v(scene.nv());
  for (double& x : v) x = rng.uniform(-1, 1);
  integrate(scene, about, VecX(0.5 * v), leg.q0);
  if (!project_to_loops(scene, leg.q0, workspace).closed) return std::nullopt;
  for (double& x : v) x = rng.uniform(-1, 1);
  integrate(scene, leg.q0, VecX(step * v), leg.q1);
  if (!project_to_loops(scene, leg.q1, workspace).closed) return std::nullopt;
  return leg;
}

struct Strayed {
  double seen = 0;   ///< largest difference of a joint to the closed configuration
  double bound = 0;  ///< largest that was allowed to any joint
};

/// Closed configurations next to a fine row of the leg's are where the bound says.
Strayed expect_bound(const Scene& scene, const ClosedLeg& leg, Course course,
                     std::span<const JointTravel> strays, Workspace& workspace) {
  VecX q = leg.q0, closed = q, v(scene.nv());
  Strayed out;
  for (int k = 0; k <= 50; ++k) {
    interpolate(scene, leg.q0, leg.q1, course, k / 50.0, q);
    closed = q;
    EXPECT_TRUE(project_to_loops(scene, closed, workspace).closed);
    difference(scene, q, closed, v);
    for (std::size_t i = 1; i < scene.movers().size(); ++i) {
      const Mover& m = scene.movers()[i];
      const JointTravel by =
          bound_travel(m, q.data() + m.q, closed.data() + m.q, v.data() + m.v, Course::straight);
      EXPECT_LE(by.angular, strays[i].angular + 1e-8) << "mover " << i << " at " << k / 50.0;
      EXPECT_LE(by.linear, strays[i].linear + 1e-8) << "mover " << i << " at " << k / 50.0;
      out.seen = std::max({out.seen, by.angular, by.linear});
      out.bound = std::max({out.bound, strays[i].angular, strays[i].linear});
    }
  }
  return out;
}

/// Draws legs and counts those that could be bounded; half of the bounds are at most `slack` times
/// what is seen.
void expect_bounds(const Scene& scene, const VecX& about, double step, std::uint64_t seed,
                   int least, double slack = 8) {
  Rng rng(seed);
  Workspace workspace(scene);
  StrayBound strays(scene);
  ASSERT_TRUE(strays.is_needed());
  int bounded = 0, tight = 0;
  for (int i = 0; i < 40; ++i) {
    const auto leg = draw_leg(scene, about, step, rng, workspace);
    if (!leg) continue;
    const Course course = i % 2 ? Course::screw : Course::straight;
    if (strays.compute(leg->q0, leg->q1, course)) continue;
    ++bounded;
    const Strayed s = expect_bound(scene, *leg, course, strays.strays(), workspace);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed << " leg " << i;
    tight += s.bound <= slack * s.seen + 1e-6;
  }
  EXPECT_GE(bounded, least);
  EXPECT_GE(tight, bounded / 2);
}

TEST(Stray, FourBarStaysWithinItsBound) {
  const Scene scene = Scene::compile(make_four_bar()).value();
  Workspace workspace(scene);
  for (const double crank : {0.0, 0.8, 2.0, 3.0}) {
    VecX q(3);
    q << crank, 1.0 - crank, -1.2;
    const ProjectionReport report = project_to_loops(scene, q, workspace);
    ASSERT_TRUE(report.closed);
    expect_bounds(scene, q, 0.05, static_cast<std::uint64_t>(10 * crank), 20);
  }
}

TEST(Stray, SkewRingStaysWithinItsBound) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Rng rng(seed);
    const Scene scene = Scene::compile(make_skew_ring(rng)).value();
    VecX q = make_neutral(scene);
    for (const auto& [joint, values] : scene.configurations()[0].values)
      q.segment(scene.joint(joint).q, 1) = values;
    // Some are nearly singular, where bounds are wider.
    expect_bounds(scene, q, 0.02, seed, 5, 16);
  }
}

TEST(Stray, DumbbellStaysWithinItsBound) {
  for (const auto closure : {DumbbellClosure::projection, DumbbellClosure::explicit_formula}) {
    const Scene scene = Scene::compile(make_dumbbell_carriers(closure)).value();
    Workspace workspace(scene);
    VecX q = make_neutral(scene);
    q[0] = -1;
    ASSERT_TRUE(project_to_loops(scene, q, workspace).closed);
    // The formula's bounds are given for all of its range.
    const bool is_given = closure == DumbbellClosure::explicit_formula;
    expect_bounds(scene, q, 0.1, 7, 30, is_given ? 20 : 8);
  }
}

TEST(Stray, TheFormulaBoundsOfTheDumbbellHold) {
  const SceneSpec spec = make_dumbbell_carriers(DumbbellClosure::explicit_formula);
  const ExplicitLoopSpec& loop = spec.explicit_loops[0];
  Rng rng(3);
  for (int i = 0; i < 1000; ++i) {
    std::array<double, 5> x{}, u{};
    double norm = 0;
    for (std::size_t k = 0; k < 5; ++k) {
      x[k] = rng.uniform(-3, 3);
      u[k] = rng.uniform(-1, 1);
      norm = std::hypot(norm, u[k]);
    }
    constexpr double h = 1e-4;
    const auto at = [&](double s) {
      std::array<double, 5> y{};
      for (std::size_t k = 0; k < 5; ++k) y[k] = x[k] + s * u[k] / norm;
      std::array<double, 2> d{};
      loop.formula(y, d);
      return Eigen::Vector2d(d[0], d[1]);
    };
    EXPECT_LE((at(h) - at(-h)).norm() / (2 * h), loop.bounds.slope);
    EXPECT_LE((at(h) - 2 * at(0) + at(-h)).norm() / (h * h), loop.bounds.curvature + 1e-6);
  }
}

/// Hinge 1 follows hinge 0.
Scene make_follower(FollowSpec follow, JointType leader = JointType::revolute) {
  SceneSpec spec = make_ring({Vec3::UnitZ(), Vec3::UnitZ()}, {Vec3(0.5, 0, 0)});
  spec.joints[0].type = leader;
  spec.joints[1].follow = std::move(follow);
  return Scene::compile(spec).value();
}

std::optional<StrayBound::Failure> compute(StrayBound& bound, const Scene& scene, double from,
                                           double to) {
  Workspace workspace(scene);
  VecX q0 = make_neutral(scene), q1 = q0;
  q0[0] = from;
  q1[0] = to;
  EXPECT_TRUE(compute_dependents(scene, q0, workspace));
  EXPECT_TRUE(compute_dependents(scene, q1, workspace));
  return bound.compute(q0, q1, Course::straight);
}

TEST(Stray, TablesStrayAtTheirPoints) {
  const Scene scene = make_follower({{"link0"}, TableFollow{{{0, 0}, {1, 0.5}, {2, 0}}}});
  StrayBound bound(scene);
  ASSERT_TRUE(bound.is_needed());
  ASSERT_FALSE(compute(bound, scene, 0.2, 1.8));
  // Both ends at 0.1; in the middle the table is at 0.5.
  EXPECT_NEAR(bound.strays()[2].angular, 0.4, 1e-12);
  ASSERT_FALSE(compute(bound, scene, 0.2, 1.0));
  EXPECT_NEAR(bound.strays()[2].angular, 0, 1e-12);
}

TEST(Stray, FunctionsStrayByTheirCurvature) {
  const auto sine = [](std::span<const double> x) { return std::sin(x[0]); };
  const Scene bounded = make_follower({{"link0"}, CallableFollow{sine, {}, {1, 1}}});
  StrayBound bound(bounded);
  ASSERT_FALSE(compute(bound, bounded, 0.3, 1.1));
  double seen = 0;
  for (int k = 0; k <= 100; ++k) {
    const double s = k / 100.0;
    seen = std::max(seen, std::abs(std::sin(0.3 + 0.8 * s) -
                                   (std::sin(0.3) + s * (std::sin(1.1) - std::sin(0.3)))));
  }
  EXPECT_GE(bound.strays()[2].angular, seen);
  EXPECT_LE(bound.strays()[2].angular, 2 * seen);

  // Of a function of which nothing is known nothing is said, but where it rests.
  const Scene unknown = make_follower({{"link0"}, CallableFollow{sine, {}}});
  StrayBound nothing(unknown);
  const auto failure = compute(nothing, unknown, 0.3, 1.1);
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->what.find("link1"), std::string::npos) << failure->what;
  EXPECT_FALSE(compute(nothing, unknown, 0.3, 0.3));
}

TEST(Stray, StraightFollowersDoNot) {
  const Scene scene = make_follower({{"link0"}, LinearFollow{-2, 0.1}});
  EXPECT_FALSE(StrayBound(scene).is_needed());
  // Unless their leader goes the other way round.
  const Scene round = make_follower({{"link0"}, LinearFollow{0.5, 0}}, JointType::continuous);
  StrayBound bound(round);
  ASSERT_TRUE(bound.is_needed());
  ASSERT_FALSE(compute(bound, round, -3, 3));
  EXPECT_NEAR(bound.strays()[2].angular, pi / 2, 1e-9);
  ASSERT_FALSE(compute(bound, round, -1, 1));
  EXPECT_NEAR(bound.strays()[2].angular, 0, 1e-9);
}

/// The largest difference that a fine row of completed configurations shows, which the bound must
/// hold.
double expect_completed(const Scene& scene, VecX q0, VecX q1, Course course) {
  Workspace workspace(scene);
  EXPECT_TRUE(compute_dependents(scene, q0, workspace));
  EXPECT_TRUE(compute_dependents(scene, q1, workspace));
  StrayBound bound(scene);
  EXPECT_TRUE(bound.is_needed());
  const auto failure = bound.compute(q0, q1, course);
  EXPECT_FALSE(failure) << failure->what;
  VecX q = q0, full = q0, v(scene.nv());
  double seen = 0;
  for (int k = 0; k <= 400; ++k) {
    interpolate(scene, q0, q1, course, k / 400.0, q);
    full = q;
    EXPECT_TRUE(compute_dependents(scene, full, workspace));
    difference(scene, q, full, v);
    for (std::size_t i = 1; i < scene.movers().size(); ++i) {
      const Mover& m = scene.movers()[i];
      JointTravel by =
          bound_travel(m, q.data() + m.q, full.data() + m.q, v.data() + m.v, Course::straight);
      // Whole turns make no difference.
      if (m.type == JointType::revolute) by.angular = std::abs(std::remainder(by.angular, 2 * pi));
      EXPECT_LE(by.angular, bound.strays()[i].angular + 1e-7) << "mover " << i << " at " << k;
      EXPECT_LE(by.linear, bound.strays()[i].linear + 1e-7) << "mover " << i << " at " << k;
      seen = std::max({seen, by.angular, by.linear});
    }
  }
  return seen;
}

double expect_follower(FollowSpec follow, JointType leader, JointType follower, double from,
                       double to) {
  SceneSpec spec = make_ring({Vec3::UnitZ(), Vec3::UnitZ()}, {Vec3(0.5, 0, 0)});
  spec.joints[0].type = leader;
  spec.joints[1].type = follower;
  spec.joints[1].follow = std::move(follow);
  const Scene scene = Scene::compile(spec).value();
  VecX q0 = make_neutral(scene), q1 = q0;
  q0[0] = from;
  q1[0] = to;
  return expect_completed(scene, q0, q1, Course::straight);
}

// The shorter way round is not always that of the function.
TEST(Stray, WaysRoundAreToldApart) {
  const auto turn = JointType::revolute, endless = JointType::continuous;
  EXPECT_GT(expect_follower({{"link0"}, LinearFollow{2, 0}}, turn, endless, 0, 2), 3);
  EXPECT_GT(expect_follower({{"link0"}, LinearFollow{1, 0}}, endless, turn, 3, -3), 3);
  EXPECT_GT(
      expect_follower({{"link0"}, TableFollow{{{0, 0}, {1, 2 * pi}, {2, 0}}}}, turn, turn, 0, 2),
      3);
  const TableFollow bump{{{-pi, 0}, {-3.1, 2}, {-3.05, 0}, {pi, 0}}};
  EXPECT_GT(expect_follower({{"link0"}, bump}, endless, turn, 3, -3), 1.8);
  EXPECT_LT(expect_follower({{"link0"}, LinearFollow{1, 0}}, endless, endless, 3, -3), 1e-9);
}

/// A joint of any type whose entries a formula gives from one hinge.
double expect_formula(JointType type, ExplicitLoopSpec loop, double from, double to,
                      Course course) {
  SceneSpec spec = make_ring({Vec3::UnitZ(), Vec3::UnitZ()}, {Vec3(0.5, 0, 0)});
  spec.joints[1].type = type;
  loop.name = "rule";
  loop.leading = {"link0"};
  loop.dependent = {"link1"};
  spec.explicit_loops = {std::move(loop)};
  const Scene scene = Scene::compile(spec).value();
  VecX q0 = make_neutral(scene), q1 = q0;
  q0[0] = from;
  q1[0] = to;
  return expect_completed(scene, q0, q1, course);
}

TEST(Stray, DependentJointsHaveWaysOfTheirOwn) {
  using Values = std::span<const double>;
  // Straight in its entries, while the leg takes an arc.
  EXPECT_GT(expect_formula(JointType::planar,
                           {.formula =
                                [](Values l, std::span<double> d) {
                                  d[0] = l[0], d[1] = 0, d[2] = 1.5 * l[0];
                                  return true;
                                },
                            .bounds = {std::sqrt(3.25), 0}},
                           0, 1, Course::screw),
            0.1);
  // All the way round, while the leg rests.
  EXPECT_GT(expect_formula(JointType::continuous,
                           {.formula =
                                [](Values l, std::span<double> d) {
                                  d[0] = std::remainder(2 * pi * l[0], 2 * pi);
                                  return true;
                                },
                            .bounds = {2 * pi, 0}},
                           0, 1, Course::straight),
            3);
  // A ball joint that does not turn at a constant rate.
  EXPECT_GT(expect_formula(JointType::spherical,
                           {.formula =
                                [](Values l, std::span<double> d) {
                                  const double angle = l[0] * l[0];
                                  d[0] = std::sin(angle / 2), d[1] = d[2] = 0;
                                  d[3] = std::cos(angle / 2);
                                  return true;
                                },
                            .bounds = {1, 2}},
                           0, 1, Course::straight),
            0.2);
}

/// Hinge 1 is given by a formula of hinge 0 that bends, x^2; hinge 2 depends on hinge 1.
SceneSpec make_bent_chain() {
  SceneSpec spec =
      make_ring({Vec3::UnitZ(), Vec3::UnitZ(), Vec3::UnitZ()}, {Vec3(0.5, 0, 0), Vec3(0.5, 0, 0)});
  spec.explicit_loops = {{.name = "square",
                          .leading = {"link0"},
                          .dependent = {"link1"},
                          .formula =
                              [](std::span<const double> l, std::span<double> d) {
                                d[0] = l[0] * l[0];
                                return true;
                              },
                          .bounds = {2, 2}}};
  return spec;
}

double expect_chain(SceneSpec spec) {
  const Scene scene = Scene::compile(std::move(spec)).value();
  VecX q0 = make_neutral(scene), q1 = q0;
  q1[0] = 1;
  return expect_completed(scene, q0, q1, Course::straight);
}

// x^2 is a quarter off its chord from 0 to 1; who follows it is so by what it makes of that.
TEST(Stray, IsHandedOnToWhoFollows) {
  EXPECT_NEAR(expect_chain(make_bent_chain()), 0.25, 1e-6);
  const auto follow = [](FollowSpec how) {
    SceneSpec spec = make_bent_chain();
    spec.joints[2].follow = std::move(how);
    return expect_chain(std::move(spec));
  };
  EXPECT_NEAR(follow({{"link1"}, LinearFollow{2, 0}}), 0.5, 1e-6);
  EXPECT_NEAR(follow({{"link1"}, TableFollow{{{-1, -2}, {0.9, 1.8}, {2, 1.9}}}}), 0.5, 0.1);
  const auto steep = [](std::span<const double> x) { return 3 * x[0]; };
  EXPECT_NEAR(follow({{"link1"}, CallableFollow{steep, {}, {3, 0}}}), 0.75, 1e-6);
}

// Two angles that are off by the same add up, where their axes are nearly one.
TEST(Stray, AnglesOfAUniversalJointAddUp) {
  SceneSpec spec = make_bent_chain();
  spec.joints[1].type = JointType::universal;
  spec.joints[1].axis = Vec3::UnitZ();
  spec.joints[1].axis2 = Vec3(0, 0.1, 1);
  spec.explicit_loops[0].formula = [](std::span<const double> l, std::span<double> d) {
    d[0] = d[1] = l[0] * l[0];
    return true;
  };
  spec.explicit_loops[0].bounds = {std::sqrt(8.0), std::sqrt(8.0)};
  EXPECT_NEAR(expect_chain(std::move(spec)), 0.5, 1e-6);
}

// A leader that goes along an arc: what follows one of its entries goes along with it, not
// straight.
TEST(Stray, ArcsOfLeadersBend) {
  SceneSpec spec = make_ring({Vec3::UnitZ(), Vec3::UnitX()}, {Vec3(0.5, 0, 0)});
  spec.joints[0].type = JointType::planar;
  spec.joints[1].type = JointType::prismatic;
  spec.explicit_loops = {{.name = "side",
                          .leading = {"link0"},
                          .dependent = {"link1"},
                          .formula =
                              [](std::span<const double> l, std::span<double> d) {
                                d[0] = l[1];
                                return true;
                              },
                          .bounds = {1, 0}}};
  const Scene scene = Scene::compile(spec).value();
  VecX q0 = make_neutral(scene), q1 = q0;
  q1[0] = 1;
  q1[2] = 1;
  EXPECT_GT(expect_completed(scene, q0, q1, Course::screw), 0.1);
}

// A motion as stored may be off its formula at the moments too.
TEST(Stray, OfWhatIsOffAtTheMoments) {
  const Scene scene = Scene::compile(make_bent_chain()).value();
  Workspace workspace(scene);
  Rng rng(4);
  for (int k = 0; k < 50; ++k) {
    VecX q0 = make_neutral(scene), q1 = q0;
    q0[0] = rng.uniform(-1, 1);
    q1[0] = q0[0] + rng.uniform(-0.2, 0.2);
    ASSERT_TRUE(compute_dependents(scene, q0, workspace));
    ASSERT_TRUE(compute_dependents(scene, q1, workspace));
    (k % 2 ? q0 : q1)[1] += rng.uniform(-0.1, 0.1);
    StrayBound bound(scene);
    ASSERT_FALSE(bound.compute(q0, q1, Course::straight));
    VecX q = q0;
    for (int i = 0; i <= 100; ++i) {
      interpolate(scene, q0, q1, Course::straight, i / 100.0, q);
      ASSERT_LE(std::abs(q[1] - q[0] * q[0]), bound.strays()[2].angular + 1e-12)
          << k << " at " << i;
    }
  }
}

// A leg that tears the loop open, and one through the place where all bars lie in a row and the
// mechanism could go on either way.
TEST(Stray, LegsThatCannotBeBoundedAreNamed) {
  const Scene scene = Scene::compile(make_four_bar()).value();
  StrayBound bound(scene);
  Workspace workspace(scene);
  VecX q0(3), q1(3);
  q0 << 0.3, 0.7, -1.2;
  ASSERT_TRUE(project_to_loops(scene, q0, workspace).closed);
  q1 = q0;
  q1[1] += 0.5;
  const auto torn = bound.compute(q0, q1, Course::straight);
  ASSERT_TRUE(torn);
  EXPECT_NE(torn->what.find("rocker"), std::string::npos) << torn->what;

  // Parallelogram: crank and rocker 0.4, coupler and ground 0.5... lies flat at zero.
  SceneSpec flat = make_four_bar(0.4);
  flat.loops[0].X_A = Pose::translation(0.5, 0, 0);
  const Scene parallel = Scene::compile(flat).value();
  StrayBound singular(parallel);
  const auto make = [](double crank) { return (VecX(3) << crank, -crank, pi + crank).finished(); };
  EXPECT_FALSE(singular.compute(make(0.5), make(0.6), Course::straight));
  EXPECT_LT(singular.strays()[1].angular, 1e-5);
  EXPECT_TRUE(singular.compute(make(-0.1), make(0.1), Course::straight));
}

// A cam moves the crank up and back between two moments: the stored crank rests.
TEST(Stray, HiddenLeadersOfLoopsCount) {
  SceneSpec spec = make_four_bar();
  spec.bodies.push_back({.name = "cam"});
  spec.joints.push_back(make_hinge("cam", "", Vec3::UnitZ(), Vec3(0, 1, 0)));
  spec.joints[0].follow = FollowSpec{{"cam"}, TableFollow{{{0, 0.5}, {1, 1.5}, {2, 0.5}}}};
  spec.loops[0].joints = {"link1", "link2"};
  const Scene scene = Scene::compile(spec).value();
  Workspace workspace(scene);
  VecX q0 = make_neutral(scene);
  q0.head<3>() << 0.5, 0.7, -1.2;
  ASSERT_TRUE(project_to_loops(scene, q0, workspace).closed);
  VecX q1 = q0;
  q1[3] = 2;
  StrayBound bound(scene);
  EXPECT_TRUE(bound.compute(q0, q1, Course::straight));
  EXPECT_FALSE(bound.compute(q0, q0, Course::straight));
}

// Two hinges held, one alone cannot close the ring; and a frame the wrong way round is not closed.
TEST(Stray, EquationsThatNoJointAnswersMustHold) {
  const Scene scene = Scene::compile(make_four_bar()).value();
  Workspace workspace(scene);
  VecX q0(3), q1(3);
  q0 << 0.3, 0.7, -1.2;
  ASSERT_TRUE(project_to_loops(scene, q0, workspace).closed);
  q1 = q0;
  q1[0] += 0.05;
  ASSERT_TRUE(project_to_loops(scene, q1, workspace).closed);
  StrayBound free(scene);
  EXPECT_FALSE(free.compute(q0, q1, Course::straight));
  SceneSpec spec = make_four_bar();
  spec.loops[0].joints = {"link2"};
  const Scene held_scene = Scene::compile(spec).value();
  StrayBound held(held_scene);
  EXPECT_TRUE(held.compute(q0, q1, Course::straight));

  spec = make_four_bar();
  spec.loops[0].X_A = spec.loops[0].X_A * Pose::rotation(Vec3::UnitX(), pi);
  const Scene turned_scene = Scene::compile(spec).value();
  StrayBound turned(turned_scene);
  EXPECT_TRUE(turned.compute(q0, q1, Course::straight));
}

}  // namespace
}  // namespace geste

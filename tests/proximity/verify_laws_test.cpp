#include <gtest/gtest.h>

#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/proximity/internal/verify_rates.hpp"
#include "geste/proximity/internal/verify_sweep.hpp"
#include "geste/proximity/verify_motion.hpp"

#include "proximity/scene_testing.hpp"

// The verifier's parts, and the whole, against other ways to know.

namespace geste {
namespace {

using internal::Corners;

/// Rates hold for sampled points of everything on every joint type, seen from every mover above.
TEST(VerifyRates, BoundThePointsOfEveryJoint) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const Scene scene = Scene::compile(testing::make_random_tree(rng, 6)).value();
    const VecX q0 = testing::random_configuration(scene, rng);
    const VecX q1 = testing::random_configuration(scene, rng);
    const Course course = seed % 2 ? Course::screw : Course::straight;
    Workspace workspace(scene);
    const auto place = [&](double s) {
      VecX q(scene.nq());
      interpolate(scene, q0, q1, course, s, q);
      compute_kinematics(scene, q, workspace);
      return workspace.X_WM();
    };
    const std::vector<Pose> begin = place(0), end = place(1);
    const auto rates = internal::compute_rates(scene, q0, q1, course, begin, end);
    for (int k = 0; k < 20; ++k) {
      const std::vector<Pose> X_WM = place(rng.uniform());
      for (std::size_t m = 1; m < scene.movers().size(); ++m) {
        const auto parent = static_cast<std::size_t>(scene.movers()[m].parent);
        ASSERT_LE((X_WM[m].p - X_WM[parent].p).norm(), rates[m].arm + 1e-12) << "seed " << seed;
      }
    }
    constexpr double kStep = 1e-5;
    for (std::size_t m = 1; m < scene.movers().size(); ++m) {
      const internal::Ball ball{static_cast<int>(m), testing::random_vector(rng), 0.3};
      for (int above = static_cast<int>(m); above != 0;) {
        above = scene.movers()[static_cast<std::size_t>(above)].parent;
        const double bound = internal::bound_rate(scene, rates, begin, ball, above);
        const auto up = static_cast<std::size_t>(above);
        for (int k = 0; k < 20; ++k) {
          const Vec3 p = ball.centre + ball.radius * testing::random_vector(rng).normalized();
          const double s = rng.uniform(0, 1 - kStep);
          const std::vector<Pose> before = place(s), after = place(s + kStep);
          const Vec3 way =
              after[up].inverse() * (after[m] * p) - before[up].inverse() * (before[m] * p);
          ASSERT_LE(way.norm(), bound * kStep + 1e-13)
              << "seed " << seed << " mover " << m << " seen from " << above;
        }
      }
    }
  }
}

/// The same of accelerations, seen from every other mover, up and down the tree.
TEST(VerifyRates, BoundAccelerationsSeenFromAnywhere) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const Scene scene = Scene::compile(testing::make_random_tree(rng, 6)).value();
    const VecX q0 = testing::random_configuration(scene, rng);
    const VecX q1 = testing::random_configuration(scene, rng);
    const Course course = seed % 2 ? Course::screw : Course::straight;
    Workspace workspace(scene);
    const auto place = [&](double s) {
      VecX q(scene.nq());
      interpolate(scene, q0, q1, course, s, q);
      compute_kinematics(scene, q, workspace);
      return workspace.X_WM();
    };
    const std::vector<Pose> begin = place(0), end = place(1);
    const auto rates = internal::compute_rates(scene, q0, q1, course, begin, end);
    constexpr double kStep = 1e-3;
    for (int k = 0; k < 60; ++k) {
      const auto count = static_cast<std::int64_t>(scene.movers().size());
      const auto m = static_cast<std::size_t>(rng.integer(1, count - 1));
      const auto from = static_cast<std::size_t>(rng.integer(0, count - 1));
      const internal::Ball ball{static_cast<int>(m), testing::random_vector(rng), 0.3};
      const double bound =
          internal::bound_acceleration(scene, rates, begin, ball, static_cast<int>(from));
      const Vec3 p = ball.centre + ball.radius * testing::random_vector(rng).normalized();
      const double s = rng.uniform(kStep, 1 - kStep);
      const auto see = [&](double t) {
        const std::vector<Pose> X_WM = place(t);
        return Vec3(X_WM[from].inverse() * (X_WM[m] * p));
      };
      // Half the second difference of a curve is within the largest acceleration of its stretch.
      const Vec3 bend = see(s - kStep) - 2 * see(s) + see(s + kStep);
      ASSERT_LE(bend.norm(), bound * kStep * kStep + 1e-13) << "seed " << seed;
    }
  }
}

/// A bound that never bites proves little: a stick that turns is bounded by its tip's speed.
TEST(VerifyRates, AreSharpForASingleJoint) {
  SceneSpec spec;
  spec.bodies = {BodySpec{"stick"}};
  JointSpec joint;
  joint.name = "turn";
  joint.type = JointType::revolute;
  joint.child = "stick";
  joint.axis = Vec3::UnitZ();
  spec.joints = {joint};
  const Scene scene = Scene::compile(spec).value();
  const std::vector<Pose> still(3);
  const VecX q0 = VecX::Zero(1), q1 = VecX::Constant(1, 0.5);
  const auto rates = internal::compute_rates(scene, q0, q1, Course::straight, still, still);
  const double rate = internal::bound_rate(scene, rates, still, {1, Vec3(2, 0, 0), 0.5}, 0);
  EXPECT_NEAR(rate, 0.5 * 2.5, 1e-8);
}

Corners random_triangle(Rng& rng, double spread) {
  const Vec3 at = testing::random_vector(rng) * spread;
  return {at + testing::random_vector(rng), at + testing::random_vector(rng),
          at + testing::random_vector(rng)};
}

/// The convex pair search knows triangles by another way.
TEST(VerifyDistance, TrianglesAgreeWithConvexShapes) {
  Rng rng(7);
  int apart = 0, crossing = 0;
  for (int k = 0; k < 20000; ++k) {
    const Corners a = random_triangle(rng, 1), b = random_triangle(rng, 1);
    const internal::NearestPoints found = internal::compute_triangle_distance(a, b);
    const double expected =
        compute_convex_separation(ConvexShape(a[0], a[1], a[2]), ConvexShape(b[0], b[1], b[2]), {})
            .distance;
    ASSERT_NEAR(found.distance, std::max(expected, 0.0), 1e-9) << k;
    ASSERT_NEAR((found.on_a - found.on_b).norm(), found.distance, 1e-12);
    (expected > 0 ? apart : crossing)++;
  }
  EXPECT_GT(apart, 1000);
  EXPECT_GT(crossing, 1000);
}

TEST(VerifyDistance, TrianglesWithoutAreaAreSegments) {
  const Corners line = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)};
  const Corners face = {Vec3(0, -1, 1), Vec3(2, -1, 1), Vec3(1, 2, 1)};
  EXPECT_NEAR(internal::compute_triangle_distance(line, face).distance, 1, 1e-15);
  const Corners point = {Vec3(1, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, 0)};
  EXPECT_NEAR(internal::compute_triangle_distance(point, face).distance, 1, 1e-15);
  EXPECT_NEAR(internal::compute_triangle_distance(point, line).distance, 0, 1e-15);
}

internal::VerifyShape prepare(const Collider& collider) {
  return {collider, collider.mesh()
                        ? std::make_shared<const internal::TriangleTree>(collider.mesh()->mesh())
                        : nullptr};
}

/// Nothing is nearer than a search says, whatever it left out: half of the triangles are slivers,
/// of whose planes rounding errors make what they like.
TEST(VerifyDistance, NothingIsNearerThanTold) {
  Rng rng(8);
  for (int i = 0; i < 20'000; ++i) {
    Corners sides[2];
    for (Corners& t : sides) {
      for (Vec3& p : t) p = testing::random_vector(rng);
      if (rng.uniform() < 0.5) t[2] = t[0] + rng.uniform() * (t[1] - t[0]);
    }
    const auto make = [](const Corners& t) {
      const auto mesh = std::make_shared<const TriangleMesh>(
          TriangleMesh{{t.begin(), t.end()}, {Triangle{0, 1, 2}}});
      return std::pair(Collider(Shape(mesh)), std::make_shared<internal::TriangleTree>(*mesh));
    };
    const auto [a, a_tree] = make(sides[0]);
    const auto [b, b_tree] = make(sides[1]);
    const double distance = internal::compute_triangle_distance(sides[0], sides[1]).distance;
    const internal::VerifyShape shape_a{a, a_tree}, shape_b{b, b_tree};
    ASSERT_EQ(internal::compute_surface_distance(shape_a, shape_b, Pose()).distance, distance) << i;
    const double wanted = rng.uniform(0.1, 3) * distance;
    if (distance < 1e-9) continue;
    const internal::RelativeSweep rest{Pose()};
    internal::ShapeSweep sweep(shape_a, shape_b, {wanted, wanted / 2, -kInfinity});
    std::vector<internal::NodePair> open;
    sweep.begin(rest);
    sweep.run({0, 0}, open);
    ASSERT_EQ(open.empty(), wanted < distance) << i;
  }
}

/// Any two shapes, against the queries that planners use.
TEST(VerifyDistance, ShapesAgreeWithTheOtherQueries) {
  Rng rng(11);
  QueryScratch scratch;
  int told = 0;
  for (int k = 0; k < 3000; ++k) {
    const Collider a(testing::make_random_shape(rng)), b(testing::make_random_shape(rng));
    const Pose X_AB = testing::random_placement(rng, 1.0);
    const internal::VerifyShape shape_a = prepare(a), shape_b = prepare(b);
    const double expected = compute_separation(a, b, X_AB, scratch).distance;
    const double found = internal::compute_surface_distance(shape_a, shape_b, X_AB).distance;
    const bool inside = internal::lies_inside(shape_a, shape_b, X_AB);
    if (expected <= 0) {
      ASSERT_TRUE(found <= 1e-9 || inside) << k;
      continue;
    }
    ++told;
    ASSERT_FALSE(inside) << k;
    ASSERT_LE(internal::bound_gap(shape_a, shape_b, X_AB), expected + 1e-9);
    ASSERT_NEAR(found, expected, 1e-8) << k;
  }
  EXPECT_GT(told, 1000);
}

struct RandomCase {
  Scene scene;
  CollisionModel model;
  JointMotion motion;
};

RandomCase make_case(std::uint64_t seed) {
  Rng rng(seed);
  Scene scene = Scene::compile(testing::make_random_world(rng, 4, 4)).value();
  CollisionOptions options;
  options.use_reach = false;
  options.survey.samples = 20;
  options.margin = seed % 3 ? 0 : 0.01;
  CollisionModel model = CollisionModel::make(scene, options).value();
  const auto sampler = ConfigurationSampler::make(scene).value();
  JointMotion motion;
  motion.course = seed % 2 ? Course::screw : Course::straight;
  const int moments = static_cast<int>(rng.integer(2, 4));
  motion.q.resize(scene.nq(), moments);
  Workspace workspace(scene);
  VecX q = make_neutral(scene), q1 = q;
  sampler.sample(rng, q);
  for (int i = 0; i < moments; ++i) {
    sampler.sample(rng, q1);
    // Short ways are free more often.
    if (i > 0) interpolate(scene, motion.q.col(i - 1), q1, rng.uniform(0.02, 0.4), q);
    EXPECT_TRUE(compute_dependents(scene, q, workspace));
    motion.q.col(i) = q;
    motion.times.push_back(i + rng.uniform(0, 0.5));
  }
  return {std::move(scene), std::move(model), std::move(motion)};
}

/// GX-2: free means free, by dense sampling with the planners' queries; and refused means near.
TEST(VerifyMotionLaws, HoldAgainstDenseSampling) {
  int free = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RandomCase given = make_case(seed);
    const Scene& scene = given.scene;
    const CollisionModel& model = given.model;
    const JointMotion& motion = given.motion;
    const VerifyReport report = verify_motion(scene, model, motion);
    CollisionWorkspace memory(model);
    Workspace workspace(scene);
    VecX q(scene.nq());
    const auto look = [&](double t) {
      interpolate(scene, motion, t, q);
      compute_kinematics(scene, q, workspace);
      return find_nearest_pair(model, workspace, memory, report.is_free ? 0.2 : kInfinity);
    };
    if (report.is_free) {
      ++free;
      double least = 0.1 / 0.9;
      const int samples = 2000 * static_cast<int>(motion.times.size() - 1);
      const double span = motion.times.back() - motion.times.front();
      for (int k = 0; k <= samples; ++k) {
        const auto nearest = look(motion.times.front() + span * k / samples);
        if (!nearest) continue;
        ASSERT_FALSE(nearest->collides()) << "seed " << seed;
        least = std::min(least, nearest->separation.distance);
      }
      if (report.clearance == kInfinity) {
        for (const RuledPair& p : model.list_pairs()) ASSERT_NE(p.rule, PairRule::checked);
        continue;
      }
      ASSERT_GE(least, report.clearance - 1e-9) << "seed " << seed;
      ASSERT_GE(report.clearance, 0.9 * least - 2e-3) << "the bound is no idle one";
    } else {
      ++refused;
      look(report.at);
      double distance = kInfinity;
      for (const PairClearance& p : find_collisions(model, workspace, memory)) {
        if (p.a == report.a && p.b == report.b) distance = p.separation.distance;
      }
      if (const auto nearest = look(report.at); nearest && distance == kInfinity)
        distance = nearest->separation.distance;
      ASSERT_LE(distance, model.margin(report.a, report.b) + 10e-6 + 1e-9) << "seed " << seed;
    }
  }
  EXPECT_GT(free, 8);
  EXPECT_GT(refused, 8);
}

TEST(VerifyMotionLaws, SameBytesOnAnyNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomCase given = make_case(seed);
    const Scene& scene = given.scene;
    const CollisionModel& model = given.model;
    const JointMotion& motion = given.motion;
    VerifyOptions options;
    options.threads = 1;
    const VerifyReport one = verify_motion(scene, model, motion, options);
    options.threads = 5;
    const VerifyReport five = verify_motion(scene, model, motion, options);
    EXPECT_EQ(one.is_free, five.is_free);
    EXPECT_EQ(one.clearance, five.clearance);
    EXPECT_EQ(one.at, five.at);
    EXPECT_EQ(one.a, five.a);
    EXPECT_EQ(one.b, five.b);
    EXPECT_EQ(one.point, five.point);
    EXPECT_EQ(one.queries, five.queries);
  }
}

/// Cutting legs into many changes neither the way nor the answer.
TEST(VerifyMotionLaws, ManyShortLegsSayTheSame) {
  for (std::uint64_t seed = 0; seed < 40; seed += 2) {
    const RandomCase given = make_case(seed);
    const Scene& scene = given.scene;
    const CollisionModel& model = given.model;
    const JointMotion& motion = given.motion;
    JointMotion fine;
    fine.course = motion.course;
    constexpr int kCuts = 100;
    const int legs = static_cast<int>(motion.times.size()) - 1;
    fine.q.resize(scene.nq(), legs * kCuts + 1);
    for (int i = 0; i <= legs * kCuts; ++i) {
      const int leg = std::min(i / kCuts, legs - 1);
      const auto l = static_cast<std::size_t>(leg);
      const double s = static_cast<double>(i - leg * kCuts) / kCuts;
      fine.times.push_back(motion.times[l] + s * (motion.times[l + 1] - motion.times[l]));
      interpolate(scene, motion.q.col(leg), motion.q.col(leg + 1), motion.course, s, fine.q.col(i));
    }
    const VerifyReport coarse = verify_motion(scene, model, motion);
    const VerifyReport cut = verify_motion(scene, model, fine);
    ASSERT_EQ(coarse.is_free, cut.is_free) << seed;
    if (!cut.is_free) {
      EXPECT_NEAR(coarse.at, cut.at, 1e-3);
    } else {
      EXPECT_NEAR(coarse.clearance, cut.clearance, 0.011 + 0.1 * cut.clearance);
    }
  }
}

}  // namespace
}  // namespace geste

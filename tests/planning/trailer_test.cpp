#include "geste/planning/steering/trailer.hpp"

#include <gtest/gtest.h>

#include "planning/steering_laws.hpp"

namespace geste {
namespace {

using namespace testing;

/// A cart that draws a box, hinged `hitch` behind its axle, that folds so far either way.
SceneSpec make_trailer_world(double hitch, double fold, bool upside_down = false) {
  SceneSpec spec = make_cart_world(0.5, 0.4);
  BodySpec body{"trailer"};
  body.geometry.emplace_back();
  body.geometry.back().shape = Box{Vec3(0.6, 0.4, 0.3)};
  body.geometry.back().X_BG = Pose::translation(Vec3(-0.75, 0, 0.2));
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = "hitch";
  joint.type = JointType::revolute;
  joint.parent = "cart";
  joint.child = "trailer";
  joint.X_PJ = Pose::translation(Vec3(-hitch, 0, 0));
  joint.axis = upside_down ? Vec3(-Vec3::UnitZ()) : Vec3::UnitZ();
  joint.limits = {{-fold, fold}};
  spec.joints.push_back(joint);
  return spec;
}

struct Axles {
  Vec2 cart, trailer;
  double cart_angle = 0, trailer_angle = 0;
};

/// Where both axles are, by the scene's kinematics.
Axles find_axles(const PlanningSpace& space, ConstVecRef x, double length, Workspace& workspace) {
  VecX q(space.scene().nq());
  EXPECT_TRUE(space.complete(x, q, workspace));
  compute_kinematics(space.scene(), q, workspace);
  const auto pose = [&](const char* name) {
    const Body& body = space.scene().body(*space.scene().find_body(name));
    return Pose(workspace.X_WM()[static_cast<std::size_t>(body.mover)] * body.X_MB);
  };
  const auto angle = [](const Pose& X) { return std::atan2(X.R(1, 0), X.R(0, 0)); };
  const Pose cart = pose("cart"), trailer = pose("trailer");
  return {cart.p.head<2>(), (trailer * Vec3(-length, 0, 0)).head<2>(), angle(cart), angle(trailer)};
}

/// By how much the worse axle slips sideways on a leg, by many small steps.
double measure_slip(const PlanningSpace& space, double length, ConstVecRef a, ConstVecRef b) {
  Workspace workspace(space.scene());
  VecX x(space.size());
  Axles last = find_axles(space, a, length, workspace);
  double cart = 0, trailer = 0;
  constexpr int kSteps = 20;
  for (int i = 1; i <= kSteps; ++i) {
    space.interpolate(a, b, Course::screw, static_cast<double>(i) / kSteps, x);
    const Axles next = find_axles(space, x, length, workspace);
    const auto aside = [](const Vec2& d, double from, double to) {
      const double angle = from + wrap_angle(to - from) / 2;
      return std::abs(-std::sin(angle) * d.x() + std::cos(angle) * d.y());
    };
    cart += aside(next.cart - last.cart, last.cart_angle, next.cart_angle);
    trailer += aside(next.trailer - last.trailer, last.trailer_angle, next.trailer_angle);
    last = next;
  }
  return std::max(cart, trailer);
}

LegPromise slips_at_most(const PlanningSpace& space, double length, double slip) {
  return [&space, length, slip](ConstVecRef a, ConstVecRef b) -> std::string {
    const double most = measure_slip(space, length, a, b);
    return most > slip * (1 + 1e-3) + 1e-8 ? fmt::format("slips by {}", most) : "";
  };
}

// Whatever curve the flat output goes, both axles roll: by differences, against the equations.
TEST(Trailer, FlatOutputMakesBothRoll) {
  Rng rng(1);
  for (const double hitch : {0.0, 0.2, 0.7, 1.0, 1.6}) {
    const TrailerFlatness flatness(hitch, 1);
    for (int i = 0; i < 300; ++i) {
      const double most = 0.9 * flatness.largest_hinge();
      const TrailerPose pose{Vec2(rng.uniform(-1, 1), rng.uniform(-1, 1)), rng.uniform(-3, 3),
                             rng.uniform(-most, most)};
      const FlatPoint point = flatness.to_flat(pose);
      const TrailerPose back = flatness.from_flat(point);
      EXPECT_NEAR((back.p - pose.p).norm(), 0, 1e-9);
      EXPECT_NEAR(wrap_angle(back.angle - pose.angle), 0, 1e-9);
      EXPECT_NEAR(back.hinge, pose.hinge, 1e-9);
      // On along a curve whose curvature changes at some rate, by a step either way.
      const double rate = rng.uniform(-2, 2), d = 1e-4;
      const auto go = [&](double s) {
        const double turn = point.curvature * s / 2 + rate * s * s / 6;
        return flatness.from_flat({point.p + s * unit_at(point.angle + turn),
                                   point.angle + point.curvature * s + rate * s * s / 2,
                                   point.curvature + rate * s});
      };
      const TrailerPose p = go(-d), q = go(d);
      const auto trailer = [&](const TrailerPose& at) {
        return Vec2(at.p - hitch * unit_at(at.angle) - unit_at(at.angle + at.hinge));
      };
      EXPECT_NEAR((q.p - p.p).dot(left_of(unit_at(pose.angle))) / (2 * d), 0, 1e-4);
      EXPECT_NEAR(
          (trailer(q) - trailer(p)).dot(left_of(unit_at(pose.angle + pose.hinge))) / (2 * d), 0,
          1e-4);
    }
  }
}

// Tangent and curvature of blended curves, against differences; forwards and backwards.
TEST(Trailer, CurvesHaveTheirTangentsAndCurvatures) {
  Rng rng(2);
  const auto draw = [&] {
    return FlatPoint{Vec2(rng.uniform(-1, 1), rng.uniform(-1, 1)), rng.uniform(-3, 3),
                     rng.uniform(-1, 1)};
  };
  int judged = 0;
  for (int i = 0; i < 2000; ++i) {
    const FlatPoint a = draw(), b = draw();
    const double v = rng.uniform(-3, 3), u = rng.uniform(0.01, 0.99), d = 1e-5;
    const TrailerCurve curve(a, b, v);
    EXPECT_NEAR((curve.evaluate(0).p - a.p).norm() + (curve.evaluate(1).p - b.p).norm(), 0, 1e-12);
    for (const auto& [at, end] : {std::pair(0.0, a), std::pair(1.0, b)}) {
      EXPECT_NEAR(wrap_angle(curve.evaluate(at).angle - end.angle), 0, 1e-9);
      EXPECT_NEAR(curve.evaluate(at).curvature, end.curvature, 1e-9);
    }
    const FlatPoint before = curve.evaluate(u - d), here = curve.evaluate(u);
    const FlatPoint after = curve.evaluate(u + d);
    const Vec2 step = after.p - before.p;
    // Near cusps differences say nothing.
    if (step.norm() < 0.4 * d || std::abs(here.curvature) > 20) continue;
    ++judged;
    const double sense = v < 0 ? -1 : 1;
    EXPECT_NEAR((sense * step.normalized() - unit_at(here.angle)).norm(), 0, 1e-5);
    EXPECT_NEAR(wrap_angle(after.angle - before.angle) / (sense * step.norm()), here.curvature,
                1e-4 * (1 + std::abs(here.curvature)));
    // The projection is the nearest of the circle.
    const double s = project(a, b.p);
    const double nearest = (go_round(a, s).p - b.p).norm();
    for (const double aside : {-0.01, 0.01, -0.5, 0.5})
      EXPECT_GE((go_round(a, s + aside).p - b.p).norm(), nearest - 1e-9);
  }
  EXPECT_GT(judged, 1500);
}

// MV-2
TEST(Trailer, KeepsTheLaws) {
  for (const double hitch : {0.0, 0.25}) {
    const SpaceRig p(make_trailer_world(hitch, 0.9, hitch > 0));
    const auto method = TrailerSteering::make(p.space, {.length = 0.75, .slip = 1e-3}).value();
    EXPECT_TRUE(method->is_reversible());
    const double joined =
        expect_steering_laws(p.space, *method, slips_at_most(p.space, 0.75, 1e-3), 200, true);
    EXPECT_GT(joined, 0.8);
  }
}

// Small-time controllable: near ends are joined by ways that are as short as one likes, like the
// fourth root of how near.
TEST(Trailer, NearEndsHaveShortWays) {
  for (const double hitch : {0.0, 0.25}) {
    const SpaceRig p(make_trailer_world(hitch, 0.9));
    const auto method = TrailerSteering::make(p.space, {.length = 0.75}).value();
    Rng rng(1);
    VecX a(4), b(4);
    Way way(p.space);
    double last = kInfinity;
    for (const double radius : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      double longest = 0;
      for (int i = 0; i < 100; ++i) {
        p.space.sample(rng, a);
        a[3] *= 0.8;
        p.space.sample_near(a, radius, rng, b);
        ASSERT_TRUE(method->steer(a, b, way)) << show(a) << "to " << show(b);
        longest = std::max(longest, measure_length(p.space, way));
      }
      EXPECT_LT(longest, 0.8 * last) << radius;
      last = longest;
    }
    EXPECT_LT(last, 0.3);
  }
}

// On its own circle and straight on it needs no cusp: the cart never changes direction.
TEST(Trailer, GoesOnWithoutCusps) {
  const SpaceRig p(make_trailer_world(0.25, 0.9));
  const auto method = TrailerSteering::make(p.space, {.length = 0.75}).value();
  Way way(p.space);
  const VecX a = Eigen::Vector4d(-2, 0, 0, 0);
  for (const VecX& b :
       {VecX(Eigen::Vector4d(2, 0, 0, 0)), VecX(Eigen::Vector4d(2, 0.5, 0.3, 0.1)),
        VecX(Eigen::Vector4d(1, 1, 1, -0.3)), VecX(Eigen::Vector4d(-4, 0.2, 0, 0))}) {
    ASSERT_TRUE(method->steer(a, b, way));
    const double sense = b[0] > a[0] ? 1 : -1;
    for (int i = 1; i < way.count(); ++i) {
      const VecX from = way[i - 1], to = way[i];
      EXPECT_GT(sense * compute_screw(JointType::planar, from.data(), to.data())[0], 0);
    }
  }
  ASSERT_TRUE(method->steer(a, Eigen::Vector4d(2, 0, 0, 0), way));
  EXPECT_EQ(way.count(), 2);
}

// What slips on all legs together goes to nothing too: it comes of cutting, not of the curve.
TEST(Trailer, LessSlipTakesMoreLegs) {
  const SpaceRig p(make_trailer_world(0.25, 0.9));
  const VecX a = Eigen::Vector4d(0, 0, 0, 0.2), b = Eigen::Vector4d(2, 1, 1, -0.4);
  Way way(p.space);
  int last = 0;
  double last_sum = kInfinity;
  for (const double slip : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const auto method = TrailerSteering::make(p.space, {.length = 0.75, .slip = slip}).value();
    ASSERT_TRUE(method->steer(a, b, way));
    EXPECT_GT(way.count(), last);
    last = way.count();
    expect_laws_of_pair(p.space, *method, a, b, slips_at_most(p.space, 0.75, slip));
    double sum = 0;
    for (int i = 1; i < way.count(); ++i) sum += measure_slip(p.space, 0.75, way[i - 1], way[i]);
    EXPECT_LT(sum, 0.6 * last_sum) << slip;
    last_sum = sum;
  }
}

// MV-2, MV-9
TEST(Trailer, BacksIntoABay) {
  SceneSpec spec = make_trailer_world(0.25, 0.9);
  spec.allowed_pairs.push_back({"cart", "trailer", "hinged"});
  const auto add = [&](const char* name, const Vec3& size, const Vec3& at) {
    BodySpec wall{name};
    wall.geometry.emplace_back();
    wall.geometry.back().shape = Box{size};
    wall.geometry.back().X_BG = Pose::translation(at);
    spec.bodies.push_back(wall);
  };
  add("left", Vec3(1.5, 1.5, 0.5), Vec3(-4, 1.2, 0.2));
  add("right", Vec3(1.5, 1.5, 0.5), Vec3(-4, -1.2, 0.2));
  Playground p(spec, make_plain_options(), [](const PlanningSpace& space) {
    return TrailerSteering::make(space, {.length = 0.75}).value();
  });
  const PlanningProblem problem{Eigen::Vector4d(0, 1, kPi, 0), {Eigen::Vector4d(-3.4, 0, 0, 0)}};
  const LegPromise rolls = slips_at_most(p.space, 0.75, 1e-3);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RrtConnectMemory memory(p.space);
    Rng rng(seed);
    PlanReport report = plan_rrt_connect(problem, {}, p.local, memory, Budget::steps(5000), rng);
    ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
    // One way is followed, not a new one begun at each of its points.
    EXPECT_LT(report.nodes, 3000);
    EXPECT_TRUE(p.verify(report.path).is_free) << "seed " << seed;
    shorten(report.path, {}, p.local, {}, rng);
    EXPECT_TRUE(p.verify(report.path).is_free) << "shortened, seed " << seed;
    for (int i = 1; i < report.path.cols(); ++i)
      EXPECT_EQ(rolls(report.path.col(i - 1), report.path.col(i)), "");
  }
}

TEST(Trailer, NamesWhatIsNoTrailer) {
  const auto expect_fault = [](const SceneSpec& spec, const TrailerOptions& options,
                               const char* element) {
    const SpaceRig p(spec);
    const auto made = TrailerSteering::make(p.space, options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, "plan.steering");
    EXPECT_EQ(made.error().element, element);
    EXPECT_NE(made.error().remedy, "");
  };
  expect_fault(make_trailer_world(0, 2), {}, "joint 'hitch'");       // folds
  expect_fault(make_trailer_world(-0.2, 0.9), {}, "joint 'hitch'");  // before the axle
  expect_fault(make_trailer_world(0, 0.9), {.length = 0}, "joint 'hitch'");
  expect_fault(make_cart_world(), {}, "");
  SceneSpec tilted = make_trailer_world(0, 0.9);
  tilted.joints[1].axis = Vec3(0, 0.1, 1);
  expect_fault(tilted, {}, "joint 'hitch'");
  SceneSpec apart = make_trailer_world(0, 0.9);
  apart.joints[1].parent = "";
  expect_fault(apart, {}, "joint 'hitch'");
}

}  // namespace
}  // namespace geste

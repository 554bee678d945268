// Chains that are closed by projection, planned (MV-2, MV-3, MV-4). Witnesses: the closed form of
// the four-bar linkage, a ring followed in small steps by hand, the formula of the dumbbell's
// carriers, poses looked at densely, and the second prover.
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "geste/model/mechanisms.hpp"
#include "geste/planning/plan.hpp"
#include "geste/planning/roadmap.hpp"
#include "geste/planning/steering/composed.hpp"
#include "geste/planning/steering/registry.hpp"
#include "geste/planning/timing.hpp"

#include "planning/projected_testing.hpp"
#include "planning/steering_laws.hpp"

namespace geste {
namespace {

using namespace testing;

/// Short enough that the mechanism is proven to stay closed next to it, within the promise.
LegPromise stays_closed(const PlanningSpace& space, double stray = ProjectedOptions().stray) {
  auto bound = std::make_shared<StrayBound>(space.scene());
  auto workspace = std::make_shared<Workspace>(space.scene());
  return [&space, bound, workspace, stray](ConstVecRef a, ConstVecRef b) -> std::string {
    VecX qa(space.scene().nq()), qb = qa, back(space.size());
    if (!space.complete(a, qa, *workspace) || !space.complete(b, qb, *workspace)) return "is open";
    space.gather(qb, back);
    if (space.distance(back, b) > 1e-7) return "stands for another point";
    if (space.measure_excess(b) > 1e-9) return "leaves the limits";
    if (const auto failure = bound->compute(qa, qb, Course::straight)) return failure->what;
    for (const JointTravel& s : bound->strays())
      if (s.angular + s.linear > 2 * stray) return fmt::format("strays by {}", s.angular);
    return "";
  };
}

VecX guess_four_bar(double angle, bool is_up) { return FourBar().close(angle, is_up); }

TEST(ProjectedSteering, FourBarKeepsTheLaws) {
  const Playground p = make_closed_playground(FourBar().make(), guess_four_bar(0.3, true));
  ASSERT_TRUE(p.space.has_loops());
  const double joined =
      expect_steering_laws(p.space, *p.steering, stays_closed(p.space), 300, true);
  EXPECT_GT(joined, 0.5);  // those near each other; others may be on the other branch
}

// MV-4: every point of a way is the closed form's, and it stays on its branch.
TEST(ProjectedSteering, FourBarStaysOnItsBranch) {
  const FourBar bars;
  const Playground p = make_closed_playground(bars.make(), guess_four_bar(0.3, true));
  Rng rng(3);
  Way way(p.space);
  int joined = 0;
  for (int i = 0; i < 200; ++i) {
    const bool is_up = i % 2 == 0;
    const double from = rng.uniform(-3, 3);
    const double to = std::clamp(from + rng.uniform(-1, 1), -3.0, 3.0);
    const VecX a = bars.close(from, is_up), b = bars.close(to, is_up);
    // The elbow's angle may have to go through half a turn, which its limits forbid.
    if (!p.steering->steer(a, b, way)) continue;
    ++joined;
    for (int k = 0; k < way.count(); ++k) {
      const Vec3 expected = bars.close(way[k][0], is_up);
      EXPECT_LT(p.space.distance(way[k], expected), 1e-8);
    }
    // Two branches: no way leads from one to the other.
    EXPECT_FALSE(p.steering->steer(a, bars.close(from, !is_up), way));
    EXPECT_FALSE(p.steering->steer(a, bars.close(to, !is_up), way));
  }
  EXPECT_GT(joined, 150);
}

// Searches set out step by step: what is reached lies nearer, and every leg keeps the promise.
TEST(ProjectedSteering, SettingOutComesNearer) {
  const Playground p = make_closed_playground(FourBar().make(), guess_four_bar(0.3, true));
  const LegPromise closed = stays_closed(p.space);
  Way way(p.space);
  VecX a(p.space.size()), b(p.space.size());
  int set_out = 0, farther = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Rng rng(seed);
    p.space.sample(rng, a);
    p.space.sample(rng, b);
    if (!p.steering->set_out(a, b, 0.3, way)) continue;
    ++set_out;
    EXPECT_EQ(way[0], a);
    EXPECT_LT(p.space.distance(way.back(), b), p.space.distance(a, b) - 0.02);
    for (int k = 1; k < way.count(); ++k) EXPECT_EQ(closed(way[k - 1], way[k]), "");
    Way whole(p.space);
    farther += !p.steering->steer(a, b, whole);
  }
  EXPECT_GT(set_out, 50);
  EXPECT_GT(farther, 10);  // where the whole way is not joined
}

TEST(PlanningSpace, SamplesOfLoopsAreClosedAndWithinTheLimits) {
  SceneSpec spec = FourBar().make();
  for (JointSpec& j : spec.joints) j.limits = {{-2.2, 2.2}};
  const Playground p = make_closed_playground(spec, guess_four_bar(0.3, true));
  Workspace workspace(p.scene);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed);
    VecX x(p.space.size()), q(p.scene.nq()), near(p.space.size());
    int up = 0;
    constexpr int kCount = 200;
    for (int i = 0; i < kCount; ++i) {
      p.space.sample(rng, x);
      EXPECT_LE(p.space.measure_excess(x), 1e-9);
      ASSERT_TRUE(p.space.complete(x, q, workspace));
      EXPECT_LT(compute_loop_residual(p.scene, workspace), 1e-10);
      const bool is_up = p.space.distance(x, FourBar().close(x[0], true)) < 1e-8;
      EXPECT_TRUE(is_up || p.space.distance(x, FourBar().close(x[0], false)) < 1e-8);
      up += is_up;
      p.space.sample_near(x, 0.01, rng, near);
      EXPECT_LT(p.space.distance(x, near), 0.2);
    }
    EXPECT_GT(up, kCount / 10);  // both branches are drawn
    EXPECT_LT(up, kCount - kCount / 10);
  }
}

// MV-5: samples lie on closed configurations, so roadmaps come out as the closed form says: one
// piece for each branch.
TEST(ProjectedSteering, RoadmapHasAPieceForEachBranch) {
  const FourBar bars;
  SceneSpec spec = bars.make();
  for (BodySpec& body : spec.bodies) body.geometry.clear();
  spec.joints[0].limits = {{-1, 1}};
  Playground p = make_closed_playground(spec, guess_four_bar(0.3, true));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    Roadmap roadmap(p.space);
    RoadmapOptions options;
    options.kind = RoadmapKind::basic;
    Rng rng(seed);
    grow_roadmap(roadmap, options, p.local, Budget::steps(60), rng);
    EXPECT_EQ(roadmap.count_components(), 2);
    const VecX start = bars.close(-0.9, true);
    const PlanReport same = query_roadmap(roadmap, {start, {bars.close(0.9, true)}}, p.local);
    ASSERT_EQ(same.status, PlanStatus::found);
    for (Eigen::Index k = 0; k < same.path.cols(); ++k)
      EXPECT_LT(p.space.distance(same.path.col(k), bars.close(same.path(0, k), true)), 1e-8);
    EXPECT_TRUE(p.verify(same.path).is_free);
    EXPECT_EQ(query_roadmap(roadmap, {start, {bars.close(0.9, false)}}, p.local).status,
              PlanStatus::used_up);
  }
}

/// Seven hinges askew, closed rigidly to where the ring is at `at`.
SceneSpec make_ring(std::uint64_t seed, VecX& at) {
  Rng rng(seed);
  std::vector<Vec3> axes, bars;
  const auto draw = [&](double most) {
    return Vec3(rng.uniform(-most, most), rng.uniform(-most, most), rng.uniform(-most, most));
  };
  for (int i = 0; i < 7; ++i) {
    axes.push_back(draw(1));
    bars.push_back(Vec3(0.3, 0, 0) + draw(0.2));
  }
  SceneSpec spec = make_hinges(axes, bars);
  for (BodySpec& body : spec.bodies) body.geometry.clear();
  const Scene open = Scene::compile(spec).value();
  at.resize(7);
  for (double& x : at) x = rng.uniform(-1, 1);
  Workspace workspace(open);
  compute_kinematics(open, at, workspace);
  const Pose X_WE = compute_pose(open, workspace, *open.find_body("bar6"));
  spec.loops = {{"ring", "", X_WE, "bar6", {}, {true, true, true, true, true, true}, {}}};
  return spec;
}

/// Follows the ring's one motion in steps of a thousandth, by differences of poses: another way to
/// know where it goes. Points, one after the other.
std::vector<VecX> trace_ring(const Scene& scene, VecX q, int steps) {
  const Loop& loop = scene.loops().front();
  Workspace workspace(scene);
  const auto residual = [&](const VecX& at) {
    compute_kinematics(scene, at, workspace);
    const Pose X = loop.X_A.inverse() * compute_pose(scene, workspace, loop.body_b);
    Vec6 r;
    r << X.p, Vec3(X.R(2, 1) - X.R(1, 2), X.R(0, 2) - X.R(2, 0), X.R(1, 0) - X.R(0, 1)) / 2;
    return r;
  };
  const auto slope = [&](const VecX& at) {
    Eigen::Matrix<double, 6, 7> J;
    for (int k = 0; k < 7; ++k) {
      VecX more = at, less = at;
      more[k] += 1e-6;
      less[k] -= 1e-6;
      J.col(k) = (residual(more) - residual(less)) / 2e-6;
    }
    return Eigen::JacobiSVD<Eigen::MatrixXd>(J, Eigen::ComputeThinU | Eigen::ComputeFullV);
  };
  std::vector<VecX> points{q};
  VecX before = VecX::Zero(7);
  for (int i = 0; i < steps; ++i) {
    VecX along = slope(q).matrixV().col(6);
    if (before.dot(along) < 0) along = -along;
    q += 1e-3 * along;
    for (int k = 0; k < 3; ++k) q -= slope(q).solve(residual(q));
    if (q.cwiseAbs().maxCoeff() > kPi - 0.05) break;
    points.push_back(q);
    before = along;
  }
  return points;
}

// MV-4: a ring of seven hinges has one motion; ways keep to it.
TEST(ProjectedSteering, RingKeepsToItsOneMotion) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    VecX at;
    const SceneSpec spec = make_ring(seed, at);
    Playground p = make_closed_playground(spec, at);
    const std::vector<VecX> trace = trace_ring(p.scene, at, 600);
    ASSERT_GT(trace.size(), 100u);
    const PlanningProblem problem{trace.front(), {trace.back()}};
    RrtConnectMemory memory(p.space);
    Rng rng(seed);
    const PlanReport report =
        plan_rrt_connect(problem, {}, p.local, memory, Budget::steps(300), rng);
    ASSERT_EQ(report.status, PlanStatus::found);
    for (Eigen::Index k = 0; k < report.path.cols(); ++k) {
      double nearest = kInfinity;
      for (const VecX& point : trace)
        nearest = std::min(nearest, (point - report.path.col(k)).norm());
      EXPECT_LT(nearest, 1e-3) << k;
    }
    EXPECT_TRUE(p.verify(report.path).is_free);
    EXPECT_LT(measure_opening(p.scene, p.make_motion(report.path)), 1e-2);
  }
}

/// Two carriers with the dumbbell, and a pillar that they must go round.
SceneSpec make_dumbbell_world(DumbbellClosure closure) {
  DumbbellOptions options;
  options.area = 3;
  SceneSpec spec = make_dumbbell_carriers(closure, options);
  BodySpec pillar{"pillar"};
  pillar.geometry.emplace_back();
  pillar.geometry.back().shape = Cylinder{0.4, 1.2};
  pillar.geometry.back().X_BG = Pose::translation(0, 0, 0.6);
  spec.bodies.push_back(pillar);
  return spec;
}

/// Beside the pillar, the bar along y, on the side of the sign of `x`.
VecX place_dumbbell(const Scene& scene, double x) {
  VecX q = make_neutral(scene);
  const auto set = [&](const char* name, const VecX& value) {
    const Joint& j = scene.joint(*scene.find_joint(name));
    q.segment(j.q, j.nq) = value;
  };
  const DumbbellOptions o;
  const double half = o.bar_length / 2 + o.grip_reach;
  set("first/base", Vec3(x, -half, kPi / 2));
  set("first/pin", VecX::Zero(1));
  set("second/x", VecX::Constant(1, x));
  set("second/y", VecX::Constant(1, half));
  set("second/angle", VecX::Constant(1, -kPi / 2));
  return q;
}

// MV-4: the same journey round a pillar by formula and by projection; both proven twice.
TEST(ProjectedSteering, DumbbellGoesRoundThePillarEitherWay) {
  for (const auto closure : {DumbbellClosure::explicit_formula, DumbbellClosure::projection}) {
    const bool is_projected = closure == DumbbellClosure::projection;
    Playground p(
        make_dumbbell_world(closure), make_plain_options(),
        [](const PlanningSpace& s) { return make_steering("linear", s).value(); },
        [](const Scene& scene) { return place_dumbbell(scene, -1.6); });
    EXPECT_EQ(p.space.has_loops(), is_projected);
    EXPECT_EQ(p.space.dimension(), is_projected ? 7 : 5);
    PlanningProblem problem{VecX(p.space.size()), {VecX(p.space.size())}};
    p.space.gather(place_dumbbell(p.scene, -1.6), problem.start);
    p.space.gather(place_dumbbell(p.scene, 1.6), problem.goals[0]);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(fmt::format("projected {}, seed {}", is_projected, seed));
      PlanOptions options;
      options.threads = 1;
      const PlanReport report = plan({p.space, *p.steering, p.validator}, problem, options,
                                     Budget::steps(3000), Rng(seed));
      ASSERT_EQ(report.status, PlanStatus::found);
      EXPECT_EQ(report.path.col(0), problem.start);
      EXPECT_EQ(report.path.rightCols(1), problem.goals[0]);
      const JointMotion motion = make_timed(p.space, Course::straight, report.path);
      EXPECT_TRUE(verify_motion(p.scene, p.model, motion, make_second_options()).is_free);
      if (is_projected) {
        EXPECT_LT(measure_opening(p.scene, motion), 1e-3);
        EXPECT_LT(measure_opening(p.scene, p.make_motion(report.path)), 1e-2);
      }
    }
  }
}

TEST(ProjectedSteering, ThreadsDoNotChangeTheWay) {
  Playground p(make_dumbbell_world(DumbbellClosure::projection), make_plain_options(),
               make_projected_steering,
               [](const Scene& scene) { return place_dumbbell(scene, -1.6); });
  PlanningProblem problem{VecX(p.space.size()), {VecX(p.space.size())}};
  p.space.gather(place_dumbbell(p.scene, -1.6), problem.start);
  p.space.gather(place_dumbbell(p.scene, 1.6), problem.goals[0]);
  std::vector<MatX> paths;
  for (const int threads : {1, 3}) {
    PlanOptions options;
    options.threads = threads;
    options.first_round = 5;
    paths.push_back(
        plan({p.space, *p.steering, p.validator}, problem, options, Budget::steps(3000), Rng(4))
            .path);
  }
  ASSERT_GT(paths[0].cols(), 0);
  ASSERT_EQ(paths[0].cols(), paths[1].cols());
  EXPECT_EQ(paths[0], paths[1]);
}

Error refuse(const SceneSpec& spec, const VecX& rest) {
  const Scene scene = Scene::compile(spec).value();
  const CollisionModel model = CollisionModel::make(scene, make_plain_options()).value();
  const auto space = PlanningSpace::make(scene, model, independent_joints(scene), rest);
  EXPECT_FALSE(space);
  return space ? Error{} : space.error();
}

TEST(PlanningSpace, RefusesLoopsThatCannotBeClosedAtTheStart) {
  FourBar apart;
  apart.ground = 3;
  const Error far = refuse(apart.make(), Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(far.code, "plan.loop_open");
  EXPECT_EQ(far.element, "loop 'ground'");
  EXPECT_NE(far.message.find("cannot be closed"), std::string::npos) << far.message;
  const Error near = refuse(FourBar().make(), guess_four_bar(0.3, true) + Vec3(0.1, 0, 0));
  EXPECT_EQ(near.code, "plan.loop_open");
  EXPECT_EQ(near.message.find("cannot be closed"), std::string::npos) << near.message;
}

TEST(PlanningSpace, RefusesSingularStarts) {
  // A parallelogram laid flat can go on as a parallelogram or crossed.
  const FourBar flat{.crank = 0.2, .coupler = 0.5, .rocker = 0.2, .ground = 0.5};
  const Error error = refuse(flat.make(), Vec3(0, 0, kPi));
  EXPECT_EQ(error.code, "plan.loop_singular");
  EXPECT_EQ(error.element, "loop 'ground'");
  EXPECT_FALSE(error.remedy.empty());
}

// A joint that a loop moves is planned with those that were named.
TEST(PlanningSpace, TakesInWhatLoopsMove) {
  const Scene scene = Scene::compile(FourBar().make()).value();
  const CollisionModel model = CollisionModel::make(scene, make_plain_options()).value();
  const JointId crank = *scene.find_joint("j0");
  const VecX rest = FourBar().close(0.3, false);
  const PlanningSpace space = PlanningSpace::make(scene, model, {&crank, 1}, rest).value();
  EXPECT_EQ(space.dimension(), 3);
  EXPECT_EQ(space.items()[0].joint.name, "j0");
}

TEST(SteeringRegistry, KeepsLoopsClosedOrRefuses) {
  const Playground p = make_closed_playground(FourBar().make(), guess_four_bar(0.3, true));
  for (const char* name : {"linear", "projected"}) {
    const auto method = make_steering(name, p.space);
    ASSERT_TRUE(method);
    EXPECT_NE(dynamic_cast<const ProjectedSteering*>(method->get()), nullptr);
  }
  const auto manhattan = make_steering("manhattan", p.space);
  ASSERT_FALSE(manhattan);
  EXPECT_EQ(manhattan.error().code, "plan.loop");
  const auto composed = ComposedSteering::make(p.space, {});
  ASSERT_FALSE(composed);
  EXPECT_EQ(composed.error().code, "plan.loop");
  SteeringOptions options;
  options.projected.stray = 0;
  EXPECT_EQ(make_steering("projected", p.space, options).error().code, "plan.steering");
}

}  // namespace
}  // namespace geste

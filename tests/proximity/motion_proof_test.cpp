#include "geste/proximity/motion_proof.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numbers>

#include "geste/model/assemble.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/model/loops.hpp"
#include "geste/model/mechanisms.hpp"
#include "geste/proximity/internal/leg.hpp"
#include "geste/proximity/validator.hpp"
#include "geste/proximity/verify_motion.hpp"

#include "proximity/scene_testing.hpp"

namespace geste {
namespace {

using std::numbers::pi;
using testing::make_random_world;
using testing::RandomWorld;

/// A leg that begins free.
bool draw_leg(RandomWorld& t, VecX& q0, VecX& q1) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    q0 = t.draw();
    if (!t.is_free(q0)) continue;
    q1 = t.draw();
    interpolate(t.scene, VecX(q0), VecX(q1), t.rng.uniform(0.05, 1), q1);
    return true;
  }
  return false;
}

/// At 1/100 of every proven step, and never above what was said to be the clearance.
void expect_profile(RandomWorld& t, const VecX& q0, const VecX& q1, Course course,
                    const MotionProof& proof) {
  VecX q = q0;
  double reached = 0;
  for (const ClearanceSpan& span : proof.profile) {
    ASSERT_DOUBLE_EQ(span.begin, reached);
    reached = span.end;
    for (int k = 0; k <= 100; ++k) {
      const double s = span.begin + (span.end - span.begin) * k / 100;
      interpolate(t.scene, q0, q1, course, s, q);
      const auto nearest = t.find_nearest(q, span.clearance - 1e-8);
      if (nearest) {
        ADD_FAILURE() << "at " << s << " of [" << span.begin << ", " << span.end << "] said "
                      << span.clearance << " is " << nearest->separation.distance;
        return;
      }
    }
  }
  EXPECT_DOUBLE_EQ(reached, proof.free_until);
}

// MV-9, GX-2: what is called free is free, what is called touching touches. The environment may ask
// for more than the usual number.
TEST(MotionProof, HoldsAgainstDenseSampling) {
  const testing::MotionCount count(80);
  int motions = 0, free = 0, touching = 0;
  for (std::uint64_t seed = count.seed; motions < count.most; ++seed) {
    RandomWorld t(seed, seed % 3 == 0 ? 0.01 : 0);
    const MotionProver prover(t.scene, t.model);
    MotionProver::Memory memory(prover);
    VecX q0, q1, q;
    for (int k = 0; k < 10 && draw_leg(t, q0, q1); ++k, ++motions) {
      const Course course = k % 2 ? Course::screw : Course::straight;
      ProofOptions options;
      options.accuracy = k % 3 ? 0.2 : 1;
      const MotionProof proof = prover.free_until(q0, q1, course, memory, options);
      expect_profile(t, q0, q1, course, proof);
      ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed << " motion " << k;
      (proof.is_free() ? free : touching)++;
      if (proof.is_free()) {
        EXPECT_EQ(proof.free_until, 1);
        continue;
      }
      const MotionContact& c = *proof.contact;
      EXPECT_GE(c.at, proof.free_until);
      EXPECT_LE(c.pair.separation.distance, c.pair.margin + options.touch + 1e-9);
      q = q0;
      interpolate(t.scene, q0, q1, course, c.at, q);
      const auto nearest = t.find_nearest(q, kInfinity);
      ASSERT_TRUE(nearest);
      EXPECT_LE(nearest->separation.distance, c.pair.margin + options.touch + 1e-9);
    }
  }
  if (motions < 50) return;  // too few to tell
  EXPECT_GT(free, motions / 20);
  EXPECT_GT(touching, motions / 20);
}

/// Two carriers with a dumbbell among boxes, and legs between closed configurations.
class Carriers {
 public:
  Carriers(DumbbellClosure closure, std::uint64_t seed)
      : rng(seed),
        scene(make_scene(closure, rng)),
        model(testing::make_plain_model(scene, 0)),
        workspace(scene),
        memory(model) {}

  static Scene make_scene(DumbbellClosure closure, Rng& rng) {
    SceneSpec spec = make_dumbbell_carriers(closure);
    spec.bodies.push_back({.name = "boxes"});
    for (int i = 0; i < 8; ++i) {
      const Vec3 at(rng.uniform(-3, 3), rng.uniform(-3, 3), rng.uniform(0, 0.8));
      spec.bodies.back().geometry.push_back(
          {fmt::format("box{}", i), Box{Vec3(0.3, 0.4, 0.3)}, Pose::translation(at)});
    }
    return Scene::compile(spec).value();
  }

  bool draw(VecX& q0, VecX& q1) {
    q0 = make_neutral(scene);
    VecX v(scene.nv());
    for (double& x : v) x = rng.uniform(-1.5, 1.5);
    integrate(scene, VecX(q0), v, q0);
    if (!project_to_loops(scene, q0, workspace).closed) return false;
    const double step = rng.uniform(0.01, 0.4);
    for (double& x : v) x = rng.uniform(-step, step);
    q1 = q0;
    integrate(scene, q0, v, q1);
    return project_to_loops(scene, q1, workspace).closed;
  }

  Rng rng;
  Scene scene;
  CollisionModel model;
  Workspace workspace;
  CollisionWorkspace memory;
};

// MV-4: what is proven holds for the mechanism that stays closed, not for the stored motion alone.
TEST(MotionProof, HoldsForMechanismsThatStayClosed) {
  int free = 0, strayed = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Carriers t(seed % 2 ? DumbbellClosure::projection : DumbbellClosure::explicit_formula, seed);
    const MotionProver prover(t.scene, t.model);
    MotionProver::Memory memory(prover);
    const Validator validator(t.scene, t.model);
    VecX q0, q1;
    for (int k = 0; k < 40; ++k) {
      if (!t.draw(q0, q1)) continue;
      const MotionProof proof = prover.free_until(q0, q1, Course::straight, memory);
      EdgeAnswer answer;
      validator.check_edges(q0, q1, Course::straight, {&answer, 1}, 1);
      EXPECT_EQ(answer.is_free, proof.is_free());
      free += proof.is_free();
      VecX q = q0;
      for (const ClearanceSpan& span : proof.profile) {
        for (int i = 0; i <= 20; ++i) {
          interpolate(t.scene, q0, q1, Course::straight,
                      span.begin + (span.end - span.begin) * i / 20, q);
          ASSERT_TRUE(project_to_loops(t.scene, q, t.workspace).closed);
          const auto nearest =
              find_nearest_pair(t.model, t.workspace, t.memory, span.clearance - 1e-8);
          ASSERT_FALSE(nearest) << "seed " << seed << " leg " << k << ": said " << span.clearance
                                << ", is " << nearest->separation.distance;
        }
      }
      if (!proof.is_free()) continue;
      strayed += proof.stray > 1e-4;
      VerifyOptions options;
      options.clearance = find_tightest(proof)->clearance;
      JointMotion motion{{0, 1}, MatX(t.scene.nq(), 2)};
      motion.q << q0, q1;
      EXPECT_TRUE(verify_motion(t.scene, t.model, motion, options).is_free);
    }
  }
  EXPECT_GT(free, 30);
  EXPECT_GT(strayed, 10);
}

// Opened on purpose: not proven, and the loop is named.
TEST(MotionProof, RefusesMotionsThatLeaveTheirMechanism) {
  Carriers t(DumbbellClosure::projection, 1);
  VecX q0, q1;
  while (!t.draw(q0, q1)) {
  }
  q1[t.scene.joint(*t.scene.find_joint("second/x")).q] += 1.5;
  JointMotion motion{{2, 3}, MatX(t.scene.nq(), 2)};
  motion.q << q0, q1;
  const MotionProof proof = prove_motion(t.scene, t.model, motion).value();
  EXPECT_FALSE(proof.is_free());
  ASSERT_TRUE(proof.broken);
  EXPECT_NE(proof.broken->what.find("dumbbell"), std::string::npos);
  EXPECT_GE(proof.broken->at, 2);
  const VerifyReport report = verify_motion(t.scene, t.model, motion);
  EXPECT_FALSE(report.is_free);
  EXPECT_EQ(report.broken, proof.broken->what);
}

// Bounds of the leg: no sampled point leaves its chord or its reach.
TEST(MotionProof, PointsStayWithinTheirBounds) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const Scene scene = Scene::compile(make_random_world(rng, 5, 0)).value();
    const auto sampler = ConfigurationSampler::make(scene).value();
    VecX q0 = make_neutral(scene), q1 = q0, q = q0;
    sampler.sample(rng, q0);
    sampler.sample(rng, q1);
    Leg leg(scene);
    leg.set(q0, q1, seed % 2 ? Course::screw : Course::straight);
    Workspace workspace(scene);
    const auto poses_at = [&](double s) {
      leg.interpolate(s, q);
      compute_kinematics(scene, q, workspace);
      return workspace.X_WM();
    };
    const int movers = static_cast<int>(scene.movers().size());
    if (movers < 3) continue;
    for (int trial = 0; trial < 6; ++trial) {
      const auto a = static_cast<std::size_t>(rng.integer(0, movers - 1)),
                 b = static_cast<std::size_t>(rng.integer(0, movers - 1));
      const double half = rng.uniform(0.02, 0.5), middle = rng.uniform(half, 1 - half);
      const auto X_middle = poses_at(middle);
      const Vec3 p_B = testing::random_vector(rng);
      const Ball ball{X_middle[b] * p_B, 0};
      const MotionBound bound = leg.bound(static_cast<int>(a), static_cast<int>(b), ball,
                                          {X_middle.data(), X_middle.size()}, half);
      const auto see = [&](double s) {
        const auto X = poses_at(s);
        return Vec3(X[a].inverse() * (X[b] * p_B));
      };
      const Vec3 begin = see(middle - half), end = see(middle + half), centre = see(middle);
      double farthest = 0;
      for (int k = 0; k <= 40; ++k) {
        const double share = k / 40.0;
        const Vec3 p = see(middle - half + 2 * half * share);
        EXPECT_LE((p - centre).norm(), bound.reach + 1e-9);
        EXPECT_LE((p - (begin + share * (end - begin))).norm(), bound.sag + 1e-9);
        farthest = std::max(farthest, (p - centre).norm());
      }
      EXPECT_EQ(leg.moves(static_cast<int>(a), static_cast<int>(b)), bound.reach > 0);
    }
  }
}

SceneSpec make_bar_and_pin(double height) {
  // A bar of 1 m turns about z at its end; a pin stands where its side passes at 45 degrees.
  SceneSpec spec;
  BodySpec bar{"bar"};
  bar.geometry.push_back({.shape = Box{Vec3(1, 0.02, 0.02)}, .X_BG = Pose::translation(0.5, 0, 0)});
  BodySpec pin{"pin"};
  const double x = 0.8 * std::sqrt(0.5);
  pin.geometry.push_back({.shape = Sphere{0.01}, .X_BG = Pose::translation(x, x, height)});
  spec.bodies = {bar, pin};
  spec.joints.push_back({.name = "turn",
                         .type = JointType::revolute,
                         .child = "bar",
                         .axis = Vec3::UnitZ(),
                         .limits = {{-3, 3}}});
  return spec;
}

// The bar's side is 1 cm from its axis and the pin 1 cm thick: they meet where 0.8 sin(angle) = 2
// cm.
TEST(MotionProof, FindsTheFirstContactOfATurningBar) {
  const Scene scene = Scene::compile(make_bar_and_pin(0)).value();
  const CollisionModel model = CollisionModel::make(scene).value();
  const MotionProver prover(scene, model);
  MotionProver::Memory memory(prover);
  const MotionProof proof =
      prover.free_until(VecX::Zero(1), VecX::Constant(1, 2.0), Course::straight, memory);
  ASSERT_TRUE(proof.contact);
  const double expected = pi / 4 - std::asin(0.02 / 0.8);
  EXPECT_NEAR(2 * proof.contact->at, expected, 1e-4);
  EXPECT_LE(2 * proof.free_until, expected);
  EXPECT_GT(2 * proof.free_until, expected - 1e-4);
  EXPECT_EQ(scene.body(proof.contact->pair.a).name, "bar");
  EXPECT_EQ(scene.body(proof.contact->pair.b).name, "pin");
}

// Passing 20 micrometres above the pin is free, 5 is not.
TEST(MotionProof, TellsTwentyMicrometresFromFive) {
  for (const double gap : {20e-6, 5e-6}) {
    const Scene scene = Scene::compile(make_bar_and_pin(0.02 + gap)).value();
    const CollisionModel model = CollisionModel::make(scene).value();
    const MotionProver prover(scene, model);
    MotionProver::Memory memory(prover);
    const MotionProof proof =
        prover.free_until(VecX::Zero(1), VecX::Constant(1, 2.0), Course::straight, memory);
    EXPECT_EQ(proof.is_free(), gap > 10e-6);
    if (!proof.is_free()) continue;
    EXPECT_LE(find_tightest(proof)->clearance, gap + 1e-9);
    EXPECT_GE(find_tightest(proof)->clearance, gap - 10e-6 - 1e-9);
  }
}

// A wall of a hundredth of a millimetre, crossed at one metre per leg.
TEST(MotionProof, CatchesThinWalls) {
  SceneSpec spec;
  testing::add_box(spec, "part", Vec3::Zero(), 0.01);
  BodySpec wall{"wall"};
  wall.geometry.push_back({.shape = Box{Vec3(1e-5, 1, 1)}});
  spec.bodies.push_back(wall);
  spec.joints.push_back({.name = "root", .type = JointType::free, .child = "part"});
  const Scene scene = Scene::compile(spec).value();
  const CollisionModel model = CollisionModel::make(scene).value();
  const MotionProver prover(scene, model);
  MotionProver::Memory memory(prover);
  Rng rng(3);
  for (int k = 0; k < 200; ++k) {
    VecX q0 = make_neutral(scene), q1 = q0;
    const double before = rng.uniform(0.01, 0.6), after = rng.uniform(0.01, 0.6);
    q0.head<3>() << -before, rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4);
    q1.head<3>() << after, rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4);
    const MotionProof proof = prover.free_until(q0, q1, Course::straight, memory, {.accuracy = 1});
    ASSERT_TRUE(proof.contact);
    const double expected = (before - 0.005 - 5e-6) / (before + after);
    EXPECT_NEAR(proof.contact->at, expected, 20e-6 / (before + after));
  }
}

// The same bytes on any number of threads; times instead of shares.
TEST(MotionProof, WholeMotionsOnAnyNumberOfThreads) {
  RandomWorld t(5, 0);
  VecX q0, q1;
  JointMotion motion;
  ASSERT_TRUE(draw_leg(t, q0, q1));
  motion.times = {1, 2, 4, 7, 11};
  motion.q.resize(t.scene.nq(), 5);
  for (int k = 0; k < 5; ++k) {
    VecX q = q0;
    interpolate(t.scene, q0, q1, k / 4.0, q);
    motion.q.col(k) = q;
  }
  const MotionProof one = *prove_motion(t.scene, t.model, motion, {}, 1);
  for (const int threads : {2, 4}) {
    const MotionProof many = *prove_motion(t.scene, t.model, motion, {}, threads);
    ASSERT_EQ(many.profile.size(), one.profile.size());
    for (std::size_t k = 0; k < one.profile.size(); ++k) {
      EXPECT_EQ(many.profile[k].begin, one.profile[k].begin);
      EXPECT_EQ(many.profile[k].clearance, one.profile[k].clearance);
    }
    EXPECT_EQ(many.free_until, one.free_until);
  }
  EXPECT_EQ(one.profile.front().begin, 1);
}

// What is called off is not proven.
TEST(MotionProof, CanBeCalledOff) {
  RandomWorld t(5, 0);
  VecX q0, q1;
  ASSERT_TRUE(draw_leg(t, q0, q1));
  const MotionProver prover(t.scene, t.model);
  MotionProver::Memory memory(prover);
  const CancelSource source;
  source.request();
  ProofOptions options;
  options.cancel = source.token();
  const MotionProof proof = prover.free_until(q0, q1, Course::straight, memory, options);
  EXPECT_FALSE(proof.is_free());
  EXPECT_TRUE(proof.broken);
  JointMotion motion{{0, 1}, MatX(t.scene.nq(), 2)};
  motion.q << q0, q1;
  EXPECT_FALSE(prove_motion(t.scene, t.model, motion, options));
}

TEST(MotionProof, RefusesTheMemoryOfAnother) {
  RandomWorld t(5, 0);
  const MotionProver one(t.scene, t.model), other(t.scene, t.model);
  MotionProver::Memory memory(one);
  const VecX q = t.draw();
  EXPECT_THROW((void)other.free_until(q, q, Course::straight, memory), std::logic_error);
}

}  // namespace
}  // namespace geste

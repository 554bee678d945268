#include <gtest/gtest.h>

#include "geste/proximity/motion_proof.hpp"
#include "geste/proximity/validator.hpp"
#include "geste/proximity/verify_motion.hpp"

#include "proximity/grazing.hpp"

// MV-4, MV-9: between two moments a mechanism that follows its tables and functions is elsewhere
// than the motion as stored. Where it hits a pin there, no proof calls the motion free. The witness
// is the mechanism itself: the configuration completed at that moment (compute_dependents).

namespace geste {
namespace {

/// A tip on an arm of two joints, of which one or both follow a leader that stands aside, and a pin
/// where the tip comes to between the moments.
struct Mechanism {
  SceneSpec spec;
  VecX q0, q1, q2;  ///< it deviates between the first two, and hardly between the others
  double at = 0;    ///< fraction of the edge from q0 to q1
  double deviation = 0;
};

struct MechanismOptions {
  double depth = 0.02;            ///< of the deviation: how far the tip is in the pin
  bool is_beyond_limits = false;  ///< the followers' tables leave their limits in between
};

/// A bump: from and to where the leader is at x0 and x1, and `height` higher where it is at 1.
FollowSpec make_bump(Rng& rng, double height) {
  const double from = rng.uniform(-0.1, 0.1), to = rng.uniform() < 0.5 ? from : from + height / 4;
  if (rng.uniform() < 0.5)
    return {{"leader"}, TableFollow{{{0, from}, {1, from + height}, {2, to}}}};
  const auto bump = [from, height](std::span<const double> x) {
    return from + height * std::sin(std::numbers::pi / 2 * x[0]);
  };
  const double slope = std::abs(height) * std::numbers::pi / 2;
  return {{"leader"}, CallableFollow{bump, {}, {slope, slope * std::numbers::pi / 2}}};
}

SceneSpec make_follower_arm(Rng& rng, const MechanismOptions& options) {
  SceneSpec spec;
  spec.bodies = {BodySpec{"leader"}, BodySpec{"upper"}, BodySpec{"lower"}};
  spec.joints = {{.name = "leader",
                  .type = JointType::prismatic,
                  .child = "leader",
                  .X_PJ = Pose::translation(0, 0, 30),
                  .axis = Vec3::UnitX(),
                  .limits = {{-1, 3}}},
                 {.name = "shoulder", .child = "upper", .X_PJ = testing::random_pose(rng)},
                 {.name = "elbow",
                  .parent = "upper",
                  .child = "lower",
                  .X_PJ = Pose::translation(rng.uniform(0.1, 1), 0, 0)}};
  const auto who = rng.integer(0, 2);  // shoulder, elbow, both
  for (std::size_t k = 1; k < 3; ++k) {
    JointSpec& joint = spec.joints[k];
    joint.type = rng.uniform() < 0.3 ? JointType::prismatic : JointType::revolute;
    joint.axis = joint.type == JointType::prismatic ? Vec3::UnitY() : Vec3::UnitZ();
    joint.limits = {{-2, 2}};
    if (who != 2 && who + 1 != static_cast<int>(k)) continue;
    joint.follow =
        make_bump(rng, (rng.uniform() < 0.5 ? -1 : 1) * std::pow(10, rng.uniform(-2, -0.2)));
    if (options.is_beyond_limits) joint.limits = {{-0.3, 0.3}};
  }
  return spec;
}

Mechanism make_mechanism(Rng& rng, const MechanismOptions& options) {
  Mechanism out{make_follower_arm(rng, options), {}, {}, {}};
  const Scene scene = Scene::compile(out.spec).value();
  Workspace workspace(scene);
  const auto complete = [&](VecX q) {
    EXPECT_TRUE(compute_dependents(scene, q, workspace));
    return q;
  };
  out.q0 = make_neutral(scene);
  const double begin = rng.uniform() < 0.5 ? 0 : rng.uniform(0, 0.5), end = 2 - begin;
  out.q0[0] = begin;
  out.q0[1] = rng.uniform(-0.3, 0.3);
  out.q0[2] = rng.uniform(-0.3, 0.3);
  out.q1 = out.q0;
  out.q1[0] = end;
  // What follows nobody rests, or goes on a little.
  if (rng.uniform() < 0.5) out.q1[1] += 0.01;
  out.q2 = out.q1;
  out.q2[0] = end - 0.02;
  out.q0 = complete(out.q0);
  out.q1 = complete(out.q1);
  out.q2 = complete(out.q2);

  const Vec3 p_T(rng.uniform(0.1, 1), 0, 0);
  const auto place = [&](const VecX& q) {
    compute_kinematics(scene, q, workspace);
    return compute_pose(scene, workspace, *scene.find_body("lower"));
  };
  out.at = 0.5;
  VecX q = out.q0;
  interpolate(scene, out.q0, out.q1, out.at, q);
  const Vec3 stored = place(q) * p_T;
  const Pose X_WT = place(complete(q));
  const Vec3 there = X_WT * p_T, n = (there - stored).normalized();
  out.deviation = (there - stored).norm();
  testing::put(testing::make_tip(rng), testing::make_facing(X_WT.R.transpose() * n, p_T),
               out.spec.bodies[2]);
  BodySpec pin{"pin"};
  testing::put(testing::make_pin(rng),
               testing::make_facing(n, there - options.depth * out.deviation * n), pin);
  const bool is_first = rng.uniform() < 0.5;
  out.spec.bodies.insert(is_first ? out.spec.bodies.begin() : out.spec.bodies.end(), pin);
  return out;
}

/// What three provers say of it. Validators take long to make.
struct Opinions {
  Opinions(const Mechanism& m, bool within_limits, bool asks_validator) {
    const Scene scene = Scene::compile(m.spec).value();
    CollisionOptions options;
    options.survey.samples = 0;
    const CollisionModel model = CollisionModel::make(scene, options).value();
    if (asks_validator) {
      const Validator checker(scene, model, {.threads = 1});
      EdgeAnswer edge;
      checker.check_edges(m.q0, m.q1, Course::straight, {&edge, 1}, 1);
      validator = edge.is_free;
    }
    const MotionProver prover(scene, model);
    MotionProver::Memory memory(prover);
    for (const double accuracy : {1.0, 0.2})
      (accuracy < 1 ? profile : proof) =
          prover.free_until(m.q0, m.q1, Course::straight, memory, {.accuracy = accuracy}).is_free();
    if (!within_limits) return;
    JointMotion motion{{0, 1, 2}, MatX(scene.nq(), 3)};
    motion.q << m.q0, m.q1, m.q2;
    options.use_reach = false;
    const CollisionModel all = CollisionModel::make(scene, options).value();
    verifier = verify_motion(scene, all, motion, {.threads = 1}).is_free;
  }

  bool validator = false, proof = false, profile = false, verifier = false;
};

TEST(Deviation, NobodyCallsAPinFreeThatTheMechanismHits) {
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(testing::MotionCount(200).most);
       ++seed) {
    Rng rng(seed);
    const Mechanism m = make_mechanism(rng, {});
    if (m.deviation < 1e-3) continue;
    const Opinions free(m, true, seed % 20 == 0);
    ASSERT_FALSE(free.validator) << seed;
    ASSERT_FALSE(free.proof) << seed;
    ASSERT_FALSE(free.profile) << seed;
    ASSERT_FALSE(free.verifier) << seed;
  }
}

// Where tables leave the followers' limits in between, so does the mechanism: pairs that cannot
// meet within the limits count too.
TEST(Deviation, LimitsOfFollowersDoNotHoldThem) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    const Mechanism m = make_mechanism(rng, {.is_beyond_limits = true});
    if (m.deviation < 1e-3) continue;
    const Opinions free(m, false, seed % 20 == 0);
    ASSERT_FALSE(free.validator) << seed;
    ASSERT_FALSE(free.proof) << seed;
    ASSERT_FALSE(free.profile) << seed;
  }
}

// A bound that nothing passes proves nothing: beyond what any of the bounds allows all call it
// free.
TEST(Deviation, APinThatIsFarEnoughIsFree) {
  int asked = 0, free = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    const Mechanism m = make_mechanism(rng, {.depth = -3});
    if (m.deviation < 1e-3) continue;
    const Opinions said(m, true, seed % 5 == 0);
    ++asked;
    free += (said.validator || seed % 5 != 0) && said.proof && said.profile && said.verifier;
  }
  EXPECT_GT(free, asked / 2);
}

}  // namespace
}  // namespace geste

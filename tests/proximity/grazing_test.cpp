#include "proximity/grazing.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "geste/proximity/motion_proof.hpp"
#include "geste/proximity/validator.hpp"
#include "geste/proximity/verify_motion.hpp"

// MV-9, GX-2, GX-5: an edge on which two things meet for a moment only is free to nobody. The
// witness is the kinematics at that moment (grazing.hpp); no proof and no distance query is asked.

namespace geste {
namespace {

using testing::Graze;
using testing::GrazeOptions;

/// A graze with all that proofs need.
struct Case {
  Case(const Graze& g, const GrazeOptions& options)
      : graze(g), scene(Scene::compile(g.spec).value()), model(make_model(scene, options.margin)) {}

  static CollisionModel make_model(const Scene& scene, double margin) {
    CollisionOptions options;
    options.survey.samples = 0;
    options.margin = margin;
    return CollisionModel::make(scene, options).value();
  }

  [[nodiscard]] PairRule rule() const {
    return model.rule(*scene.find_body(graze.tip), *scene.find_body(graze.pin));
  }
  /// In pieces, as motions are stored.
  [[nodiscard]] JointMotion make_motion(int segments) const {
    JointMotion motion{{}, MatX(scene.nq(), segments + 1), graze.course};
    for (int k = 0; k <= segments; ++k) {
      motion.times.push_back(k);
      interpolate(scene, graze.q0, graze.q1, graze.course, static_cast<double>(k) / segments,
                  motion.q.col(k));
    }
    return motion;
  }
  [[nodiscard]] bool is_free_by(const Validator& validator) const {
    EdgeAnswer edge;
    validator.check_edges(graze.q0, graze.q1, graze.course, {&edge, 1}, 1);
    return edge.is_free;
  }
  [[nodiscard]] MotionProof prove(double accuracy) const {
    const MotionProver prover(scene, model);
    MotionProver::Memory memory(prover);
    return prover.free_until(graze.q0, graze.q1, graze.course, memory, {.accuracy = accuracy});
  }
  [[nodiscard]] VerifyReport verify(int segments) const {
    return verify_motion(scene, model, make_motion(segments), {.threads = 1});
  }
  /// The least distance of the two on a fine row of samples.
  [[nodiscard]] double measure() const {
    Workspace workspace(scene);
    CollisionWorkspace memory(model);
    VecX q = graze.q0;
    double least = kInfinity;
    for (int k = 0; k <= 500; ++k) {
      interpolate(scene, graze.q0, graze.q1, graze.course, k / 500.0, q);
      compute_kinematics(scene, q, workspace);
      const auto pair = compute_clearance(model, workspace, *scene.find_body(graze.tip),
                                          *scene.find_body(graze.pin), memory);
      least = std::min(least, pair->separation.distance);
    }
    return least;
  }

  Graze graze;
  Scene scene;
  CollisionModel model;
};

GrazeOptions draw_options(Rng& rng) {
  GrazeOptions options;
  options.depth = std::pow(10, rng.uniform(-5.5, -2.7));
  options.margin = rng.uniform() < 0.3 ? 0.005 : 0;
  options.is_alone = rng.uniform() < 0.3;
  options.bystanders = rng.uniform() < 0.1 ? 150 : 0;
  options.offset = rng.uniform() < 0.2 ? 300 : 0;
  return options;
}

/// Calls take(case) for so many grazes whose pair is checked, some of each tree.
template <class Take>
void for_each_graze(int count, std::uint64_t seed, double balls, const Take& take) {
  for (int made = 0; made < count; ++seed) {
    Rng tree(seed / 8), rng(seed);
    GrazeOptions options = draw_options(rng);
    options.is_ball = rng.uniform() < balls;
    const auto graze = testing::make_graze(tree, rng, options);
    if (!graze) continue;
    const auto given = std::make_shared<const Case>(*graze, options);
    // Joints within their limits bring the two together.
    ASSERT_NE(given->rule(), PairRule::beyond_reach) << "seed " << seed;
    if (given->rule() != PairRule::checked) continue;
    ++made;
    SCOPED_TRACE(fmt::format("seed {}, {} in {} by {} m at {}", seed, graze->tip, graze->pin,
                             options.depth, graze->at));
    take(given);
    if (::testing::Test::HasFailure()) return;
  }
}

// Mostly spheres: their covers are lent from one validator to the next.
TEST(Grazing, NoValidatorCallsItFree) {
  std::shared_ptr<const Case> held;
  std::optional<Validator> before;
  for_each_graze(testing::MotionCount(60).most, 0, 0.95, [&](std::shared_ptr<const Case> c) {
    Validator validator(c->scene, c->model, {.threads = 1}, before ? &*before : nullptr);
    EXPECT_FALSE(c->is_free_by(validator));
    before.emplace(std::move(validator));
    held = std::move(c);
  });
}

TEST(Grazing, NoProverCallsItFree) {
  for_each_graze(testing::MotionCount(150).most, 10'000, 0.3, [](const auto& c) {
    for (const double accuracy : {1.0, 0.2}) {
      const MotionProof proof = c->prove(accuracy);
      EXPECT_FALSE(proof.is_free());
      EXPECT_LE(proof.free_until, c->graze.at);
    }
  });
}

TEST(Grazing, NoVerifierCallsItFree) {
  for_each_graze(testing::MotionCount(150).most, 20'000, 0.3, [](const auto& c) {
    for (const int segments : {1, 3, 150}) {
      const VerifyReport report = c->verify(segments);
      EXPECT_FALSE(report.is_free) << segments;
      EXPECT_LE(report.at, segments * c->graze.at + 1e-9) << segments;
    }
  });
}

// As near, but apart: all prove it, and none claims more clearance than there is.
TEST(Grazing, WhatStaysApartIsFreeToAll) {
  int asked = 0;
  for (std::uint64_t seed = 30'000; asked < 12; ++seed) {
    Rng tree(seed), rng(seed);
    GrazeOptions options = draw_options(rng);
    options.depth = -std::pow(10, rng.uniform(-4.2, -2.5));
    options.is_ball = rng.uniform() < 0.5;
    const auto graze = testing::make_graze(tree, rng, options);
    if (!graze) continue;
    const Case given(*graze, options);
    if (given.rule() != PairRule::checked) continue;
    const double least = given.measure();
    if (least < options.margin + 5e-5) continue;
    ++asked;
    SCOPED_TRACE(seed);
    if (asked % 4 == 0) {
      EXPECT_TRUE(given.is_free_by(Validator(given.scene, given.model)));
    }
    EXPECT_TRUE(given.prove(1).is_free());
    const MotionProof proof = given.prove(0.2);
    EXPECT_TRUE(proof.is_free());
    EXPECT_LE(find_tightest(proof)->clearance, least + 1e-9);
    const VerifyReport report = given.verify(3);
    EXPECT_TRUE(report.is_free);
    EXPECT_LE(report.clearance, least + 1e-9);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
}

}  // namespace
}  // namespace geste

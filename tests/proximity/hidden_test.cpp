#include <gtest/gtest.h>

#include "geste/model/kinematics.hpp"
#include "geste/proximity/validator.hpp"
#include "geste/proximity/verify_motion.hpp"

#include "proximity/scene_testing.hpp"

// What is wholly inside a closed surface collides, though no surface is near another. Two things
// and more move here: one alone is looked at another way (Validator.FindsWhatHidesInside).

namespace geste {
namespace {

/// A pea in a shell, either of which may stand or move, and something else that moves far away.
struct Nutshell {
  enum class Moves { pea, shell, both };
  struct Options {
    Moves moves = Moves::pea;
    bool is_pea_mesh = true;
    bool is_open = false;  ///< a shell with a hole has no inside
    int bystanders = 0;
    double pea = 0.01;
  };

  explicit Nutshell(const Options& o)
      : options(o), scene(make_scene(o)), model(CollisionModel::make(scene).value()) {}

  static Scene make_scene(const Options& o) {
    SceneSpec spec;
    TriangleMesh hull = make_mesh(Shape(Sphere{0.5}), 16);
    if (o.is_open) hull.triangles.resize(hull.triangles.size() - 4);
    BodySpec shell{"shell"}, pea{"pea"};
    shell.geometry.push_back({.shape = testing::share(std::move(hull))});
    const Shape ball = Sphere{o.pea};
    pea.geometry.push_back(
        {.shape = o.is_pea_mesh ? Shape(testing::share(make_mesh(ball, 12))) : ball});
    spec.bodies = {shell, pea};
    if (o.moves != Moves::shell) add_free(spec, "pea");
    if (o.moves != Moves::pea) add_free(spec, "shell");
    testing::add_box(spec, "other", Vec3(0, 0, 40), 0.1);
    add_free(spec, "other");
    for (int i = 0; i < o.bystanders; ++i)
      testing::add_box(spec, fmt::format("bystander{}", i), Vec3(20 + i, 0, 0), 0.1);
    return Scene::compile(spec).value();
  }
  static void add_free(SceneSpec& spec, const std::string& body) {
    spec.joints.push_back({.name = body,
                           .type = JointType::free,
                           .child = body,
                           .limits = std::vector<DofLimits>(6, {-2, 2})});
  }

  /// The pea so far from the shell's middle; where both move, both somewhere.
  VecX place(const Vec3& apart, Rng& rng) const {
    VecX q = make_neutral(scene);
    const Vec3 somewhere =
        options.moves == Moves::both ? Vec3(0.8 * testing::random_vector(rng)) : Vec3(Vec3::Zero());
    const auto set = [&](const char* name, const Vec3& at) {
      if (const auto id = scene.find_joint(name)) q.segment<3>(scene.joint(*id).q) = at;
    };
    const bool pea_moves = options.moves != Moves::shell;
    set("pea", somewhere + apart);
    set("shell", pea_moves ? somewhere : Vec3(-apart));
    return q;
  }

  Options options;
  Scene scene;
  CollisionModel model;
};

/// Places in the shell, and outside it.
void expect_truth(const Nutshell& nut) {
  const Validator validator(nut.scene, nut.model, {.threads = 1});
  Validator::Memory memory(validator);
  Rng rng(5);
  constexpr int kCount = 6;
  MatX q(nut.scene.nq(), kCount), to = q;
  for (int k = 0; k < kCount; ++k) {
    const bool is_inside = k % 2 == 0;
    const Vec3 direction = testing::random_vector(rng).normalized();
    const double from = is_inside ? rng.uniform(0, 0.3) : rng.uniform(0.7, 1.1);
    q.col(k) = nut.place(from * direction, rng);
    to.col(k) = q.col(k);
    // A little on, so that no surface comes near.
    const Joint& other = nut.scene.joint(*nut.scene.find_joint("other"));
    to(other.q, k) += 0.1;
    const Joint& moved = nut.scene.joint(
        *nut.scene.find_joint(nut.options.moves == Nutshell::Moves::shell ? "shell" : "pea"));
    to.col(k).segment<3>(moved.q) += 0.05 * testing::random_vector(rng);
  }
  const MotionProver prover(nut.scene, nut.model);
  MotionProver::Memory proofs(prover);
  std::vector<ConfigurationAnswer> answers(kCount);
  validator.check(q, answers, memory);
  for (int k = 0; k < kCount; ++k) {
    SCOPED_TRACE(k);
    const bool is_free = k % 2 == 1 || nut.options.is_open;
    EXPECT_EQ(answers[static_cast<std::size_t>(k)].is_free, is_free);
    EdgeAnswer edge;
    validator.check_edges(q.col(k), to.col(k), Course::straight, {&edge, 1}, memory);
    EXPECT_EQ(edge.is_free, is_free);
    EXPECT_EQ(
        prover.free_until(q.col(k), to.col(k), Course::straight, proofs, {.accuracy = 1}).is_free(),
        is_free);
    JointMotion motion{{0, 1}, MatX(nut.scene.nq(), 2)};
    motion.q << q.col(k), to.col(k);
    EXPECT_EQ(verify_motion(nut.scene, nut.model, motion, {.threads = 1}).is_free, is_free);
  }
}

TEST(Hidden, InsideCollidesWhoeverMoves) {
  using Moves = Nutshell::Moves;
  for (const Moves moves : {Moves::pea, Moves::shell, Moves::both}) {
    for (const bool is_mesh : {false, true}) {
      for (const double size : {0.01, 0.1}) {
        // Many obstacles are found by a tree, few without.
        const int bystanders = is_mesh == (size > 0.05) ? 0 : 150;
        SCOPED_TRACE(fmt::format("moves {}, mesh {}, bystanders {}, size {}",
                                 static_cast<int>(moves), is_mesh, bystanders, size));
        expect_truth(Nutshell({moves, is_mesh, false, bystanders, size}));
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(Hidden, AShellWithAHoleHasNoInside) {
  expect_truth(Nutshell({Nutshell::Moves::pea, true, true, 0, 0.01}));
  expect_truth(Nutshell({Nutshell::Moves::both, true, true, 0, 0.01}));
}

}  // namespace
}  // namespace geste

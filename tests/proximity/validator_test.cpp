#include "geste/proximity/validator.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numbers>

#include "geste/model/assemble.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"

#include "proximity/scene_testing.hpp"

namespace geste {
namespace {

using testing::RandomWorld;

// GX-5: the lanes say the same as one look at each configuration in double.
TEST(Validator, ConfigurationsAgreeWithOneByOne) {
  int free = 0, colliding = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    RandomWorld w(seed, seed % 3 == 0 ? 0.02 : 0, 4, seed % 5 == 4 ? 150 : 8);
    const Validator validator(w.scene, w.model);
    Validator::Memory memory(validator);
    const MatX q = w.draw(101);
    std::vector<ConfigurationAnswer> answers(101);
    validator.check(q, answers, memory);
    for (int k = 0; k < 101; ++k) {
      const ConfigurationAnswer& a = answers[static_cast<std::size_t>(k)];
      const bool expected = w.is_free(q.col(k));
      ASSERT_EQ(a.is_free, expected) << "seed " << seed << " configuration " << k;
      (expected ? free : colliding)++;
      if (expected) continue;
      ASSERT_GE(a.object_a, 0);
      const auto found = find_collisions(w.model, w.workspace, w.memory);
      const auto body = [&](int i) { return w.model.objects()[static_cast<std::size_t>(i)].body; };
      EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                              [&](const PairClearance& p) {
                                return std::minmax(p.a, p.b) ==
                                       std::minmax(body(a.object_a), body(a.object_b));
                              }))
          << "seed " << seed << " configuration " << k;
    }
  }
  EXPECT_GT(free, 100);
  EXPECT_GT(colliding, 100);
}

/// Nothing on the way collides where the edge is called free; where it touches, it does.
void expect_edge(RandomWorld& w, const VecX& q0, const VecX& q1, Course course,
                 const EdgeAnswer& answer, int samples) {
  VecX q = q0;
  if (answer.is_free) {
    for (int k = 0; k <= samples; ++k) {
      interpolate(w.scene, q0, q1, course, static_cast<double>(k) / samples, q);
      ASSERT_TRUE(w.is_free(q)) << "at " << k << " of " << samples;
    }
    return;
  }
  interpolate(w.scene, q0, q1, course, answer.touches_at, q);
  compute_kinematics(w.scene, q, w.workspace);
  const auto near = find_nearest_pair(w.model, w.workspace, w.memory);
  ASSERT_TRUE(near);
  const double margin =
      w.model.margin(w.model.objects()[static_cast<std::size_t>(answer.object_a)].body,
                     w.model.objects()[static_cast<std::size_t>(answer.object_b)].body);
  EXPECT_LE(near->separation.distance, std::max(margin, near->margin) + 11e-6);
}

// GX-2, MV-9. The environment may ask for more than the usual number.
TEST(Validator, EdgesHoldAgainstDenseSampling) {
  const testing::MotionCount count(300);
  int edges = 0, free = 0;
  for (std::uint64_t seed = 100 + count.seed; edges < count.most; ++seed) {
    RandomWorld w(seed, seed % 3 == 0 ? 0.01 : 0, 4, seed % 5 == 4 ? 40 : 6);
    const Validator validator(w.scene, w.model);
    Validator::Memory memory(validator);
    constexpr int kCount = 20;
    const MatX q0 = w.draw(kCount), far = w.draw(kCount);
    MatX q1 = far;
    for (int k = 0; k < kCount; ++k) {
      VecX q = q0.col(k);
      interpolate(w.scene, q0.col(k), far.col(k), w.rng.uniform(0.02, 0.6), q);
      q1.col(k) = q;
    }
    const Course course = seed % 2 ? Course::screw : Course::straight;
    std::vector<EdgeAnswer> answers(kCount);
    validator.check_edges(q0, q1, course, answers, memory);
    for (int k = 0; k < kCount; ++k, ++edges) {
      const EdgeAnswer& a = answers[static_cast<std::size_t>(k)];
      free += a.is_free;
      expect_edge(w, q0.col(k), q1.col(k), course, a, 200);
      ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed << " edge " << k;
    }
  }
  if (edges < 200) return;  // too few to tell
  EXPECT_GT(free, edges / 20);
  EXPECT_LT(free, edges);
}

/// Takes all of q1 but one joint from q0.
void keep_all_but_one(RandomWorld& w, int number, ConstVecRef q0, VecRef q1) {
  std::vector<Joint> joints;
  for (const Joint& j : w.scene.joints())
    if (j.role == JointRole::independent && j.nv > 0) joints.push_back(j);
  const Joint& one = joints[static_cast<std::size_t>(number) % joints.size()];
  const VecX moved = q1.segment(one.q, one.nq);
  q1 = q0;
  q1.segment(one.q, one.nq) = moved;
  ASSERT_TRUE(compute_dependents(w.scene, q1, w.workspace));
}

// Both stages of the proof say the same, but for what comes within a hair of touching.
TEST(Validator, EdgesAgreeWithTheProver) {
  for (std::uint64_t seed = 300; seed < 316; ++seed) {
    RandomWorld w(seed, 0);
    const Validator validator(w.scene, w.model);
    const MotionProver prover(w.scene, w.model);
    MotionProver::Memory memory(prover);
    constexpr int kCount = 12;
    const MatX q0 = w.draw(kCount);
    MatX q1 = w.draw(kCount);
    for (int k = 0; k < kCount; k += 3) keep_all_but_one(w, k, q0.col(k), q1.col(k));
    std::vector<EdgeAnswer> answers(kCount);
    validator.check_edges(q0, q1, Course::straight, answers, 2);
    for (int k = 0; k < kCount; ++k) {
      const MotionProof proof =
          prover.free_until(q0.col(k), q1.col(k), Course::straight, memory, {.accuracy = 1});
      EXPECT_EQ(answers[static_cast<std::size_t>(k)].is_free, proof.is_free())
          << "seed " << seed << " edge " << k;
    }
  }
}

// GX-6.
TEST(Validator, SameAnswersOnAnyNumberOfThreads) {
  RandomWorld w(7, 0.01, 5, 30);
  const Validator validator(w.scene, w.model);
  const MatX q0 = w.draw(300), q1 = w.draw(300);
  std::vector<EdgeAnswer> one(300);
  validator.check_edges(q0, q1, Course::straight, one, 1);
  for (const int threads : {2, 4}) {
    std::vector<EdgeAnswer> many(300);
    validator.check_edges(q0, q1, Course::straight, many, threads);
    EXPECT_EQ(many, one);
  }
  // Nor do neighbours matter, nor who lends the trees.
  const Validator next(w.scene, w.model, {}, &validator);
  Validator::Memory memory(next);
  for (int k = 299; k >= 0; k -= 7) {
    EdgeAnswer alone;
    next.check_edges(q0.col(k), q1.col(k), Course::straight, {&alone, 1}, memory);
    EXPECT_EQ(alone, one[static_cast<std::size_t>(k)]);
  }
}

// Half a turn may go either way: the proof goes the way that the motion goes.
TEST(Validator, HalfTurnsGoTheWayOfTheMotion) {
  for (const JointType type : {JointType::planar, JointType::free}) {
    SceneSpec spec;
    BodySpec bar{"bar"};
    bar.geometry.push_back(
        {.shape = Box{Vec3(1, 0.05, 0.05)}, .X_BG = Pose::translation(0.6, 0, 0)});
    spec.bodies.push_back(bar);
    for (int k = 0; k < 3; ++k)
      testing::add_box(spec, fmt::format("post{}", k), Vec3(0.4 * k, 0.7 - 0.6 * k, 0), 0.1);
    spec.joints.push_back(
        {.name = "root",
         .type = type,
         .child = "bar",
         .axis = Vec3::UnitZ(),
         .limits = std::vector<DofLimits>(static_cast<std::size_t>(count_v(type)), {-4, 4})});
    const Scene scene = Scene::compile(spec).value();
    const CollisionModel model = testing::make_plain_model(scene, 0);
    const Validator validator(scene, model);
    Validator::Memory memory(validator);
    Workspace workspace(scene);
    CollisionWorkspace collision(model);
    Rng rng(9);
    int free = 0;
    for (int k = 0; k < 300; ++k) {
      VecX q0 = make_neutral(scene), q1, q;
      VecX v(scene.nv());
      for (int i = 0; i < v.size(); ++i) v[i] = rng.uniform(-0.8, 0.8);
      integrate(scene, q0, v, q0);
      q = q1 = q0;
      if (type == JointType::planar) {
        q1[0] += rng.uniform(-0.5, 0.5);
        q1[2] = q0[2] + std::numbers::pi;
      } else {
        const Vec3 axis = testing::random_vector(rng).normalized();
        Eigen::Map<Quat>(q1.data() + 3) =
            Eigen::Map<const Quat>(q0.data() + 3) * Quat(0, axis.x(), axis.y(), axis.z());
        q1[1] += rng.uniform(-0.5, 0.5);
      }
      const Course course = k % 2 ? Course::screw : Course::straight;
      EdgeAnswer edge;
      validator.check_edges(q0, q1, course, {&edge, 1}, memory);
      free += edge.is_free;
      for (int s = 0; edge.is_free && s <= 200; ++s) {
        interpolate(scene, q0, q1, course, s / 200.0, q);
        compute_kinematics(scene, q, workspace);
        ASSERT_TRUE(is_free(model, workspace, collision)) << k;
      }
    }
    EXPECT_GT(free, 20);
    EXPECT_LT(free, 280);
  }
}

Scene make_slider(JointType type, const Vec3& axis, const Shape& mover) {
  SceneSpec spec;
  BodySpec part{"part"};
  part.geometry.push_back({.shape = mover});
  spec.bodies.push_back(part);
  testing::add_box(spec, "wall", Vec3(1, 0, 0), 0.5);
  spec.joints.push_back(
      {.name = "j", .type = type, .child = "part", .axis = axis, .limits = {{-4, 4}}});
  return Scene::compile(spec).value();
}

// A margin may be larger than the clearance that a profile tells.
TEST(MotionProof, LargeMarginsCount) {
  const Scene scene = make_slider(JointType::prismatic, Vec3::UnitX(), Sphere{0.05});
  CollisionOptions options;
  options.margins.push_back({"part", "wall", 0.2});
  const CollisionModel model = CollisionModel::make(scene, options).value();
  const MotionProver prover(scene, model);
  MotionProver::Memory memory(prover);
  const auto proof =
      prover.free_until(VecX::Constant(1, -3), VecX::Constant(1, 0.55), Course::straight, memory);
  ASSERT_TRUE(proof.contact);
  // 0.75 - 0.05 - 0.2 from the origin.
  EXPECT_NEAR(-3 + 3.55 * proof.contact->at, 0.5, 1e-4);
}

// A screw that turns by next to nothing goes far: its pole is far away, where floats would lose the
// way.
TEST(Validator, ScrewsOfSmallTurnsKeepTheWay) {
  SceneSpec spec;
  testing::add_box(spec, "part", Vec3::Zero(), 0.1);
  testing::add_box(spec, "left", Vec3(0.5, 0.101, 0), 0.1);
  testing::add_box(spec, "right", Vec3(0.5, -0.101, 0), 0.1);
  spec.joints.push_back({.name = "root",
                         .type = JointType::free,
                         .child = "part",
                         .limits = std::vector<DofLimits>(6, {-2, 2})});
  const Scene scene = Scene::compile(spec).value();
  const CollisionModel model = testing::make_plain_model(scene, 0);
  const Validator validator(scene, model);
  Workspace workspace(scene);
  CollisionWorkspace collision(model);
  Rng rng(4);
  int free = 0;
  for (int k = 0; k < 400; ++k) {
    VecX q0 = make_neutral(scene), q1 = q0;
    q1[0] = 1;
    q1[1] = rng.uniform(-2e-3, 2e-3);
    const double angle = std::pow(10, rng.uniform(-9, -2));
    Eigen::Map<Quat>(q1.data() + 3) =
        Quat(Eigen::AngleAxisd(angle, testing::random_vector(rng).normalized()));
    EdgeAnswer edge;
    validator.check_edges(q0, q1, Course::screw, {&edge, 1}, 1);
    // The boxes pass each other between 0.4 and 0.6 of the way.
    double least = kInfinity;
    VecX q = q0;
    for (int i = 0; i <= 200; ++i) {
      interpolate(scene, q0, q1, Course::screw, 0.35 + 0.0015 * i, q);
      compute_kinematics(scene, q, workspace);
      const auto near = find_nearest_pair(model, workspace, collision, 0.01);
      if (near) least = std::min(least, near->separation.distance);
    }
    // In between either may be said.
    ASSERT_FALSE(least < 0 && edge.is_free) << "by " << angle << ", " << least;
    ASSERT_FALSE(least > 12e-6 && !edge.is_free) << "by " << angle << ", " << least;
    free += edge.is_free;
  }
  EXPECT_GT(free, 40);
  EXPECT_LT(free, 360);
}

// Things that stand into each other collide in every configuration, where that is asked for.
TEST(Validator, FixedPairsCountWhereAsked) {
  SceneSpec spec;
  testing::add_box(spec, "part", Vec3::Zero());
  testing::add_box(spec, "wall", Vec3(3, 0, 0));
  testing::add_box(spec, "beam", Vec3(3.1, 0, 0));
  spec.joints.push_back({.name = "j",
                         .type = JointType::prismatic,
                         .child = "part",
                         .axis = Vec3::UnitX(),
                         .limits = {{-1, 1}}});
  const Scene scene = Scene::compile(spec).value();
  for (const bool asked : {false, true}) {
    CollisionOptions options;
    options.check_fixed = asked;
    const CollisionModel model = CollisionModel::make(scene, options).value();
    const Validator validator(scene, model);
    Validator::Memory memory(validator);
    EdgeAnswer edge;
    ConfigurationAnswer one;
    const VecX q0 = VecX::Zero(1), q1 = VecX::Ones(1);
    validator.check_edges(q0, q1, Course::straight, {&edge, 1}, memory);
    validator.check(q0, {&one, 1}, memory);
    EXPECT_EQ(edge.is_free, !asked);
    EXPECT_EQ(one.is_free, !asked);
    if (!asked) continue;
    EXPECT_EQ(scene.body(model.objects()[static_cast<std::size_t>(edge.object_a)].body).name,
              "wall");
    EXPECT_EQ(scene.body(model.objects()[static_cast<std::size_t>(edge.object_b)].body).name,
              "beam");
  }
}

TEST(Validator, RefusesTheMemoryOfAnother) {
  const Scene scene = make_slider(JointType::prismatic, Vec3::UnitX(), Sphere{0.05});
  const CollisionModel model = CollisionModel::make(scene).value();
  const Validator one(scene, model), other(scene, model);
  Validator::Memory memory(one);
  EdgeAnswer edge;
  const VecX q = VecX::Zero(1);
  EXPECT_THROW(other.check_edges(q, q, Course::straight, {&edge, 1}, memory), std::logic_error);
}

// A part without extent is legal, and what is no number is refused.
TEST(Validator, OddInput) {
  TriangleMesh speck;
  speck.vertices = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  speck.triangles = {{0, 1, 2}};
  const Scene scene =
      make_slider(JointType::prismatic, Vec3::UnitX(), testing::share(std::move(speck)));
  const CollisionModel model = CollisionModel::make(scene).value();
  const Validator validator(scene, model);
  Validator::Memory memory(validator);
  EdgeAnswer edge;
  validator.check_edges(VecX::Constant(1, -1), VecX::Constant(1, 3), Course::straight, {&edge, 1},
                        memory);
  EXPECT_FALSE(edge.is_free);
  validator.check_edges(VecX::Constant(1, -1), VecX::Constant(1, 0.5), Course::straight, {&edge, 1},
                        memory);
  EXPECT_TRUE(edge.is_free);
  EXPECT_THROW(validator.check_edges(VecX::Constant(1, NAN), VecX::Constant(1, 0.5),
                                     Course::straight, {&edge, 1}, memory),
               std::invalid_argument);
}

// What is wholly inside a closed mesh collides, though no surface is near.
TEST(Validator, FindsWhatHidesInside) {
  SceneSpec spec;
  BodySpec shell{"shell"};
  shell.geometry.push_back({.shape = testing::share(make_mesh(Shape(Sphere{0.5})))});
  BodySpec pea{"pea"};
  pea.geometry.push_back({.shape = testing::share(make_mesh(Shape(Sphere{0.01})))});
  for (const bool shell_moves : {false, true}) {
    SceneSpec world = spec;
    world.bodies = {shell, pea};
    world.joints.push_back({.name = "root",
                            .type = JointType::free,
                            .child = shell_moves ? "shell" : "pea",
                            .limits = std::vector<DofLimits>(6, {-2, 2})});
    const Scene scene = Scene::compile(world).value();
    const CollisionModel model = CollisionModel::make(scene).value();
    const Validator validator(scene, model);
    Validator::Memory memory(validator);
    MatX q(7, 3);
    q.colwise() = make_neutral(scene);
    q(0, 1) = 0.2;
    q(0, 2) = 0.7;
    std::vector<ConfigurationAnswer> answers(3);
    validator.check(q, answers, memory);
    EXPECT_FALSE(answers[0].is_free);
    EXPECT_FALSE(answers[1].is_free);
    EXPECT_TRUE(answers[2].is_free);
    EdgeAnswer edge;
    validator.check_edges(q.col(0), q.col(1), Course::straight, {&edge, 1}, memory);
    EXPECT_FALSE(edge.is_free);
  }
}

// A wall of a hundredth of a millimetre, as a box and as a mesh.
TEST(Validator, CatchesThinWalls) {
  const Box sheet{Vec3(1e-5, 1, 1)};
  for (const bool is_mesh : {false, true}) {
    SceneSpec spec;
    testing::add_box(spec, "part", Vec3::Zero(), 0.01);
    BodySpec wall{"wall"};
    wall.geometry.emplace_back();
    wall.geometry.back().shape = is_mesh ? Shape(testing::share(make_mesh(Shape(sheet)))) : sheet;
    spec.bodies.push_back(wall);
    spec.joints.push_back({.name = "root",
                           .type = JointType::free,
                           .child = "part",
                           .limits = std::vector<DofLimits>(6, {-2, 2})});
    const Scene scene = Scene::compile(spec).value();
    const CollisionModel model = CollisionModel::make(scene).value();
    const Validator validator(scene, model);
    Validator::Memory memory(validator);
    Rng rng(3);
    for (int k = 0; k < 200; ++k) {
      VecX q0 = make_neutral(scene), q1 = q0;
      q0.head<3>() << -rng.uniform(0.01, 0.9), rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4);
      q1.head<3>() << rng.uniform(0.01, 0.9), rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4);
      EdgeAnswer edge;
      validator.check_edges(q0, q1, Course::straight, {&edge, 1}, memory);
      ASSERT_FALSE(edge.is_free);
    }
  }
}

// A part in a hand goes along, and its hand may hold it.
TEST(Validator, CarriedPartsMoveAlong) {
  SceneSpec spec;
  testing::add_box(spec, "hand", Vec3(0.5, 0, 0));
  testing::add_box(spec, "part", Vec3::Zero());
  testing::add_box(spec, "post", Vec3(0, 1.1, 0));
  spec.joints.push_back({.name = "turn",
                         .type = JointType::revolute,
                         .child = "hand",
                         .axis = Vec3::UnitZ(),
                         .limits = {{-3, 3}}});
  spec.joints.push_back({.name = "loose",
                         .type = JointType::free,
                         .child = "part",
                         .limits = std::vector<DofLimits>(6, {-2, 2})});
  const Scene loose = Scene::compile(spec).value();
  VecX q = make_neutral(loose);
  q[loose.joint(*loose.find_joint("loose")).q] = 1.0;
  const Scene held = attach(loose, q, "part", "hand").value();
  for (const bool is_held : {false, true}) {
    const Scene& scene = is_held ? held : loose;
    const CollisionModel model = CollisionModel::make(scene).value();
    const Validator validator(scene, model);
    Validator::Memory memory(validator);
    VecX end = q;
    end[scene.joint(*scene.find_joint("turn")).q] = 1.57;
    EdgeAnswer edge;
    validator.check_edges(q, end, Course::straight, {&edge, 1}, memory);
    // Carried, the part sweeps into the post; left behind, it is not in the hand's way.
    EXPECT_EQ(edge.is_free, !is_held);
  }
}

}  // namespace
}  // namespace geste

#include <gtest/gtest.h>

#include "geste/model/kinematics.hpp"
#include "geste/proximity/validator.hpp"

#include "proximity/scene_testing.hpp"

// Links of an arm with one or two joints between them: the validator has tables of these. The
// witness is one look at each of many configurations on an edge.

namespace geste {
namespace {

/// Arm, forearm and hand on a base that turns, so that all of them move; the hand can come back to
/// the arm.
struct ArmOptions {
  JointType elbow = JointType::revolute;
  JointType wrist = JointType::revolute;
  bool wrist_first = false;    ///< in the order of the joints
  double hand = 0.3;           ///< m; the hand's size
  double forearm = 0.3;        ///< m; its length
  Vec3 axis = Vec3::UnitZ();   ///< of the wrist
  double limit = 2.4;          ///< rad or m
  bool is_long_elbow = false;  ///< the elbow turns all the way round
};

SceneSpec make_hand_arm(const ArmOptions& o, const std::string& name = "",
                        const Vec3& at = {0, 0, 0}) {
  SceneSpec spec;
  testing::add_box(spec, name + "arm", Vec3(0.2, 0, 0), 0.2);
  testing::add_box(spec, name + "forearm", Vec3(0.25, 0, 0), 0.05);
  testing::add_box(spec, name + "hand", Vec3(0.2, 0, 0), o.hand);
  spec.actors = {{name + "robot", "robot", {name + "arm", name + "forearm", name + "hand"}}};
  const JointSpec base{.name = name + "base",
                       .type = JointType::revolute,
                       .child = name + "arm",
                       .X_PJ = Pose::translation(at),
                       .axis = Vec3::UnitY(),
                       .limits = {{-1, 1}}};
  const double all_round = o.is_long_elbow ? 4 : o.limit;
  const JointSpec elbow{.name = name + "elbow",
                        .type = o.elbow,
                        .parent = name + "arm",
                        .child = name + "forearm",
                        .X_PJ = Pose::translation(0.4, 0, 0),
                        .axis = o.elbow == JointType::prismatic ? Vec3::UnitX() : Vec3::UnitZ(),
                        .limits = {{-all_round, all_round}}};
  const JointSpec wrist{.name = name + "wrist",
                        .type = o.wrist,
                        .parent = name + "forearm",
                        .child = name + "hand",
                        .X_PJ = Pose::translation(o.forearm, 0, 0),
                        .axis = o.axis,
                        .limits = {{-o.limit, o.limit}}};
  spec.joints = o.wrist_first ? std::vector{base, wrist, elbow} : std::vector{base, elbow, wrist};
  return spec;
}

/// With a margin between arm and hand, which are of one robot: others do not concern them.
CollisionModel make_hand_model(const Scene& scene, double margin) {
  CollisionOptions options;
  options.survey.samples = 20;
  if (margin > 0) options.margins = {{"arm", "hand", margin}};
  return CollisionModel::make(scene, options).value();
}

/// Every edge that is called free is free at 150 places, every configuration as one look says, and
/// some are not.
void expect_truth(const Scene& scene, const CollisionModel& model, const Validator& validator,
                  std::uint64_t seed) {
  constexpr int kCount = 120, kSamples = 150;
  Rng rng(seed);
  const auto sampler = ConfigurationSampler::make(scene).value();
  MatX q0(scene.nq(), kCount), q1(scene.nq(), kCount);
  VecX q = make_neutral(scene);
  for (int k = 0; k < kCount; ++k) {
    sampler.sample(rng, q);
    q0.col(k) = q;
    sampler.sample(rng, q);
    q1.col(k) = q;
  }
  std::vector<EdgeAnswer> edges(kCount);
  std::vector<ConfigurationAnswer> places(kCount);
  validator.check_edges(q0, q1, Course::straight, edges, 1);
  Validator::Memory memory(validator);
  validator.check(q0, places, memory);
  Workspace workspace(scene);
  CollisionWorkspace collision(model);
  const auto look = [&](const VecX& at) {
    compute_kinematics(scene, at, workspace);
    return is_free(model, workspace, collision);
  };
  int free = 0, colliding = 0, free_edges = 0;
  for (int k = 0; k < kCount; ++k) {
    const bool is_place_free = look(q0.col(k));
    ASSERT_EQ(places[static_cast<std::size_t>(k)].is_free, is_place_free) << "configuration " << k;
    (is_place_free ? free : colliding)++;
    if (!edges[static_cast<std::size_t>(k)].is_free) continue;
    ++free_edges;
    for (int i = 0; i <= kSamples; ++i) {
      interpolate(scene, q0.col(k), q1.col(k), static_cast<double>(i) / kSamples, q);
      ASSERT_TRUE(look(q)) << "edge " << k << " at " << i << " of " << kSamples;
    }
  }
  EXPECT_GT(free, kCount / 20);
  EXPECT_GT(colliding, 0);
  EXPECT_GT(free_edges, kCount / 20);
}

TEST(SelfCollision, OfNeighboursOfNeighboursIsFound) {
  std::uint64_t seed = 0;
  for (const JointType elbow : {JointType::revolute, JointType::continuous}) {
    for (const JointType wrist : {JointType::revolute, JointType::prismatic}) {
      const double margin = elbow == wrist ? 0 : 0.03;
      ArmOptions options{.elbow = elbow, .wrist = wrist, .is_long_elbow = margin > 0};
      if (wrist == JointType::prismatic) options.axis = Vec3::UnitX(), options.limit = 0.6;
      const Scene scene = Scene::compile(make_hand_arm(options)).value();
      const CollisionModel model = make_hand_model(scene, margin);
      expect_truth(scene, model, Validator(scene, model, {.threads = 1}), ++seed);
      ASSERT_FALSE(HasFailure()) << "case " << seed;
    }
  }
}

// A table is lent to the next validator where the two bodies, the joints between them and the
// margin are the same; here one of them is not.
TEST(SelfCollision, IsFoundByWhoTakesTablesOver) {
  const Scene first = Scene::compile(make_hand_arm({})).value();
  const CollisionModel first_model = testing::make_plain_model(first, 0);
  const Validator lender(first, first_model, {.threads = 1});
  struct Borrower {
    const char* what;
    ArmOptions options;
    double margin = 0;
  };
  const Borrower borrowers[] = {
      {"the same", {}},
      {"the wrist is listed first", {.wrist_first = true}},
      {"the wrist slides", {.wrist = JointType::prismatic, .axis = Vec3::UnitX(), .limit = 1}},
      {"the hand is larger", {.hand = 0.4}},
      {"the forearm is shorter", {.forearm = 0.2}},
      {"the wrist turns about another axis", {.axis = Vec3(0, 0.3, 1)}},
      {"the joints reach farther", {.limit = 3}},
      {"there is a margin", {}, 0.05},
  };
  std::uint64_t seed = 10;
  for (const Borrower& b : borrowers) {
    SCOPED_TRACE(b.what);
    const Scene scene = Scene::compile(make_hand_arm(b.options)).value();
    const CollisionModel model = make_hand_model(scene, b.margin);
    expect_truth(scene, model, Validator(scene, model, {.threads = 1}, &lender), ++seed);
    ASSERT_FALSE(HasFailure());
  }
}

// Two arms in one scene have a table each.
TEST(SelfCollision, OfTwoArmsIsToldApart) {
  SceneSpec spec = make_hand_arm({}, "left_");
  const SceneSpec right = make_hand_arm({.hand = 0.4, .forearm = 0.25}, "right_", Vec3(0, 9, 0));
  spec.bodies.insert(spec.bodies.end(), right.bodies.begin(), right.bodies.end());
  spec.joints.insert(spec.joints.end(), right.joints.begin(), right.joints.end());
  spec.actors.insert(spec.actors.end(), right.actors.begin(), right.actors.end());
  const Scene scene = Scene::compile(spec).value();
  const CollisionModel model = testing::make_plain_model(scene, 0);
  expect_truth(scene, model, Validator(scene, model, {.threads = 1}), 30);
}

}  // namespace
}  // namespace geste

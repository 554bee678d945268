#include "geste/proximity/collision_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geste/formats/srdf.hpp"
#include "geste/formats/urdf.hpp"
#include "geste/model/assemble.hpp"
#include "geste/model/dependents.hpp"
#include "geste/proximity/collision_query.hpp"
#include "geste/proximity/survey.hpp"

#include "proximity/scene_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using testing::add_box;

JointSpec make_hinge(const std::string& parent, const std::string& child, const Vec3& at,
                     DofLimits limits) {
  JointSpec j;
  j.name = "to_" + child;
  j.type = JointType::revolute;
  j.parent = parent;
  j.child = child;
  j.axis = Vec3::UnitZ();
  j.X_PJ = Pose(Mat3::Identity(), at);
  j.limits = {limits};
  return j;
}

/// base - (bare) - arm - hand along x, hinges about z; "ring" is on the arm's side and always in
/// the hand. A wall near, a wall far.
SceneSpec make_arm() {
  SceneSpec spec;
  add_box(spec, "base", {0, 0, 0});
  spec.bodies.push_back(BodySpec{"bare"});
  add_box(spec, "arm", {0.5, 0, 0});
  add_box(spec, "hand", {0.5, 0, 0});
  add_box(spec, "ring", {1.5, 0, 0}, 1.0);
  add_box(spec, "near_wall", {2, 0.6, 0});
  add_box(spec, "far_wall", {5, 0, 0});
  spec.joints = {make_hinge("", "base", {0, 0, 0}, {-1, 1}),
                 make_hinge("base", "bare", {0.3, 0, 0}, {0, 0.1}),
                 make_hinge("bare", "arm", {0, 0, 0}, {-1, 1}),
                 make_hinge("arm", "hand", {1, 0, 0}, {-0.2, 0.2})};
  JointSpec weld;
  weld.name = "weld";
  weld.parent = "arm";
  weld.child = "ring";
  spec.joints.push_back(weld);
  spec.actors = {{"robot", "robot", {"base", "bare", "arm", "hand", "ring"}}};
  return spec;
}

class Rules {
 public:
  explicit Rules(SceneSpec spec, const CollisionOptions& options = {})
      : scene(Scene::compile(std::move(spec)).value()),
        model(CollisionModel::make(scene, options).value()) {}
  [[nodiscard]] PairRule of(const char* a, const char* b) const {
    EXPECT_EQ(model.rule(body(a), body(b)), model.rule(body(b), body(a)));
    return model.rule(body(a), body(b));
  }
  [[nodiscard]] BodyId body(const char* name) const { return *scene.find_body(name); }

  Scene scene;
  CollisionModel model;
};

TEST(CollisionModel, KnowsWhyAPairIsLeftOut) {
  SceneSpec spec = make_arm();
  spec.allowed_pairs = {};
  const Rules rules(spec);
  EXPECT_EQ(rules.of("base", "arm"), PairRule::adjacent);  // through the bare body
  EXPECT_EQ(rules.of("arm", "hand"), PairRule::adjacent);
  EXPECT_EQ(rules.of("arm", "ring"), PairRule::fixed);
  EXPECT_EQ(rules.of("hand", "ring"), PairRule::always);
  EXPECT_EQ(rules.of("near_wall", "far_wall"), PairRule::fixed);
  EXPECT_EQ(rules.of("hand", "near_wall"), PairRule::checked);
  EXPECT_EQ(rules.of("hand", "far_wall"), PairRule::beyond_reach);
  EXPECT_EQ(rules.of("base", "near_wall"), PairRule::beyond_reach);
  ASSERT_EQ(rules.model.surveys().size(), 1u);
  const Survey& survey = rules.model.surveys()[0];
  EXPECT_EQ(survey.samples, 1000);
  EXPECT_EQ(survey.adjacent, 2);
  EXPECT_EQ(survey.always, 1);
  // (1 - share)^1000 = 1 - 0.95
  EXPECT_NEAR(std::pow(1 - survey.share, 1000), 0.05, 1e-12);
}

TEST(CollisionModel, AListReplacesTheSurvey) {
  SceneSpec spec = make_arm();
  spec.allowed_pairs = {{"hand", "base", "Never"}};
  const Rules rules(spec);
  EXPECT_TRUE(rules.model.surveys().empty());
  EXPECT_EQ(rules.of("hand", "base"), PairRule::listed);
  EXPECT_EQ(rules.of("hand", "ring"), PairRule::checked);
}

TEST(CollisionModel, OptionsGoByBodiesAndActors) {
  CollisionOptions options;
  options.allowed = {{"robot", "near_wall"}};
  options.margins = {{"robot", "", 0.01}, {"hand", "base", 0.03}};
  const Rules rules(make_arm(), options);
  EXPECT_EQ(rules.of("hand", "near_wall"), PairRule::listed);
  EXPECT_EQ(rules.model.margin(rules.body("hand"), rules.body("base")), 0.03);
  EXPECT_EQ(rules.model.margin(rules.body("hand"), rules.body("far_wall")), 0.01);
  EXPECT_EQ(rules.model.largest_margin(), 0.03);
}

TEST(CollisionModel, NamesEveryWrongOption) {
  const Scene scene = Scene::compile(make_arm()).value();
  CollisionOptions options;
  options.allowed = {{"hand", "wal"}};
  options.margins = {{"hnd", "", 0.01}, {"hand", "", -1}};
  options.areas = {{"robott", {Vec3(0, 0, 0), Vec3(1, 1, 1)}}, {"robot", {}}};
  const auto model = CollisionModel::make(scene, options);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().also.size(), 4u);
  const std::string text = to_text(model.error());
  for (const char* word : {"'wal'", "'hnd'", "'robott'", "-1", "did you mean 'hand'"})
    EXPECT_NE(text.find(word), std::string::npos) << text;
}

// MV-7: an area given by the user.
TEST(CollisionModel, ObstaclesOutsideTheAreaAreLeftOut) {
  CollisionOptions options;
  options.use_reach = false;
  options.areas = {{"robot", {Vec3(-3, -3, -1), Vec3(3, 0.4, 1)}}};
  const Rules rules(make_arm(), options);
  EXPECT_EQ(rules.of("hand", "near_wall"), PairRule::outside_area);
  EXPECT_EQ(rules.of("hand", "far_wall"), PairRule::outside_area);
  EXPECT_EQ(rules.of("hand", "base"), PairRule::checked);
  options.margin = 0.2;  // the wall begins 0.1 beyond the area
  EXPECT_EQ(Rules(make_arm(), options).of("hand", "near_wall"), PairRule::checked);
}

// MV-7: no pair that the joints' limits rule out ever touches, in random mechanisms.
TEST(CollisionModel, WhatIsBeyondReachNeverTouches) {
  int dropped = 0, kept = 0;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    Rng rng(seed);
    const Scene scene = Scene::compile(testing::make_random_world(rng, 5, 12)).value();
    CollisionOptions options;
    options.survey.samples = 0;
    const CollisionModel model = CollisionModel::make(scene, options).value();
    options.use_reach = false;
    const CollisionModel all = CollisionModel::make(scene, options, &model).value();
    for (const RuledPair& p : model.list_pairs()) {
      dropped += p.rule == PairRule::beyond_reach;
      kept += p.rule == PairRule::checked;
    }
    CollisionWorkspace memory(all);
    Workspace workspace(scene);
    const auto sampler = ConfigurationSampler::make(scene).value();
    VecX q = make_neutral(scene);
    for (int sample = 0; sample < 100; ++sample) {
      sampler.sample(rng, q);
      ASSERT_TRUE(compute_dependents(scene, q, workspace));
      for (const PairClearance& p : find_collisions(all, workspace, memory))
        EXPECT_EQ(model.rule(p.a, p.b), PairRule::checked) << seed;
    }
  }
  EXPECT_GT(dropped, 100);
  EXPECT_GT(kept, 100);
}

// MV-8: the pieces of a mesh are objects of their own, and answer as the whole does.
TEST(CollisionModel, SplitsMeshesByPlace) {
  SceneSpec spec = make_arm();
  TriangleMesh wheels = make_mesh(Sphere{0.2}, 16);
  append(wheels, transformed(wheels, Mat3::Identity(), Vec3(0, 4, 0)));
  BodySpec axle{"axle"};
  axle.geometry.emplace_back();
  axle.geometry.back().shape = testing::share(wheels);
  axle.geometry.back().X_BG = Pose::translation(1.9, -0.5, 0);
  spec.bodies.push_back(axle);
  CollisionOptions options;
  const Rules split(spec, options);
  options.split = false;
  const Rules whole(spec, options);
  EXPECT_EQ(split.model.objects().size(), whole.model.objects().size() + 1);
  EXPECT_EQ(split.model.objects().back().pieces, 2);
  Workspace workspace(split.scene);
  CollisionWorkspace in_pieces(split.model), in_one(whole.model);
  const auto sampler = ConfigurationSampler::make(split.scene).value();
  Rng rng(3);
  VecX q = make_neutral(split.scene);
  for (int sample = 0; sample < 50; ++sample) {
    sampler.sample(rng, q);
    ASSERT_TRUE(compute_dependents(split.scene, q, workspace));
    const auto a = find_nearest_pair(split.model, workspace, in_pieces);
    const auto b = find_nearest_pair(whole.model, workspace, in_one);
    ASSERT_TRUE(a && b);
    EXPECT_NEAR(a->separation.distance, b->separation.distance, 1e-6);
  }
}

/// Who drives about can hit what it drives on; a gantry can hit what it hangs on.
TEST(CollisionModel, OnlyNeighboursAreAdjacent) {
  SceneSpec spec;
  add_box(spec, "hall", {0, 0, 0});
  add_box(spec, "cart", {0, 0, 0});
  add_box(spec, "tool", {0, 0, 0});
  add_box(spec, "slider", {0, 0, 0});
  spec.bodies.push_back(BodySpec{"bridge"});
  const auto join = [&](JointType type, const char* parent, const char* child) {
    JointSpec j = make_hinge(parent, child, {0, 0, 0}, {-1, 1});
    j.type = type;
    j.limits.assign(static_cast<std::size_t>(count_v(type)), {-1, 1});
    spec.joints.push_back(j);
  };
  join(JointType::planar, "hall", "cart");
  join(JointType::prismatic, "hall", "bridge");
  join(JointType::prismatic, "bridge", "tool");
  join(JointType::prismatic, "cart", "slider");
  const Rules rules(spec);
  EXPECT_EQ(rules.of("hall", "cart"), PairRule::checked);
  EXPECT_EQ(rules.of("hall", "tool"), PairRule::checked);
  EXPECT_EQ(rules.of("cart", "slider"), PairRule::adjacent);
  EXPECT_EQ(rules.of("hall", "bridge"), PairRule::no_shape);
}

/// What was not tried is not known.
TEST(CollisionModel, SurveysSayNothingOfJointsTheyCannotMove) {
  SceneSpec spec;
  add_box(spec, "left", {0, 0, 0});
  add_box(spec, "right", {0, 0, 0});
  add_box(spec, "hinged", {1, 0, 0});
  for (const char* child : {"left", "right"}) {
    JointSpec j = make_hinge("", child, {0, 0, 0}, {-1, 1});
    j.type = JointType::prismatic;
    spec.joints.push_back(j);
  }
  spec.joints.push_back(make_hinge("left", "hinged", {0, 0, 0}, {-1, 1}));
  spec.actors = {{"robot", "robot", {"left", "right", "hinged"}}};
  EXPECT_EQ(Rules(spec).of("left", "right"), PairRule::checked);
  // One sample tells nothing either.
  CollisionOptions options;
  options.survey.samples = 10;
  EXPECT_EQ(Rules(make_arm(), options).of("hand", "ring"), PairRule::checked);
  options.survey.samples = 60;
  EXPECT_EQ(Rules(make_arm(), options).of("hand", "ring"), PairRule::always);
}

/// A held tool is always in the hand; let go, it can be anywhere.
TEST(CollisionModel, SurveysEndWithWhatTheyWereTakenOf) {
  SceneSpec spec = make_arm();
  add_box(spec, "tool", {0, 0, 0});
  JointSpec joint;
  joint.name = "tool_joint";
  joint.type = JointType::free;
  joint.child = "tool";
  spec.joints.push_back(joint);
  spec.actors[0].bodies.push_back("tool");
  const Scene loose = Scene::compile(spec).value();
  VecX q = make_neutral(loose);
  q.segment<3>(loose.joint(*loose.find_joint("tool_joint")).q) = Vec3(1.8, 0, 0);
  const Scene held = attach(loose, q, "tool", "hand").value();
  const CollisionModel first = CollisionModel::make(held).value();
  const BodyId tool = *held.find_body("tool"), ring = *held.find_body("ring");
  EXPECT_EQ(first.rule(tool, ring), PairRule::always);
  const Scene released = detach(held, "tool").value();
  const CollisionModel second = CollisionModel::make(released, {}, &first).value();
  EXPECT_EQ(second.rule(tool, ring), PairRule::checked);
  // The same scene again: what was found holds.
  const CollisionModel third = CollisionModel::make(held, {}, &first).value();
  EXPECT_EQ(third.rule(tool, ring), PairRule::always);
  EXPECT_EQ(third.surveys().size(), 1u);
}

TEST(CollisionModel, AnActorsOwnBodiesKeepNoGeneralMargin) {
  CollisionOptions options;
  options.margin = 0.5;
  options.margins = {{"robot", "", 0.7}};
  const Rules rules(make_arm(), options);
  EXPECT_EQ(rules.model.margin(rules.body("base"), rules.body("hand")), 0);
  EXPECT_EQ(rules.model.margin(rules.body("near_wall"), rules.body("hand")), 0.7);
  EXPECT_EQ(rules.model.margin(rules.body("near_wall"), rules.body("far_wall")), 0.5);
}

TEST(CollisionModel, OddInputIsMetWithoutHarm) {
  SceneSpec spec = make_arm();
  spec.allowed_pairs = {{"", "hand", "the world has no body"}};
  const Rules rules(spec);
  EXPECT_THROW((void)rules.model.rule(BodyId(99), BodyId(0)), std::out_of_range);
  CollisionOptions options;
  options.survey.confidence = 1;
  EXPECT_FALSE(CollisionModel::make(rules.scene, options));
  const CancelSource source;
  source.request();
  options = {};
  options.cancel = source.token();
  const auto cancelled = CollisionModel::make(Scene::compile(make_arm()).value(), options);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, "cancelled");
}

/// Of several areas a mover is in one or another.
TEST(CollisionModel, AreasAddUp) {
  CollisionOptions options;
  options.use_reach = false;
  options.areas = {{"robot", {Vec3(-3, -3, -1), Vec3(3, 0.4, 1)}},
                   {"robot", {Vec3(1.5, 0.4, -1), Vec3(3, 1, 1)}}};
  const Rules rules(make_arm(), options);
  EXPECT_EQ(rules.of("hand", "near_wall"), PairRule::checked);
  EXPECT_EQ(rules.of("hand", "far_wall"), PairRule::outside_area);
}

/// What is prepared once is used again.
TEST(CollisionModel, LendsItsShapes) {
  Rng rng(1);
  const Scene scene = Scene::compile(testing::make_random_world(rng, 6, 6)).value();
  const CollisionModel first = CollisionModel::make(scene).value();
  CollisionOptions options;
  options.margin = 0.1;
  const CollisionModel second = CollisionModel::make(scene, options, &first).value();
  ASSERT_EQ(first.objects().size(), second.objects().size());
  for (std::size_t i = 0; i < first.objects().size(); ++i) {
    EXPECT_EQ(first.objects()[i].collider.mesh(), second.objects()[i].collider.mesh());
  }
}

/// The survey finds the pairs that the maker of the robot lists.
TEST(Survey, AgreesWithPandasSrdf) {
  const auto folder = testing::shared_data() / "robots/panda";
  GESTE_NEEDS_DATA(folder);
  SceneSpec robot = load_urdf(folder / "panda.urdf").value();
  const Scene bare = Scene::compile(robot).value();
  const CollisionModel surveyed = CollisionModel::make(bare).value();
  ASSERT_EQ(surveyed.surveys().size(), 1u);
  EXPECT_GT(surveyed.surveys()[0].never, 0);
  // The neutral elbow is free with the surveyed pairs: nothing that always touches is left.
  ASSERT_TRUE(load_srdf(folder / "panda.srdf", robot));
  const Scene listed = Scene::compile(robot).value();
  const CollisionModel model = CollisionModel::make(listed).value();
  EXPECT_TRUE(model.surveys().empty());
  for (const RuledPair& p : surveyed.list_pairs()) {
    if (p.rule == PairRule::always) {
      EXPECT_EQ(model.rule(p.a, p.b), PairRule::listed)
          << bare.body(p.a).name << " " << bare.body(p.b).name;
    }
  }
}

}  // namespace
}  // namespace geste

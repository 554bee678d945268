#include "geste/proximity/collision_query.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "geste/model/assemble.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/scene_contacts.hpp"
#include "geste/proximity/scene_rays.hpp"

#include "proximity/scene_testing.hpp"

namespace geste {
namespace {

using Pair = std::pair<BodyId, BodyId>;

/// Every geometry against every other, without trees, rules aside: the slow way.
std::map<Pair, double> measure_all(const Scene& scene, const Workspace& workspace,
                                   const CollisionModel& model) {
  std::map<Pair, double> least;
  QueryScratch scratch;
  for (std::size_t i = 0; i < scene.geometry().size(); ++i) {
    for (std::size_t j = i + 1; j < scene.geometry().size(); ++j) {
      const Geometry &a = scene.geometry()[i], &b = scene.geometry()[j];
      if (a.body == b.body || model.rule(a.body, b.body) != PairRule::checked) continue;
      const Pose X_AB = compute_geometry_pose(scene, workspace, static_cast<int>(i)).inverse() *
                        compute_geometry_pose(scene, workspace, static_cast<int>(j));
      const double d =
          compute_separation(Collider(a.shape), Collider(b.shape), X_AB, scratch).distance;
      const auto [entry, fresh] = least.try_emplace({a.body, b.body}, d);
      if (!fresh) entry->second = std::min(entry->second, d);
    }
  }
  return least;
}

TEST(CollisionQuery, AgreesWithEveryPairByItself) {
  int colliding_states = 0, free_states = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Rng rng(seed);
    const Scene scene = Scene::compile(testing::make_random_world(rng, 4, 6)).value();
    CollisionOptions options;
    options.survey.samples = 20;
    options.margin = seed % 2 ? 0.02 : 0;
    const CollisionModel model = CollisionModel::make(scene, options).value();
    CollisionWorkspace memory(model);
    Workspace workspace(scene);
    const auto sampler = ConfigurationSampler::make(scene).value();
    VecX q = make_neutral(scene);
    for (int sample = 0; sample < 6; ++sample) {
      sampler.sample(rng, q);
      ASSERT_TRUE(compute_dependents(scene, q, workspace));
      const auto expected = measure_all(scene, workspace, model);
      double least = kInfinity;
      std::set<Pair> collide;
      for (const auto& [pair, distance] : expected) {
        least = std::min(least, distance);
        if (distance <= 0 || distance < model.margin(pair.first, pair.second)) collide.insert(pair);
      }
      EXPECT_EQ(is_free(model, workspace, memory), collide.empty()) << seed;
      (collide.empty() ? free_states : colliding_states)++;
      const auto found = find_collisions(model, workspace, memory);
      EXPECT_EQ(found.size(), collide.size()) << seed;
      for (const PairClearance& p : found) {
        EXPECT_TRUE(collide.contains({p.a, p.b})) << seed;
        EXPECT_TRUE(p.collides());
        const double slack = 1e-6 + 2e-3 * std::abs(p.separation.distance) + p.separation.error;
        EXPECT_NEAR(p.separation.distance, (expected.at({p.a, p.b})), slack) << seed;
      }
      const auto nearest = find_nearest_pair(model, workspace, memory);
      ASSERT_EQ(nearest.has_value(), least < kInfinity);
      if (!nearest) continue;
      const Separation& s = nearest->separation;
      EXPECT_NEAR(s.distance, least, 1e-6 + 2e-3 * std::abs(least) + s.error) << seed;
      if (s.distance > 0) {
        EXPECT_NEAR((s.on_b - s.on_a).norm(), s.distance, 1e-9);
        EXPECT_NEAR((s.on_b - s.on_a).dot(s.normal), s.distance, 1e-9);
        // The limit hides what is beyond it, and nothing else.
        EXPECT_FALSE(find_nearest_pair(model, workspace, memory, 0.99 * s.distance));
        EXPECT_TRUE(find_nearest_pair(model, workspace, memory, 1.01 * s.distance));
      }
    }
  }
  EXPECT_GT(colliding_states, 20);
  EXPECT_GT(free_states, 20);
}

/// To the last bit.
void expect_same(const PairClearance& x, const PairClearance& y) {
  EXPECT_EQ(x.object_a, y.object_a);
  EXPECT_EQ(x.object_b, y.object_b);
  EXPECT_EQ(x.separation.distance, y.separation.distance);
  EXPECT_EQ(x.separation.on_a, y.separation.on_a);
  EXPECT_EQ(x.separation.on_b, y.separation.on_b);
  EXPECT_EQ(x.separation.normal, y.separation.normal);
}

/// Where things were before changes no answer.
TEST(CollisionQuery, DoesNotRememberWrong) {
  Rng rng(5);
  const Scene scene = Scene::compile(testing::make_random_world(rng, 5, 8)).value();
  const CollisionModel model = CollisionModel::make(scene).value();
  CollisionWorkspace memory(model);
  Workspace workspace(scene);
  const auto sampler = ConfigurationSampler::make(scene).value();
  VecX q = make_neutral(scene);
  for (int sample = 0; sample < 100; ++sample) {
    sampler.sample(rng, q);
    ASSERT_TRUE(compute_dependents(scene, q, workspace));
    CollisionWorkspace fresh(model);
    EXPECT_EQ(is_free(model, workspace, memory), is_free(model, workspace, fresh));
    const auto a = find_nearest_pair(model, workspace, memory);
    const auto b = find_nearest_pair(model, workspace, fresh);
    ASSERT_EQ(a.has_value(), b.has_value());
    expect_same(*a, *b);
    const auto all = find_collisions(model, workspace, memory);
    const auto all_fresh = find_collisions(model, workspace, fresh);
    ASSERT_EQ(all.size(), all_fresh.size());
    for (std::size_t k = 0; k < all.size(); ++k) expect_same(all[k], all_fresh[k]);
  }
  CollisionModel other = CollisionModel::make(scene).value();
  EXPECT_THROW(is_free(other, workspace, memory), std::logic_error);
  CollisionWorkspace kept(other);
  other = CollisionModel::make(scene, {}, &other).value();  // at the same address
  EXPECT_THROW(is_free(other, workspace, kept), std::logic_error);
  const Scene small = Scene::compile(testing::make_random_world(rng, 2, 2)).value();
  Workspace foreign(small);
  compute_kinematics(small, make_neutral(small), foreign);
  EXPECT_THROW(is_free(model, foreign, memory), std::logic_error);
}

SceneSpec make_two_boxes() {
  SceneSpec spec;
  for (const char* name : {"table", "cube"}) testing::add_box(spec, name, {0, 0, 0}, 1);
  JointSpec joint;
  joint.name = "cube_joint";
  joint.type = JointType::free;
  joint.child = "cube";
  spec.joints = {joint};
  return spec;
}

VecX place_cube(const Vec3& at) {
  VecX q(7);
  q << at, 0, 0, 0, 1;
  return q;
}

TEST(CollisionQuery, SaysWhereAndHowDeep) {
  const Scene scene = Scene::compile(make_two_boxes()).value();
  const CollisionModel model = CollisionModel::make(scene).value();
  CollisionWorkspace memory(model);
  Workspace workspace(scene);
  compute_kinematics(scene, place_cube({0.2, 0, 0.97}), workspace);
  const auto found = find_collisions(model, workspace, memory);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(scene.body(found[0].a).name, "table");
  EXPECT_EQ(scene.body(found[0].b).name, "cube");
  EXPECT_NEAR(found[0].separation.distance, -0.03, 1e-9);
  EXPECT_TRUE(found[0].separation.normal.isApprox(Vec3::UnitZ(), 1e-6));  // from a to b
  EXPECT_NEAR(found[0].separation.on_a.z(), 0.5, 1e-9);
  EXPECT_NEAR(found[0].separation.on_b.z(), 0.47, 1e-9);
}

TEST(CollisionQuery, MarginsKeepThingsApart) {
  const Scene scene = Scene::compile(make_two_boxes()).value();
  Workspace workspace(scene);
  compute_kinematics(scene, place_cube({0, 0, 1.004}), workspace);
  const auto is_free_with = [&](const CollisionOptions& options) {
    const CollisionModel model = CollisionModel::make(scene, options).value();
    CollisionWorkspace memory(model);
    EXPECT_EQ(find_collisions(model, workspace, memory).empty(), is_free(model, workspace, memory));
    return is_free(model, workspace, memory);
  };
  CollisionOptions options;
  EXPECT_TRUE(is_free_with(options));
  options.margin = 0.003;
  EXPECT_TRUE(is_free_with(options));
  options.margin = 0.005;
  EXPECT_FALSE(is_free_with(options));
  options.margin = 0;
  options.margins = {{"cube", "table", 0.005}};
  EXPECT_FALSE(is_free_with(options));
  options.margins = {{"cube", "", 0.005}};
  EXPECT_FALSE(is_free_with(options));
  options.margins = {{"cube", "", 0.003}};
  EXPECT_TRUE(is_free_with(options));
}

/// A part that is taken moves with its carrier and no longer collides with it.
TEST(CollisionQuery, AttachedPartsMoveAlong) {
  SceneSpec spec = make_two_boxes();
  testing::add_box(spec, "hand", {0, 0, 0}, 1);
  JointSpec joint;
  joint.name = "hand_joint";
  joint.type = JointType::prismatic;
  joint.child = "hand";
  joint.axis = Vec3::UnitX();
  joint.X_PJ = Pose::translation(0, 0, 2.9);
  joint.limits = {{-5, 5}};
  spec.joints.push_back(joint);
  const Scene scene = Scene::compile(spec).value();
  VecX q(8);
  q << place_cube({0, 0, 1.95}), 0;
  const CollisionModel model = CollisionModel::make(scene).value();
  CollisionWorkspace memory(model);
  Workspace workspace(scene);
  compute_kinematics(scene, q, workspace);
  EXPECT_EQ(find_collisions(model, workspace, memory).size(), 1u);  // hand and cube, 0.05 deep

  const Scene held = attach(scene, q, "cube", "hand").value();
  CollisionOptions options;
  options.use_reach = false;  // held like this, the cube cannot reach the table
  const CollisionModel held_model = CollisionModel::make(held, options, &model).value();
  EXPECT_EQ(held_model.rule(*held.find_body("cube"), *held.find_body("hand")), PairRule::fixed);
  CollisionWorkspace held_memory(held_model);
  Workspace held_workspace(held);
  ASSERT_TRUE(compute_dependents(held, q, held_workspace));
  EXPECT_TRUE(is_free(held_model, held_workspace, held_memory));
  q[7] = 3;
  ASSERT_TRUE(compute_dependents(held, q, held_workspace));
  const auto nearest = find_nearest_pair(held_model, held_workspace, held_memory);
  ASSERT_TRUE(nearest);
  EXPECT_NEAR(nearest->separation.distance, std::hypot(2, 0.95), 1e-9);
}

TEST(CollisionQuery, FixedPairsOnlyWhenAsked) {
  SceneSpec spec = make_two_boxes();
  testing::add_box(spec, "wall", {0.9, 0, 0}, 1);
  const Scene scene = Scene::compile(spec).value();
  Workspace workspace(scene);
  compute_kinematics(scene, place_cube({0, 0, 5}), workspace);
  CollisionOptions options;
  for (const bool fixed : {false, true}) {
    options.check_fixed = fixed;
    const CollisionModel model = CollisionModel::make(scene, options).value();
    CollisionWorkspace memory(model);
    EXPECT_EQ(find_collisions(model, workspace, memory).size(), fixed ? 1u : 0u);
  }
}

/// The limit is a limit, below zero too.
TEST(CollisionQuery, LimitsOfAnySign) {
  const Scene scene = Scene::compile(make_two_boxes()).value();
  const CollisionModel model = CollisionModel::make(scene).value();
  CollisionWorkspace memory(model);
  Workspace workspace(scene);
  compute_kinematics(scene, place_cube({0, 0, 0.9}), workspace);
  for (int round = 0; round < 2; ++round) {  // with and without memory of the last
    EXPECT_TRUE(find_nearest_pair(model, workspace, memory, 0));
    EXPECT_TRUE(find_nearest_pair(model, workspace, memory, -0.05));
    EXPECT_FALSE(find_nearest_pair(model, workspace, memory, -0.15));
    EXPECT_TRUE(find_nearest_pair(model, workspace, memory));
  }
}

/// Two boxes on one moving link that overlap, and two on the wall.
TEST(CollisionQuery, FixedPairsAreSeenOnceByAllQuestions) {
  SceneSpec spec = make_two_boxes();
  for (const char* name : {"on_table", "on_cube"}) {
    testing::add_box(spec, name, {0.9, 0, 0}, 1);
    JointSpec weld;
    weld.name = std::string("weld_") + name;
    weld.parent = name == std::string("on_table") ? "table" : "cube";
    weld.child = name;
    spec.joints.push_back(weld);
  }
  const Scene scene = Scene::compile(spec).value();
  CollisionOptions options;
  options.check_fixed = true;
  const CollisionModel model = CollisionModel::make(scene, options).value();
  CollisionWorkspace memory(model);
  Workspace workspace(scene);
  compute_kinematics(scene, place_cube({0, 0, 5}), workspace);
  EXPECT_EQ(find_collisions(model, workspace, memory).size(), 2u);
  const auto nearest = find_nearest_pair(model, workspace, memory);
  ASSERT_TRUE(nearest);
  EXPECT_NEAR(nearest->separation.distance, -0.1, 1e-9);
  ContactScratch scratch;
  SceneContacts contacts;
  find_contacts(model, workspace, memory, 0.01, scratch, contacts);
  EXPECT_EQ(contacts.count, 2u);
}

TEST(SceneContacts, ARestingBoxHasFour) {
  const Scene scene = Scene::compile(make_two_boxes()).value();
  const CollisionModel model = CollisionModel::make(scene).value();
  CollisionWorkspace memory(model);
  Workspace workspace(scene);
  ContactScratch scratch;
  SceneContacts contacts;
  compute_kinematics(scene, place_cube({0.25, 0, 0.999}), workspace);
  find_contacts(model, workspace, memory, 0.01, scratch, contacts);
  ASSERT_EQ(contacts.count, 1u);
  const ContactSet& set = contacts.contacts()[0].set;
  ASSERT_EQ(set.contacts.size(), 4u);
  for (const Contact& c : set.contacts) {
    EXPECT_NEAR(c.depth, 0.001, 1e-9);
    EXPECT_TRUE(c.normal.isApprox(Vec3::UnitZ(), 1e-9));
    EXPECT_NEAR(c.point.z(), 0.4995, 1e-9);
    EXPECT_NEAR(std::abs(c.point.x() - 0.125), 0.375, 1e-9);
  }
  compute_kinematics(scene, place_cube({0, 0, 3}), workspace);
  find_contacts(model, workspace, memory, 0.01, scratch, contacts);
  EXPECT_TRUE(contacts.contacts().empty());
}

// CH-6: what blocks the sight has a name.
TEST(SceneRays, NamesWhatIsInTheWay) {
  const Scene scene = Scene::compile(make_two_boxes()).value();
  Workspace workspace(scene);
  compute_kinematics(scene, place_cube({0, 0, 3}), workspace);
  SceneRays rays(scene, workspace);
  const Vec3 eye(-4, 0, 3);
  const auto hit = find_first_part(rays, eye, Vec3(4, 0, 3));
  ASSERT_TRUE(hit);
  EXPECT_EQ(scene.body(hit->body).name, "cube");
  EXPECT_NEAR(hit->hit.distance, 3.5, 1e-12);
  const auto mask = rays.make_mask(std::array{*scene.find_body("cube")});
  EXPECT_FALSE(find_first_part(rays, eye, Vec3(4, 0, 3), mask));

  const SceneSight blocked = compute_scene_sight(rays, {eye, Vec3(4, 0, 3), 0.05});
  EXPECT_EQ(blocked.seen, 0);
  ASSERT_EQ(blocked.blockers.size(), 1u);
  EXPECT_EQ(scene.body(blocked.blockers[0].body).name, "cube");
  // Half hidden: the axis runs along the upper face.
  compute_kinematics(scene, place_cube({0, 0, 2.5}), workspace);
  rays.place(workspace);
  const SceneSight half = compute_scene_sight(rays, {eye, Vec3(4, 0, 3), 0.05}, {1024});
  EXPECT_NEAR(half.seen, 0.5, 0.02);
  EXPECT_NEAR(half.seen + half.blockers[0].share, 1, 1e-12);
}

}  // namespace
}  // namespace geste

#include "geste/proximity/verify_motion.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "geste/math/se3.hpp"
#include "geste/model/assemble.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/kinematics.hpp"
#include "geste/proximity/collision_query.hpp"

#include "proximity/scene_testing.hpp"

namespace geste {
namespace {

using std::numbers::pi;

CollisionModel make_model(const Scene& scene, CollisionOptions options = {}) {
  options.use_reach = false;
  options.survey.samples = 0;
  return CollisionModel::make(scene, options).value();
}

JointMotion make_motion(std::vector<VecX> places, Course course = Course::straight) {
  JointMotion motion;
  motion.course = course;
  motion.q.resize(places.front().size(), static_cast<Eigen::Index>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i) {
    motion.times.push_back(static_cast<double>(i));
    motion.q.col(static_cast<Eigen::Index>(i)) = places[i];
  }
  return motion;
}

VecX values(std::initializer_list<double> list) {
  VecX q(static_cast<Eigen::Index>(list.size()));
  std::copy(list.begin(), list.end(), q.data());
  return q;
}

BodySpec make_body(const std::string& name, const Shape& shape, const Pose& X_BG = {}) {
  BodySpec body{name};
  body.geometry.emplace_back();
  body.geometry.back().shape = shape;
  body.geometry.back().X_BG = X_BG;
  return body;
}

JointSpec make_joint(JointType type, const std::string& parent, const std::string& child,
                     const Vec3& axis, const Vec3& at = Vec3::Zero()) {
  JointSpec joint;
  joint.name = child + "_joint";
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.axis = axis;
  joint.X_PJ = Pose::translation(at);
  return joint;
}

/// A thing on a joint of the world beside another that stands.
Scene make_pair(JointType type, const Vec3& axis, const Shape& thing, const Shape& other,
                const Pose& X_WO, const Pose& X_BT = {}) {
  SceneSpec spec;
  spec.bodies = {make_body("thing", thing, X_BT), make_body("other", other, X_WO)};
  spec.joints = {make_joint(type, "", "thing", axis)};
  return Scene::compile(spec).value();
}

MeshShape mesh_of(const Shape& shape, int segments = 32) {
  return std::make_shared<const TriangleMesh>(make_mesh(shape, segments));
}

// GX-2, where the answer is known.

TEST(VerifyMotion, TellsHowNearASpherePassesAWall) {
  const Shape wall = Box{Vec3(0.1, 4, 4)};
  const VecX from = values({0.5, -1, 0, 0, 0, 0, 1}), to = values({0.2, 1, 0, 0, 0, 0, 1});
  for (const Shape& obstacle : {wall, Shape(mesh_of(wall))}) {
    const Scene scene = make_pair(JointType::free, Vec3::UnitX(), Sphere{0.1}, obstacle, {});
    const VerifyReport report = verify_motion(scene, make_model(scene), make_motion({from, to}));
    ASSERT_TRUE(report.is_free);
    EXPECT_LE(report.clearance, 0.05);
    EXPECT_GE(report.clearance, 0.9 * 0.05 - 1e-9);
    EXPECT_EQ(scene.body(report.a).name, "thing");
    EXPECT_EQ(scene.body(report.b).name, "other");
    EXPECT_NEAR(report.at, 1, 0.2);
    EXPECT_GT(report.queries, 0);
  }
}

TEST(VerifyMotion, FarThingsAreOnlySaidToBeFar) {
  const Scene scene = make_pair(JointType::prismatic, Vec3::UnitX(), Sphere{0.1}, Sphere{0.1},
                                Pose::translation(0, 5, 0));
  const VerifyReport report =
      verify_motion(scene, make_model(scene), make_motion({values({-3}), values({3})}));
  EXPECT_TRUE(report.is_free);
  EXPECT_EQ(report.clearance, 0.1);
  EXPECT_FALSE(report.a.valid());
  const Scene empty = make_pair(JointType::prismatic, Vec3::UnitX(), Sphere{0.1}, Sphere{0.1}, {});
  CollisionOptions allowed;
  allowed.allowed = {{"thing", "other"}};
  EXPECT_EQ(verify_motion(empty, make_model(empty, allowed), make_motion({values({0})})).clearance,
            kInfinity);
}

TEST(VerifyMotion, ABarTouchesAPinAtTheKnownAngle) {
  // The bar's long side lies 1 cm beside the axis; the pin of radius 2 cm stands 1 m away.
  const Shape bar = Box{Vec3(2.4, 0.02, 0.02)}, pin = Cylinder{0.02, 1};
  const double stands_at = 2.0, touch = stands_at - std::asin(0.03);
  const Pose X_WO = Pose::translation(std::cos(stands_at), std::sin(stands_at), 0);
  const auto segments = 512;
  for (const Shape& thing : {bar, Shape(mesh_of(bar))}) {
    for (const Shape& other : {pin, Shape(mesh_of(pin, segments))}) {
      for (const JointType type : {JointType::revolute, JointType::continuous}) {
        const Scene scene = make_pair(type, Vec3::UnitZ(), thing, other, X_WO);
        const VerifyReport report =
            verify_motion(scene, make_model(scene), make_motion({values({0}), values({3})}));
        ASSERT_FALSE(report.is_free);
        EXPECT_NEAR(3 * report.at, touch, 1e-4);
        EXPECT_LE(report.clearance, 10e-6);
        EXPECT_NEAR(report.point.head<2>().norm(), 1, 0.03);
      }
    }
  }
  // The shorter way round goes by the other side.
  const Scene scene = make_pair(JointType::continuous, Vec3::UnitZ(), bar, pin,
                                Pose::translation(0, 1, 0), Pose::translation(1.2, 0, 0));
  const JointMotion round = make_motion({values({-0.5}), values({-0.5 + 2 * pi - 2})});
  EXPECT_TRUE(verify_motion(scene, make_model(scene), round).is_free);
}

TEST(VerifyMotion, AScrewGoesAroundWhatALineRunsInto) {
  // Half a turn about z, whose centre is 1 m away: the line between both places passes the pillar
  // there, the arc does not.
  const VecX from = values({1, 0, 0, 0, 0, 0, 1});
  const VecX to = values({-1, 0, 0.2, 0, 0, std::sin(1.5), std::cos(1.5)});
  const Scene scene = make_pair(JointType::free, Vec3::UnitX(), Sphere{0.1}, Cylinder{0.3, 2}, {});
  const CollisionModel model = make_model(scene);
  EXPECT_FALSE(verify_motion(scene, model, make_motion({from, to})).is_free);
  const VerifyReport screw = verify_motion(scene, model, make_motion({from, to}, Course::screw));
  EXPECT_TRUE(screw.is_free);
  // The arc's top, by the chord and its angle: y = tan(angle / 4) above the line.
  const Scene high = make_pair(JointType::free, Vec3::UnitX(), Sphere{0.1}, Sphere{0.1},
                               Pose::translation(0, std::tan(0.75), 0.1));
  EXPECT_FALSE(
      verify_motion(high, make_model(high), make_motion({from, to}, Course::screw)).is_free);
  const Scene planar = make_pair(JointType::planar, Vec3::UnitZ(), Sphere{0.1}, Sphere{0.1},
                                 Pose::translation(0, -std::tan(0.75), 0));
  const VecX q0 = values({1, 0, 0}), q1 = values({-1, 0, -3});
  const VerifyReport arc =
      verify_motion(planar, make_model(planar), make_motion({q0, q1}, Course::screw));
  EXPECT_FALSE(arc.is_free);
  EXPECT_TRUE(verify_motion(planar, make_model(planar), make_motion({q0, q1})).is_free);
}

TEST(VerifyMotion, FindsTheMomentOnEveryKindOfJoint) {
  // Prismatic: 0.7 m of way before two spheres meet.
  const Scene slide = make_pair(JointType::prismatic, Vec3::UnitY(), Sphere{0.1}, Sphere{0.2},
                                Pose::translation(0, 1, 0));
  const auto sliding = make_motion({values({0}), values({0.5}), values({2.5})});
  EXPECT_NEAR(verify_motion(slide, make_model(slide), sliding).at, 1 + 0.1, 1e-4);
  // Planar: straight on, turning in place, whatever its frame.
  const Scene plane = make_pair(JointType::planar, Vec3::UnitZ(), Sphere{0.1}, Sphere{0.2},
                                Pose::translation(1, 1, 0));
  const auto gliding = make_motion({values({0, 0, 0}), values({1, 1, 2})});
  EXPECT_NEAR(verify_motion(plane, make_model(plane), gliding).at, 1 - 0.3 / std::sqrt(2), 1e-4);
  // Spherical: a ball on a stick of 1 m, a quarter turn about x.
  const double close = 2 * std::asin(0.15);
  const Scene ball = make_pair(JointType::spherical, Vec3::UnitZ(), Sphere{0.1}, Sphere{0.2},
                               Pose::translation(0, 0, 1), Pose::translation(0, 1, 0));
  const double h = std::sqrt(0.5);
  const auto turning = make_motion({values({0, 0, 0, 1}), values({h, 0, 0, h})});
  EXPECT_NEAR(verify_motion(ball, make_model(ball), turning).at, 1 - close / (pi / 2), 1e-4);
  // Universal: first axis x, then y. The second turns the stick along z away from nothing.
  SceneSpec spec;
  spec.bodies = {make_body("thing", Sphere{0.1}, Pose::translation(0, 1, 0)),
                 make_body("other", Sphere{0.2}, Pose::translation(0, 0, 1))};
  spec.joints = {make_joint(JointType::universal, "", "thing", Vec3::UnitX())};
  const Scene universal = Scene::compile(spec).value();
  const auto bending = make_motion({values({0, 0}), values({pi / 2, 1})});
  EXPECT_NEAR(verify_motion(universal, make_model(universal), bending).at, 1 - close / (pi / 2),
              1e-4);
}

/// Two links of 1 m in the plane, with a ball at the end of the second and a body in between.
SceneSpec make_arm(const std::string& name, const Vec3& at) {
  SceneSpec spec;
  spec.bodies = {make_body(name + "_base", Sphere{0.1}, Pose::translation(at)),
                 make_body(name + "_upper", Capsule{0.02, 0.4}, Pose::translation(0.5, 0, 0)),
                 make_body(name + "_hand", Sphere{0.1}, Pose::translation(1, 0, 0))};
  spec.joints = {
      make_joint(JointType::revolute, name + "_base", name + "_upper", Vec3::UnitZ(), at),
      make_joint(JointType::revolute, name + "_upper", name + "_hand", Vec3::UnitZ(),
                 Vec3::UnitX())};
  return spec;
}

TEST(VerifyMotion, AnArmHitsItself) {
  const Scene scene = Scene::compile(make_arm("arm", Vec3::Zero())).value();
  const CollisionModel model = make_model(scene);
  // The hand comes within 0.2 of the base when the elbow is bent to pi - 2 asin(0.1).
  const auto folding = make_motion({values({0, 0}), values({1, 3.1})});
  const VerifyReport report = verify_motion(scene, model, folding);
  ASSERT_FALSE(report.is_free);
  EXPECT_NEAR(3.1 * report.at, pi - 2 * std::asin(0.1), 1e-4);
  EXPECT_EQ(scene.body(report.a).name, "arm_base");
  EXPECT_EQ(scene.body(report.b).name, "arm_hand");
  EXPECT_TRUE(verify_motion(scene, model, make_motion({values({0, 0}), values({6, 2.5})})).is_free);
}

TEST(VerifyMotion, TwoArmsMoveAtOnce) {
  SceneSpec spec = make_arm("left", Vec3::Zero());
  const SceneSpec right = make_arm("right", Vec3(4.3, 0, 0));
  spec.bodies.insert(spec.bodies.end(), right.bodies.begin(), right.bodies.end());
  spec.joints.insert(spec.joints.end(), right.joints.begin(), right.joints.end());
  const Scene scene = Scene::compile(spec).value();
  const CollisionModel model = make_model(scene);
  // Both reach for the middle: 2 + 2 m of arms and 0.3 m between them, less two balls of 0.1.
  const VecX apart = values({1, 0, pi - 1, 0}), reached = values({0, 0, pi, 0});
  const VerifyReport near = verify_motion(scene, model, make_motion({apart, reached}));
  EXPECT_TRUE(near.is_free);
  EXPECT_LE(near.clearance, 0.1);
  EXPECT_GE(near.clearance, 0.09 - 1e-9);
  const VecX crossed = values({-1, 0.3, pi + 1, -0.3});
  EXPECT_TRUE(verify_motion(scene, model, make_motion({apart, crossed})).is_free);
  // One turns its hand while the other comes: first when 2 cos x = 2.15 - 0.1.
  SceneSpec closer = spec;
  closer.joints[2].X_PJ.p.x() = 4.0;
  closer.bodies[3].geometry[0].X_BG.p.x() = 4.0;
  const Scene tight = Scene::compile(closer).value();
  const VerifyReport hit = verify_motion(tight, make_model(tight), make_motion({apart, reached}));
  ASSERT_FALSE(hit.is_free);
  EXPECT_NEAR(hit.at, 1 - std::acos(1.9 / 2), 1e-4);
}

TEST(VerifyMotion, WhatIsCarriedGoesAlong) {
  SceneSpec spec = make_arm("arm", Vec3::Zero());
  spec.bodies.push_back(make_body("load", Box{Vec3(0.1, 0.1, 0.1)}));
  spec.bodies.push_back(make_body("post", Sphere{0.1}, Pose::translation(0, 2, 0.5)));
  spec.joints.push_back(make_joint(JointType::free, "", "load", Vec3::UnitX()));
  const Scene loose = Scene::compile(spec).value();
  const VecX q0 = values({0, 0, 2, 0, 0.5, 0, 0, 0, 1});
  const Scene scene = attach(loose, q0, "load", "arm_hand").value();
  Workspace workspace(scene);
  VecX q1 = q0;
  q1[0] = pi;
  ASSERT_TRUE(compute_dependents(scene, q1, workspace));
  const VerifyReport report = verify_motion(scene, make_model(scene), make_motion({q0, q1}));
  ASSERT_FALSE(report.is_free);
  EXPECT_EQ(scene.body(report.b).name, "post");
  EXPECT_EQ(scene.body(report.a).name, "load");
  EXPECT_NEAR(report.at, 0.5 - 0.15 / 2 / pi, 2e-3) << "a face of the load first";
  EXPECT_TRUE(verify_motion(loose, make_model(loose),
                            make_motion({q0, values({pi, 0, 2, 0, 0.5, 0, 0, 0, 1})}))
                  .is_free)
      << "it stays where it is, beside the hand";
}

TEST(VerifyMotion, ThinWallsStopFastThings) {
  const Shape wall = Box{Vec3(1e-5, 3, 3)};
  Rng rng(3);
  for (int k = 0; k < 20; ++k) {
    const Shape obstacle = k % 2 ? Shape(mesh_of(wall)) : wall;
    const Shape thing = k % 3 ? Shape(Sphere{1e-3}) : Shape(mesh_of(Box{Vec3::Constant(1e-3)}));
    const Scene scene = make_pair(JointType::free, Vec3::UnitX(), thing, obstacle,
                                  Pose::translation(rng.uniform(-300, 300), 0, 0));
    const VecX from = values({-500, rng.uniform(-1, 1), rng.uniform(-1, 1), 0, 0, 0, 1});
    VecX to = from;
    to[0] = 700;
    const VerifyReport report = verify_motion(scene, make_model(scene), make_motion({from, to}));
    ASSERT_FALSE(report.is_free);
    EXPECT_LT(std::abs(report.point.x() - scene.geometry()[1].X_BG.p.x()), 1e-4);
  }
}

TEST(VerifyMotion, WhatBeginsInsideCollides) {
  const Shape room = mesh_of(Box{Vec3(2, 2, 2)});
  const auto still = make_motion({values({0, 0, 0, 0, 0, 0, 1})});
  for (const Shape& thing :
       {Shape(Sphere{0.1}), Shape(Torus{0.2, 0.05}), Shape(mesh_of(Cone{0.5, 1}))}) {
    const Scene inside = make_pair(JointType::free, Vec3::UnitX(), thing, room, {});
    const VerifyReport report = verify_motion(inside, make_model(inside), still);
    EXPECT_FALSE(report.is_free);
    EXPECT_LT(report.clearance, -0.1);
    const Scene outside = make_pair(JointType::free, Vec3::UnitX(), room, thing, {});
    EXPECT_FALSE(verify_motion(outside, make_model(outside), still).is_free);
  }
  // A hollow: the inner surface winds the other way.
  TriangleMesh hollow = make_mesh(Box{Vec3(2, 2, 2)});
  TriangleMesh cave = make_mesh(Box{Vec3(1.5, 1.5, 1.5)});
  for (Triangle& t : cave.triangles) std::swap(t[1], t[2]);
  append(hollow, cave);
  // And a room without a lid has no inside.
  TriangleMesh open = *std::get<MeshShape>(room);
  open.triangles.pop_back();
  for (const TriangleMesh& mesh : {hollow, open}) {
    const Scene scene =
        make_pair(JointType::free, Vec3::UnitX(), Sphere{0.1}, testing::share(mesh), {});
    EXPECT_TRUE(verify_motion(scene, make_model(scene), still).is_free);
  }
}

TEST(VerifyMotion, KeepsMarginsAndClaims) {
  const Scene scene = make_pair(JointType::prismatic, Vec3::UnitY(), Sphere{0.1},
                                Box{Vec3(1, 9, 1)}, Pose::translation(0.61, 0, 0));
  const auto passing = make_motion({values({-1}), values({1})});
  CollisionOptions margin;
  margin.margin = 0.0099;
  EXPECT_TRUE(verify_motion(scene, make_model(scene, margin), passing).is_free);
  margin.margin = 0.0101;
  EXPECT_FALSE(verify_motion(scene, make_model(scene, margin), passing).is_free);
  VerifyOptions claim;
  claim.clearance = 0.01;
  const VerifyReport kept = verify_motion(scene, make_model(scene), passing, claim);
  EXPECT_TRUE(kept.is_free);
  EXPECT_GE(kept.clearance, 0.01 - claim.touch - 1e-12);
  claim.clearance = 0.010001;
  const VerifyReport broken = verify_motion(scene, make_model(scene), passing, claim);
  EXPECT_FALSE(broken.is_free);
  EXPECT_NEAR(broken.clearance, 0.01, 1e-9);
  // A claim beyond what is told apart by itself.
  const Scene wide = make_pair(JointType::prismatic, Vec3::UnitY(), Sphere{0.1}, Sphere{0.1},
                               Pose::translation(1.2, 0, 0));
  claim.clearance = 0.99;
  EXPECT_TRUE(verify_motion(wide, make_model(wide), passing, claim).is_free);
  claim.clearance = 1.01;
  EXPECT_FALSE(verify_motion(wide, make_model(wide), passing, claim).is_free);
}

TEST(VerifyMotion, FixedThingsOnlyWhenAsked) {
  SceneSpec spec;
  spec.bodies = {make_body("table", Box{Vec3(1, 1, 1)}), make_body("shelf", Box{Vec3(1, 1, 1)}),
                 make_body("thing", Sphere{0.1}, Pose::translation(5, 0, 0))};
  spec.joints = {make_joint(JointType::prismatic, "", "thing", Vec3::UnitZ())};
  const Scene scene = Scene::compile(spec).value();
  const auto rising = make_motion({values({0}), values({1})});
  EXPECT_TRUE(verify_motion(scene, make_model(scene), rising).is_free);
  CollisionOptions all;
  all.check_fixed = true;
  const VerifyReport report = verify_motion(scene, make_model(scene, all), rising);
  EXPECT_FALSE(report.is_free);
  EXPECT_EQ(scene.body(report.b).name, "shelf");
  EXPECT_NEAR(report.clearance, -1, 1e-9);
}

TEST(VerifyMotion, RefusesWhatIsNoMotion) {
  const Scene scene = make_pair(JointType::free, Vec3::UnitX(), Sphere{0.1}, Sphere{0.1},
                                Pose::translation(5, 0, 0));
  const CollisionModel model = make_model(scene);
  const JointMotion sound =
      make_motion({values({0, 0, 0, 0, 0, 0, 1}), values({1, 0, 0, 0, 0, 0, 1})});
  EXPECT_TRUE(verify_motion(scene, model, sound).is_free);
  const auto expect_refused = [&](auto change, VerifyOptions options = {}) {
    JointMotion motion = sound;
    change(motion);
    EXPECT_THROW(verify_motion(scene, model, motion, options), std::invalid_argument);
  };
  expect_refused([](JointMotion& m) { m.q(1, 1) = std::nan(""); });
  expect_refused([](JointMotion& m) { m.q(0, 0) = kInfinity; });
  expect_refused([](JointMotion& m) { m.q(6, 0) = 1.1; });
  expect_refused([](JointMotion& m) { m.times[1] = 0; });
  expect_refused([](JointMotion& m) { m.times[1] = kInfinity; });
  expect_refused([](JointMotion& m) { m = {}; });
  expect_refused([](JointMotion& m) { m.q.conservativeResize(6, 2); });
  VerifyOptions options;
  options.touch = 0;
  expect_refused([](JointMotion&) {}, options);
  const CancelSource stop;
  stop.request();
  options = {};
  options.cancel = stop.token();
  const VerifyReport report = verify_motion(scene, model, sound, options);
  EXPECT_TRUE(report.cancelled);
  EXPECT_FALSE(report.is_free);
}

}  // namespace
}  // namespace geste

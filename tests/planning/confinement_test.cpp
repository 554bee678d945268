#include "geste/planning/confinement.hpp"

#include <gtest/gtest.h>

#include "planning/planning_testing.hpp"

// GX-3: "proven blocked" is said only where it is so. The witness is the hole's size beside the
// ball's.

namespace geste {
namespace {

using testing::add_wall;

/// A loose box of 100 mm in a closed room whose wall at x = 0 has a square hole.
SceneSpec make_room(double hole, const Vec3& inside = Vec3::Constant(0.1)) {
  SceneSpec spec = testing::make_loose_box("part", inside, Vec3(3, 3, 3));
  const double side = (2 - hole) / 2, middle = (2 + hole) / 4;
  add_wall(spec, "left", Vec3(0.05, side, 2), Vec3(0, -middle, 0));
  add_wall(spec, "right", Vec3(0.05, side, 2), Vec3(0, middle, 0));
  add_wall(spec, "below", Vec3(0.05, hole, side), Vec3(0, 0, -middle));
  add_wall(spec, "above", Vec3(0.05, hole, side), Vec3(0, 0, middle));
  add_wall(spec, "end", Vec3(0.05, 2, 2), Vec3(-1, 0, 0));
  add_wall(spec, "floor", Vec3(1.05, 2, 0.05), Vec3(-0.5, 0, -1));
  add_wall(spec, "roof", Vec3(1.05, 2, 0.05), Vec3(-0.5, 0, 1));
  add_wall(spec, "front", Vec3(1.05, 0.05, 2), Vec3(-0.5, -1, 0));
  add_wall(spec, "back", Vec3(1.05, 0.05, 2), Vec3(-0.5, 1, 0));
  return spec;
}

/// A space of some joints of a room, with its part inside.
struct RoomSpace {
  RoomSpace(SceneSpec spec, const std::vector<std::string>& planned, double margin = 0,
            const std::vector<PairAllowance>& allowed = {})
      : scene(Scene::compile(std::move(spec)).value()),
        model(make_model(scene, margin, allowed)),
        space(make_space(scene, model, planned)),
        start(space.size()) {
    VecX q = make_neutral(scene);
    q.segment<3>(scene.joint(*scene.find_joint("free")).q) = Vec3(-0.5, 0.3, 0.2);
    space.gather(q, start);
  }

  static CollisionModel make_model(const Scene& scene, double margin,
                                   const std::vector<PairAllowance>& allowed) {
    CollisionOptions options = testing::make_plain_options();
    options.margin = margin;
    options.allowed = allowed;
    return CollisionModel::make(scene, options).value();
  }
  static PlanningSpace make_space(const Scene& scene, const CollisionModel& model,
                                  const std::vector<std::string>& planned) {
    std::vector<JointId> joints;
    for (const std::string& name : planned) joints.push_back(*scene.find_joint(name));
    return PlanningSpace::make(scene, model, joints, make_neutral(scene)).value();
  }

  /// To a place outside, and to anywhere outside, which must say the same.
  [[nodiscard]] bool is_confined() const {
    const auto ball = find_inner_ball(space, model);
    EXPECT_TRUE(ball);
    BallGoal place, outside;
    place.places = {Vec3(0.6, 0, 0)};
    outside.outside = AxisBox{Vec3(-1.1, -1.1, -1.1), Vec3(0.2, 1.1, 1.1)};
    ConfinementOptions patient;
    patient.cells = 200'000;
    const bool is_in = prove_confined(space, model, *ball, start, place, patient).has_value();
    EXPECT_EQ(prove_confined(space, model, *ball, start, outside, patient).has_value(), is_in);
    // In the room it gets everywhere.
    BallGoal inside;
    inside.places = {Vec3(-0.5, -0.3, 0.2)};
    EXPECT_FALSE(prove_confined(space, model, *ball, start, inside));
    return is_in;
  }

  Scene scene;
  CollisionModel model;
  PlanningSpace space;
  VecX start;
};

TEST(Confinement, FollowsTheSizeOfTheHole) {
  Rng rng(1);
  for (int k = 0; k < 8; ++k) {
    const double margin = k % 3 == 0 ? 0.01 : 0;
    const double hole =
        (k % 2 ? rng.uniform(1.03, 1.5) : rng.uniform(0.5, 0.97)) * (0.1 + 2 * margin);
    EXPECT_EQ(RoomSpace(make_room(hole), {"free"}, margin).is_confined(), k % 2 == 0)
        << hole << " with " << margin;
  }
}

// A door before the hole keeps the part in as long as nothing that is planned moves it: not where
// it is planned itself, and not where it follows what is.
TEST(Confinement, DoorsThatMoveProveNothing) {
  const auto make = [](bool is_door_on_joint, bool follows) {
    SceneSpec spec = make_room(0.4);
    add_wall(spec, "door", Vec3(0.05, 0.6, 0.6), Vec3(0.06, 0, 0));
    add_wall(spec, "crank", Vec3::Constant(0.1), Vec3(5, 0, 0));
    spec.joints.push_back({.name = "crank",
                           .type = JointType::revolute,
                           .child = "crank",
                           .axis = Vec3::UnitZ(),
                           .limits = {{-1, 1}}});
    if (!is_door_on_joint) return spec;
    spec.joints.push_back({.name = "door",
                           .type = JointType::prismatic,
                           .child = "door",
                           .axis = Vec3::UnitY(),
                           .limits = {{-2, 2}}});
    if (follows) spec.joints.back().follow = FollowSpec{{"crank"}, LinearFollow{1, 0}};
    return spec;
  };
  EXPECT_TRUE(RoomSpace(make(false, false), {"free", "crank"}).is_confined());
  EXPECT_TRUE(RoomSpace(make(true, false), {"free", "crank"}).is_confined()) << "the door rests";
  EXPECT_FALSE(RoomSpace(make(true, false), {"free", "door"}).is_confined());
  EXPECT_FALSE(RoomSpace(make(true, true), {"free", "crank"}).is_confined());
}

// What the part may touch does not hold it.
TEST(Confinement, AllowedPartsAreNoWalls) {
  EXPECT_TRUE(RoomSpace(make_room(0.05), {"free"}).is_confined());
  for (const char* wall : {"left", "end", "roof"})
    EXPECT_FALSE(RoomSpace(make_room(0.05), {"free"}, 0, {{"part", wall, {}}}).is_confined())
        << wall;
}

// The ball lies in the part, wherever its shape is on the body, and is no larger than fits.
TEST(Confinement, TheBallLiesInThePart) {
  Rng rng(2);
  for (int k = 0; k < 20; ++k) {
    const Vec3 size(rng.uniform(0.05, 0.3), rng.uniform(0.05, 0.3), rng.uniform(0.05, 0.3));
    SceneSpec spec = make_room(0.05, size);
    const Pose X_BG = testing::random_pose(rng);
    spec.bodies[0].geometry[0].X_BG = X_BG;
    spec.joints[0].X_PJ = testing::random_pose(rng);
    const RoomSpace room(spec, {"free"});
    const auto ball = find_inner_ball(room.space, room.model);
    ASSERT_TRUE(ball);
    const Vec3 centre = X_BG.inverse() * ball->p_B;
    const double deepest = (size / 2 - centre.cwiseAbs()).minCoeff();
    EXPECT_LE(ball->radius, deepest + 1e-9);
    EXPECT_GE(ball->radius, 0.95 * size.minCoeff() / 2);
  }
}

}  // namespace
}  // namespace geste

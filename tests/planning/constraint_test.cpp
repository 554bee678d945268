// Bodies that keep something while they are moved (MV-2, MV-4): general loops between the world and
// the body. Witnesses: poses looked at densely on the finished motion, in the scene without the
// loop; the second prover.
#include <gtest/gtest.h>

#include "geste/formats/srdf.hpp"
#include "geste/formats/urdf.hpp"
#include "geste/model/assemble.hpp"
#include "geste/planning/plan.hpp"
#include "geste/planning/timing.hpp"

#include "planning/projected_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

using namespace testing;

/// The arm of six joints behind a wall.
Scene make_arm_world() {
  SceneSpec spec;
  PlaceOptions options;
  options.name = "arm";
  SceneSpec arm = load_urdf(source_dir() / "models/arm6/arm6.urdf").value();
  EXPECT_TRUE(load_srdf(source_dir() / "models/arm6/arm6.srdf", arm));
  place(spec, arm, options);
  add_wall(spec, "wall", Vec3(0.5, 0.04, 0.5), Vec3(0.45, 0, 0.25));
  return Scene::compile(spec).value();
}

/// Beside the wall, the gripper level: the turn of the first joint alone would hit it.
VecX place_arm(const Scene& scene, double turn) {
  VecX q = make_neutral(scene);
  const auto set = [&](const char* name, double value) {
    q[scene.joint(*scene.find_joint(name)).q] = value;
  };
  set("arm/joint1", turn);
  set("arm/joint2", 0.5);
  set("arm/joint3", 0.35);
  set("arm/joint5", 0.720796);
  return q;
}

std::vector<JointId> arm_joints(const Scene& scene) {
  std::vector<JointId> joints;
  for (int i = 1; i <= 6; ++i) joints.push_back(*scene.find_joint(fmt::format("arm/joint{}", i)));
  return joints;
}

/// Finds motions of the arm from one side of the wall to the other.
class ArmPlanner {
 public:
  explicit ArmPlanner(const Scene& scene)
      : scene_(scene),
        model_(CollisionModel::make(scene, make_plain_options()).value()),
        space_(
            PlanningSpace::make(scene, model_, arm_joints(scene), place_arm(scene, -0.9)).value()),
        validator_(scene, model_, {.threads = 1}),
        steering_(make_projected_steering(space_)) {}

  [[nodiscard]] const PlanningSpace& space() const { return space_; }

  /// Proven by the second prover, within its rates; empty where none is found.
  [[nodiscard]] JointMotion find(std::uint64_t seed) const {
    PlanningProblem problem{VecX(space_.size()), {VecX(space_.size())}};
    space_.gather(place_arm(scene_, -0.9), problem.start);
    space_.gather(place_arm(scene_, 0.9), problem.goals[0]);
    PlanOptions options;
    options.threads = 1;
    const PlanReport report =
        plan({space_, *steering_, validator_}, problem, options, Budget::steps(3000), Rng(seed));
    EXPECT_EQ(report.status, PlanStatus::found) << to_text(report.status);
    if (report.status != PlanStatus::found) return {};
    JointMotion motion = make_timed(space_, Course::straight, report.path);
    EXPECT_TRUE(verify_motion(scene_, model_, motion, make_second_options()).is_free);
    const RateUse use = measure_rates(space_, motion, make_rate_limits(space_, {}));
    EXPECT_LE(use.velocity, 1 + 1e-9);
    EXPECT_LE(use.acceleration, 1 + 1e-6);
    return motion;
  }

 private:
  const Scene& scene_;
  CollisionModel model_;
  PlanningSpace space_;
  Validator validator_;
  std::unique_ptr<SteeringMethod> steering_;
};

/// Over a motion: how far the tool tilts (rad) and how far it leaves its height (m), at most.
struct Change {
  double tilt = 0;
  double height = 0;
};
Change measure_change(const Scene& scene, const JointMotion& motion) {
  Workspace workspace(scene);
  VecX q(scene.nq());
  const BodyId tool = *scene.find_body("arm/tool");
  const auto place_at = [&](double t) {
    interpolate(scene, motion, t, q);
    compute_kinematics(scene, q, workspace);
    return compute_pose(scene, workspace, tool);
  };
  const Pose first = place_at(0);
  const Vec3 up = first.R.transpose() * Vec3::UnitZ();
  Change change;
  for (double t = 0; t <= motion.times.back(); t += 1e-3) {
    const Pose X = place_at(t);
    const double along = (X.R * up).z();
    change.tilt = std::max(change.tilt, std::acos(std::clamp(along, -1.0, 1.0)));
    change.height = std::max(change.height, std::abs(X.p.z() - first.p.z()));
  }
  return change;
}

TEST(Constrain, CupStaysUprightOverTheWall) {
  const Scene scene = make_arm_world();
  const TaskConstraint upright{"arm/tool", {false, false, false, true, true, false}};
  const Scene constrained =
      constrain(scene, place_arm(scene, -0.9), {&upright, 1}, arm_joints(scene)).value();
  const ArmPlanner upright_planner(constrained), plain_planner(scene);
  double tilt_without = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const JointMotion motion = upright_planner.find(seed);
    ASSERT_FALSE(motion.times.empty());
    const Change change = measure_change(scene, motion);
    EXPECT_LT(change.tilt, 1e-3);
    EXPECT_GT(change.height, 0.1);  // over the wall
    tilt_without = std::max(tilt_without, measure_change(scene, plain_planner.find(seed)).tilt);
  }
  EXPECT_GT(tilt_without, 0.1);  // it is the constraint that does it
}

TEST(Constrain, SamplesKeepTheToolAtItsHeight) {
  const Scene scene = make_arm_world();
  const TaskConstraint level{"arm/tool", {false, false, true, false, false, false}};
  const Scene constrained =
      constrain(scene, place_arm(scene, -0.9), {&level, 1}, arm_joints(scene)).value();
  const VecX start = place_arm(constrained, -0.9);
  const ArmPlanner planner(constrained);
  const PlanningSpace& space = planner.space();
  const double height = [&] {
    Workspace workspace(scene);
    compute_kinematics(scene, start, workspace);
    return compute_pose(scene, workspace, *scene.find_body("arm/tool")).p.z();
  }();
  Workspace workspace(scene);
  VecX x(space.size()), q = start;
  Rng rng(2);
  for (int i = 0; i < 50; ++i) {
    space.sample(rng, x);
    for (const PlanningSpace::Item& item : space.items()) q[item.joint.q] = x[item.x];
    compute_kinematics(scene, q, workspace);
    EXPECT_NEAR(compute_pose(scene, workspace, *scene.find_body("arm/tool")).p.z(), height, 1e-9);
    EXPECT_LE(space.measure_excess(x), 1e-9);
  }
}

TEST(Constrain, NamesWhatCannotBeKept) {
  const Scene scene = make_arm_world();
  const VecX q = place_arm(scene, 0);
  const std::array<bool, 6> all{true, true, true, true, true, true};
  const TaskConstraint wrong[] = {{"arm/tol", all}, {"wall", all}};
  const auto refused = constrain(scene, q, wrong, arm_joints(scene));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "attach.unknown_body");
  ASSERT_EQ(refused.error().also.size(), 1u);
  EXPECT_EQ(refused.error().also[0].code, "constraint.not_moved");
  EXPECT_EQ(refused.error().also[0].element, "body 'wall'");
}

}  // namespace
}  // namespace geste

// The project's own robots and cranes (MV-1, MV-3, AR-1): every file is read, compiled and
// measured. Witnesses: mass properties recomputed from the shapes, poses worked out by hand, the
// Denavit-Hartenberg chain of the table, and a convex separation test of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <set>

#include "geste/formats/srdf.hpp"
#include "geste/formats/urdf.hpp"
#include "geste/geometry/mesh_report.hpp"
#include "geste/model/assemble.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/dependents.hpp"
#include "geste/model/dh.hpp"
#include "geste/model/kinematics.hpp"

#include "model_laws.hpp"
#include "testing.hpp"

namespace geste {
namespace {

struct Model {
  const char* path;  ///< below models/, without the ending
  bool has_srdf;
  double mass;  ///< kg, as its builder meant it
};

void PrintTo(const Model& model, std::ostream* out) { *out << model.path; }

const Model kModels[] = {
    {"arm6/arm6", true, 35.06},
    {"mobile_arm/mobile_arm", true, 114.86},
    {"rotating_crane/rotating_crane", true, 100160},
    {"travelling_crane/travelling_crane", true, 23864},
    {"dumbbell/carrier", false, 40},
    {"dumbbell/dumbbell", true, 12},
    {"trailer/trailer", true, 50},
    {"spacecraft/spacecraft", false, 900},
    {"hook/hook", false, 8},
    {"tank/tank", true, 2540},
    {"worker/worker", true, 69.56},
};

SceneSpec load_model(const Model& model) {
  const std::string path = (testing::source_dir() / "models" / model.path).string();
  Result<SceneSpec> robot = load_urdf(path + ".urdf");
  if (!robot) {
    ADD_FAILURE() << to_text(robot.error());
    return {};
  }
  if (model.has_srdf) {
    const Result<void> applied = load_srdf(path + ".srdf", *robot);
    if (!applied) ADD_FAILURE() << to_text(applied.error());
  }
  return *std::move(robot);
}

SceneSpec load_model(const std::string& path) {
  for (const Model& model : kModels) {
    if (path == model.path) return load_model(model);
  }
  ADD_FAILURE() << "no model " << path;
  return {};
}

/// Standing in a world of its own.
Scene compile(const SceneSpec& robot) {
  SceneSpec world;
  place(world, robot, {});
  Result<Scene> scene = Scene::compile(world);
  if (!scene) ADD_FAILURE() << to_text(scene.error());
  return std::move(scene).value();
}

Pose pose_of(const Scene& scene, VecX q, const char* body) {
  Workspace workspace(scene);
  EXPECT_TRUE(compute_dependents(scene, q, workspace));
  return compute_pose(scene, workspace, scene.find_body(body).value());
}

VecX named(const Scene& scene, const char* configuration) {
  VecX q = make_neutral(scene);
  apply(scene, *scene.find_configuration(configuration), q);
  return q;
}

/// Joint values by name over neutral.
VecX with(const Scene& scene, const std::vector<std::pair<const char*, double>>& values) {
  VecX q = make_neutral(scene);
  for (const auto& [name, value] : values) q[scene.joint(*scene.find_joint(name)).q] = value;
  return q;
}

class EveryModel : public ::testing::TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryModel, ::testing::ValuesIn(kModels), [](const auto& model) {
  const std::string path = model.param.path;
  return path.substr(path.find('/') + 1);
});

TEST_P(EveryModel, LoadsWithoutNotesAndCompiles) {
  const SceneSpec robot = load_model(GetParam());
  for (const Note& note : robot.notes) ADD_FAILURE() << to_text(note);
  const Scene scene = compile(robot);
  EXPECT_NEAR(scene.total_mass(), GetParam().mass, 1e-6 * GetParam().mass);
  EXPECT_EQ(scene.allowed_pairs().size(), robot.allowed_pairs.size());
  std::set<std::string> bodies;
  for (const BodySpec& body : robot.bodies) bodies.insert(body.name);
  for (const AllowedPairSpec& pair : robot.allowed_pairs) {
    EXPECT_TRUE(bodies.contains(pair.body_a)) << pair.body_a;
    EXPECT_TRUE(bodies.contains(pair.body_b)) << pair.body_b;
    EXPECT_FALSE(pair.reason.empty());
  }
}

TEST_P(EveryModel, HasTheInertiaOfItsShapes) {
  for (const BodySpec& body : load_model(GetParam()).bodies) {
    SCOPED_TRACE(body.name);
    EXPECT_EQ(body.inertia.has_value(), !body.geometry.empty());
    if (!body.inertia) continue;
    const Mat3& I = body.inertia->inertia;
    const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(I).eigenvalues();
    EXPECT_GT(moments[0], 0);
    EXPECT_LE(moments[2], moments[0] + moments[1]);
    const Inertia expected = laws::compute_inertia(body, body.inertia->mass);
    EXPECT_LT((body.inertia->com - expected.com).norm(), 1e-5 * (1 + expected.com.norm()))
        << "<origin xyz=\"" << expected.com.transpose() << "\"/>";
    EXPECT_LT((I - expected.about_com).norm(), 2e-5 * expected.about_com.norm())
        << "<inertia> should be\n"
        << expected.about_com;
  }
}

TEST_P(EveryModel, ShowsNothingOutsideItsCollisionShapes) {
  for (const BodySpec& body : load_model(GetParam()).bodies) {
    for (const GeometrySpec& seen : body.geometry) {
      if (!seen.visual) continue;
      for (const Vec3& v : make_mesh(seen.shape, 24).vertices) {
        const double outside = laws::distance_to_collision(body, seen.X_BG * v);
        ASSERT_LT(outside, 0.004) << body.name << " at " << (seen.X_BG * v).transpose();
      }
    }
  }
}

TEST_P(EveryModel, HasCleanMeshes) {
  for (const BodySpec& body : load_model(GetParam()).bodies) {
    for (const GeometrySpec& geometry : body.geometry) {
      TriangleMesh mesh = make_mesh(geometry.shape);
      const MeshReport report = clean_mesh(mesh);
      EXPECT_TRUE(report.closed) << body.name << ": " << report.to_text();
      EXPECT_EQ(report.flipped_triangles, 0u) << body.name;
      EXPECT_EQ(report.degenerate_triangles, 0u) << body.name;
    }
  }
}

TEST_P(EveryModel, StatesAreWithinLimitsAndFreeOfContact) {
  const SceneSpec robot = load_model(GetParam());
  const Scene scene = compile(robot);
  EXPECT_EQ(scene.find_configuration("home") != nullptr, GetParam().has_srdf);
  for (const NamedConfiguration& state : scene.configurations()) {
    SCOPED_TRACE(state.name);
    VecX q = named(scene, state.name.c_str());
    Workspace workspace(scene);
    ASSERT_TRUE(compute_dependents(scene, q, workspace));
    EXPECT_TRUE(is_within_limits(scene, q));
    for (const auto& [a, b] : laws::find_contacts(scene, workspace)) {
      ADD_FAILURE() << scene.body(a).name << " touches " << scene.body(b).name;
    }
  }
}

TEST_P(EveryModel, PairsThatNeverTouchDoNot) {
  const Scene scene = compile(load_model(GetParam()));
  const auto sampler = ConfigurationSampler::make(scene);
  ASSERT_TRUE(sampler) << to_text(sampler.error());
  Workspace workspace(scene);
  Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    VecX q = make_neutral(scene);
    sampler->sample(rng, q);
    ASSERT_TRUE(compute_dependents(scene, q, workspace));
    for (const AllowedPair& pair : scene.allowed_pairs()) {
      if (pair.reason != "Never") continue;
      ASSERT_FALSE(laws::touch(scene, workspace, pair.body_a, pair.body_b))
          << scene.body(pair.body_a).name << " touches " << scene.body(pair.body_b).name << " at "
          << q.transpose();
    }
  }
}

// The weight never asks more of a joint than its effort. By virtual work: the force of a joint is
// the weight times the rate at which the centre of mass rises.
TEST_P(EveryModel, CanHoldItsWeight) {
  const Scene scene = compile(load_model(GetParam()));
  if (scene.nv() == 0) return;
  const auto sampler = ConfigurationSampler::make(scene);
  Workspace workspace(scene);
  Rng rng(2);
  MatX N;
  Mat3X J(3, scene.nv());
  for (int i = 0; i < 200; ++i) {
    VecX q = make_neutral(scene);
    sampler->sample(rng, q);
    ASSERT_TRUE(compute_dependents(scene, q, workspace));
    compute_joint_columns(scene, workspace);
    compute_com_jacobian(scene, workspace, J);
    compute_velocity_map(scene, q, workspace, N);
    const VecX force = scene.moving_mass() * 9.81 * (J.row(2) * N).transpose();
    for (const Joint& joint : scene.joints()) {
      if (joint.role != JointRole::independent || joint.nv != 1) continue;
      EXPECT_LE(std::abs(force[joint.v]), joint.limits[0].effort) << joint.name;
    }
  }
}

DhRow make_row(double a, double alpha_deg, double d, double theta_deg) {
  DhRow row;
  row.a = a;
  row.alpha = alpha_deg * kPi / 180;
  row.d = d;
  row.theta = theta_deg * kPi / 180;
  return row;
}

/// As models/README.md has it.
const std::vector<DhRow> kArm6Table{make_row(0.050, -90, 0.400, 0), make_row(0.420, 0, 0, -90),
                                    make_row(0.025, -90, 0, 0),     make_row(0, 90, 0.400, 0),
                                    make_row(0, -90, 0, 0),         make_row(0, 0, 0.085, 0)};

TEST(Arm6, IsTheChainOfItsTable) {
  const Scene arm = compile(load_model("arm6/arm6"));
  const Scene chain =
      Scene::compile(make_dh_chain("chain", kArm6Table, DhConvention::classic)).value();
  const auto sampler = ConfigurationSampler::make(arm);
  ASSERT_TRUE(sampler);
  Workspace arm_space(arm), chain_space(chain);
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    VecX q = make_neutral(arm), p(6);
    sampler->sample(rng, q);
    for (int k = 1; k <= 6; ++k) {
      const auto name = fmt::format("joint{}", k);
      p[chain.joint(*chain.find_joint(name)).q] = q[arm.joint(*arm.find_joint(name)).q];
    }
    ASSERT_TRUE(compute_dependents(arm, q, arm_space));
    compute_kinematics(chain, p, chain_space);
    for (int k = 1; k <= 6; ++k) {
      const auto link = fmt::format("link{}", k);
      EXPECT_TRUE(compute_pose(arm, arm_space, *arm.find_body(link))
                      .is_approx(compute_pose(chain, chain_space, *chain.find_body(link)), 1e-12));
    }
    EXPECT_TRUE(compute_pose(arm, arm_space, *arm.find_body("flange"))
                    .is_approx(compute_pose(chain, chain_space, *chain.find_frame("dh6")), 1e-12));
  }
}

TEST(Arm6, ReachesWhereTheHandReckoningSays) {
  const Scene arm = compile(load_model("arm6/arm6"));
  // Upper arm up, forearm forward: x = 0.05 + 0.4 + 0.085 + 0.12, z = 0.4 + 0.42 + 0.025.
  const Pose home = pose_of(arm, named(arm, "home"), "tool");
  EXPECT_LT((home.p - Vec3(0.655, 0, 0.845)).norm(), 1e-12);
  EXPECT_LT((home.R.col(2) - Vec3::UnitX()).norm(), 1e-12);
  // All stretched forward at shoulder height.
  const Pose far = pose_of(arm, with(arm, {{"joint2", kPi / 2}, {"joint3", -kPi / 2}}), "flange");
  EXPECT_LT((far.p - Vec3(0.05 + 0.42 + 0.4 + 0.085, 0, 0.425)).norm(), 1e-12);
  // Turned left by 90 degrees, the tool bent down by 90.
  const Pose down = pose_of(arm, with(arm, {{"joint1", kPi / 2}, {"joint5", kPi / 2}}), "flange");
  EXPECT_LT((down.p - Vec3(0, 0.45, 0.845 - 0.085)).norm(), 1e-12);
  EXPECT_LT((down.R.col(2) + Vec3::UnitZ()).norm(), 1e-12);
  const Pose ready = pose_of(arm, named(arm, "ready"), "tool");
  EXPECT_LT((ready.R.col(2) + Vec3::UnitZ()).norm(), 1e-4);
}

TEST(Arm6, RightFingerFollowsTheLeft) {  // MV-3
  const Scene arm = compile(load_model("arm6/arm6"));
  ASSERT_EQ(arm.followers().size(), 1u);
  for (const double opening : {0.0, 0.01, 0.04}) {
    const VecX q = with(arm, {{"finger_left_joint", opening}});
    const Pose X_WT = pose_of(arm, q, "tool");
    const Vec3 left = X_WT.inverse() * pose_of(arm, q, "finger_left").p;
    const Vec3 right = X_WT.inverse() * pose_of(arm, q, "finger_right").p;
    EXPECT_LT((left - Vec3(0, opening, -0.048)).norm(), 1e-12);
    EXPECT_LT((right - Vec3(0, -opening, -0.048)).norm(), 1e-12);
  }
}

TEST(MobileArm, CarriesTheSameArm) {  // AR-1
  const SceneSpec arm = load_model("arm6/arm6"), mobile = load_model("mobile_arm/mobile_arm");
  std::size_t same = 0;
  for (const JointSpec& a : arm.joints) {
    for (const JointSpec& b : mobile.joints) {
      if (b.name != "arm_" + a.name) continue;
      ++same;
      EXPECT_EQ(b.type, a.type);
      EXPECT_TRUE(b.X_PJ.is_approx(a.X_PJ, 0));
      EXPECT_EQ(b.axis, a.axis);
      ASSERT_EQ(b.limits.size(), a.limits.size());
      for (std::size_t i = 0; i < a.limits.size(); ++i) {
        EXPECT_EQ(b.limits[i].lower, a.limits[i].lower);
        EXPECT_EQ(b.limits[i].upper, a.limits[i].upper);
        EXPECT_EQ(b.limits[i].velocity, a.limits[i].velocity);
      }
    }
  }
  EXPECT_EQ(same, arm.joints.size());
  for (const BodySpec& a : arm.bodies) {
    for (const BodySpec& b : mobile.bodies) {
      if (b.name != "arm_" + a.name) continue;
      EXPECT_EQ(b.geometry.size(), a.geometry.size()) << a.name;
      ASSERT_EQ(b.inertia.has_value(), a.inertia.has_value());
      EXPECT_TRUE(!a.inertia || b.inertia->inertia == a.inertia->inertia) << a.name;
    }
  }
}

TEST(MobileArm, StandsOnItsWheels) {
  SceneSpec world;
  PlaceOptions options;
  options.name = "robot";
  options.root = JointType::planar;
  place(world, load_model("mobile_arm/mobile_arm"), options);
  const Scene scene = Scene::compile(world).value();
  EXPECT_EQ(scene.nv(), 3 + 2 + 6 + 2);
  VecX q = make_neutral(scene);
  q.segment(scene.joint(*scene.find_joint("robot/root")).q, 3) = Vec3(2, 1, kPi / 2);
  const Pose left = pose_of(scene, q, "robot/wheel_left");
  EXPECT_LT((left.p - Vec3(2 - 0.255, 1, 0.1)).norm(), 1e-12);
  const Pose arm = pose_of(scene, q, "robot/arm_base");
  EXPECT_LT((arm.p - Vec3(2, 1 + 0.08, 0.31)).norm(), 1e-12);
  // What stands on the floor touches it: wheels of radius 0.1 and balls of 0.035.
  double lowest = 1;
  for (const Geometry& g : scene.geometry()) {
    if (!g.collision) continue;
    for (const Vec3& v : make_mesh(g.shape, 64).vertices) {
      Workspace workspace(scene);
      ASSERT_TRUE(compute_dependents(scene, q, workspace));
      lowest = std::min(lowest, (compute_pose(scene, workspace, g.body) * (g.X_BG * v)).z());
    }
  }
  EXPECT_NEAR(lowest, 0, 1e-9);
}

TEST(RotatingCrane, HookGoesWhereItIsSent) {  // MV-1, MV-11
  const Scene crane = compile(load_model("rotating_crane/rotating_crane"));
  const double top = 22.1 + 0.02 - 3.6 - 0.66;  // hook point when hoisted
  const Pose front =
      pose_of(crane, with(crane, {{"trolley_joint", 20}, {"hoist", 10}}), "hook_point");
  EXPECT_LT((front.p - Vec3(20, 0, top - 10)).norm(), 1e-12);
  const Pose left = pose_of(
      crane,
      with(crane,
           {{"slew", kPi / 2}, {"trolley_joint", 27}, {"hoist", 17.5}, {"swivel", -kPi / 2}}),
      "hook_point");
  EXPECT_LT((left.p - Vec3(0, 27, top - 17.5)).norm(), 1e-12);
  EXPECT_LT((left.R - Mat3::Identity()).norm(), 1e-12);
  EXPECT_GT(left.p.z(), 0);
}

TEST(TravellingCrane, HookGoesWhereItIsSent) {  // MV-1, MV-11
  const Scene crane = compile(load_model("travelling_crane/travelling_crane"));
  const double top = 9 + 1.19 - 2.5 - 0.66;
  const Pose hook =
      pose_of(crane, with(crane, {{"bridge_joint", -7}, {"trolley_joint", 3}, {"hoist", 11}}),
              "hook_point");
  EXPECT_LT((hook.p - Vec3(-7, 3, top - 11)).norm(), 1e-12);
}

// MV-3: the rope is a telescope; at every height of the hook its sections overlap, and none is
// above the trolley or below the block.
TEST(Cranes, RopesStayWhole) {
  for (const auto& [path, length] : {std::pair{"rotating_crane/rotating_crane", 3.0},
                                     std::pair{"travelling_crane/travelling_crane", 1.8}}) {
    const Scene crane = compile(load_model(path));
    const double highest = crane.joint(*crane.find_joint("hoist")).limits[0].upper;
    for (const double hoist : {0.0, 0.3 * highest, highest}) {
      const VecX q = with(crane, {{"hoist", hoist}});
      const double trolley = pose_of(crane, q, "trolley").p.z();
      double above = trolley;
      for (std::size_t i = 1; i <= crane.followers().size(); ++i) {
        const double at = pose_of(crane, q, fmt::format("rope{}", i).c_str()).p.z();
        EXPECT_LE(at, above + 1e-9);
        EXPECT_GE(at, above - length) << "a gap in the rope";
        above = at;
      }
      EXPECT_GE(pose_of(crane, q, "block").p.z(), above - length);
    }
  }
}

}  // namespace
}  // namespace geste

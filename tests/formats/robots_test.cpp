#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "geste/formats/urdf.hpp"
#include "geste/math/so3.hpp"
#include "geste/model/assemble.hpp"
#include "geste/model/configuration.hpp"
#include "geste/model/kinematics.hpp"

#include "testing.hpp"

// Kinematics of real robots against the figures of another library (Pinocchio 3.7, reference.json):
// link poses, link velocities, Jacobians and centre of mass. MV-1

namespace geste {
namespace {

using nlohmann::json;

json load_json(const std::filesystem::path& path) {
  std::ifstream in(path);
  return json::parse(in);
}

Pose to_pose(const json& x) {
  return {Quat(x[6], x[3], x[4], x[5]).normalized(), Vec3(x[0], x[1], x[2])};
}

VecX to_vector(const json& x) {
  const auto values = x.get<std::vector<double>>();
  return Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Where the reference's entries go in ours, joint by joint: it has (cos, sin) for continuous
/// joints.
struct Layout {
  struct Item {
    const Joint* joint;
    int q, nq, v;
  };
  std::vector<Item> items;

  Layout(const Scene& scene, const json& joints) {
    for (const json& j : joints) {
      const auto id = scene.find_joint(
          "robot/" + (j["name"] == "root_joint" ? "root" : j["name"].get<std::string>()));
      if (!id) {
        ADD_FAILURE() << j["name"];
        continue;
      }
      items.push_back({&scene.joint(*id), j["idx_q"], j["nq"], j["idx_v"]});
    }
  }

  void apply(const VecX& q_ref, const VecX& v_ref, VecX& q, VecX& v) const {
    for (const Item& i : items) {
      const bool circle = i.joint->nq == 1 && i.nq == 2;
      if (circle) {
        q[i.joint->q] = std::atan2(q_ref[i.q + 1], q_ref[i.q]);
      } else {
        q.segment(i.joint->q, i.nq) = q_ref.segment(i.q, i.nq);
      }
      v.segment(i.joint->v, i.joint->nv) = v_ref.segment(i.v, i.joint->nv);
    }
  }
};

Scene load_robot(const std::filesystem::path& urdf, bool free) {
  UrdfOptions options;
  options.meshes = UrdfMeshes::none;
  SceneSpec world;
  PlaceOptions placing;
  placing.name = "robot";
  placing.root = free ? JointType::free : JointType::fixed;
  SceneSpec robot = load_urdf(urdf, options).value();
  // The reference takes every joint as independent.
  for (JointSpec& j : robot.joints) j.follow.reset();
  place(world, robot, placing);
  return Scene::compile(std::move(world)).value();
}

void expect_sample_agrees(const Scene& scene, const Layout& layout, const json& sample) {
  Workspace w(scene);
  VecX q = make_neutral(scene), v = VecX::Zero(scene.nv());
  layout.apply(to_vector(sample["q"]), to_vector(sample["v"]), q, v);
  compute_kinematics(scene, q, w);
  compute_joint_columns(scene, w);
  compute_velocities(scene, v, w);
  Mat6X J(6, scene.nv());
  for (const auto& [link, pose] : sample["link_poses"].items()) {
    const auto body = scene.find_body("robot/" + link);
    ASSERT_TRUE(body) << link;
    EXPECT_TRUE(compute_pose(scene, w, *body).is_approx(to_pose(pose), 1e-9)) << link;
    const VecX expected = to_vector(sample["link_velocities"][link]);
    EXPECT_LT((compute_velocity(scene, w, *body).vector() - expected).norm(), 1e-9) << link;
    compute_point_jacobian(scene, w, *body, Vec3::Zero(), J);
    EXPECT_LT((J * v - expected).norm(), 1e-9) << link;
  }
  // Gravity's torque is the potential's slope: m g times the vertical row of the centre of mass's
  // Jacobian.
  Mat3X J_com(3, scene.nv());
  compute_com_jacobian(scene, w, J_com);
  const VecX gravity = 9.81 * scene.moving_mass() * J_com.row(2).transpose();
  const VecX reference = to_vector(sample["gravity_torque"]);
  for (const Layout::Item& i : layout.items) {
    EXPECT_LT(
        (gravity.segment(i.joint->v, i.joint->nv) - reference.segment(i.v, i.joint->nv)).norm(),
        1e-8)
        << i.joint->name;
  }
}

class Robots : public ::testing::TestWithParam<const char*> {};

TEST_P(Robots, AgreeWithAnotherLibrary) {
  const auto folder = testing::shared_data() / "robots" / GetParam();
  GESTE_NEEDS_DATA(folder / "reference.json");
  const json reference = load_json(folder / "reference.json");
  const Scene scene = load_robot(folder / reference["model"].get<std::string>(),
                                 reference["root_joint"] == "free_flyer");
  EXPECT_EQ(scene.nv(), reference["nv"].get<int>());
  EXPECT_NEAR(scene.moving_mass(), reference["total_mass"].get<double>(), 1e-9);
  const Layout layout(scene, reference["joints"]);
  for (const json& sample : reference["samples"]) expect_sample_agrees(scene, layout, sample);
}

INSTANTIATE_TEST_SUITE_P(Data, Robots, ::testing::Values("talos", "tiago", "anymal_c", "human66"),
                         [](const auto& test) { return std::string(test.param); });

// The human with ball joints: a tree given body by body, so multi-DoF joints are tested without a
// URDF.
TEST(Robots, HumanWithBallJointsAgrees) {
  const auto file = testing::shared_data() / "robots/human66/reference_spherical.json";
  GESTE_NEEDS_DATA(file);
  const json reference = load_json(file);
  SceneSpec spec;
  for (const json& b : reference["bodies"]) {
    const auto I = b["inertia_com"].get<std::vector<double>>();
    InertiaSpec inertia{b["mass"], Vec3(b["com"][0], b["com"][1], b["com"][2]), Mat3::Zero()};
    inertia.inertia << I[0], I[1], I[3], I[1], I[2], I[4], I[3], I[4], I[5];
    spec.bodies.push_back({.name = b["name"], .inertia = inertia});
    JointSpec joint;
    joint.name = "robot/" + (b["name"] == "root_joint" ? "root" : b["name"].get<std::string>());
    joint.child = b["name"];
    if (b["parent"] > 0)
      joint.parent = reference["bodies"][b["parent"].get<std::size_t>() - 1]["name"];
    joint.type = b["type"] == "JointModelFreeFlyer" ? JointType::free : JointType::spherical;
    joint.X_PJ = to_pose(b["placement"]);
    spec.joints.push_back(joint);
  }
  const Scene scene = Scene::compile(std::move(spec)).value();
  EXPECT_EQ(scene.nq(), reference["nq"].get<int>());
  const Layout layout(scene, reference["joints"]);
  Workspace w(scene);
  VecX q = make_neutral(scene), v = VecX::Zero(scene.nv());
  for (const json& sample : reference["samples"]) {
    layout.apply(to_vector(sample["q"]), to_vector(sample["v"]), q, v);
    compute_kinematics(scene, q, w);
    compute_joint_columns(scene, w);
    Mat3X J_com(3, scene.nv());
    compute_com_jacobian(scene, w, J_com);
    const VecX gravity = 9.81 * scene.moving_mass() * J_com.row(2).transpose();
    EXPECT_LT((gravity - to_vector(sample["gravity_torque"])).norm(), 1e-8);
    // Kinetic energy from the mass matrix and from the links' velocities.
    compute_velocities(scene, v, w);
    double energy = 0;
    for (std::size_t i = 1; i < scene.movers().size(); ++i) {
      const Pose& X = w.X_WM()[i];
      const Motion& V = w.V_WM()[i];
      energy += scene.movers()[i].inertia.kinetic_energy(
          {X.R.transpose() * V.linear, X.R.transpose() * V.angular});
    }
    MatX M(scene.nv(), scene.nv());
    for (int r = 0; r < scene.nv(); ++r)
      M.row(r) = to_vector(sample["mass_matrix"][static_cast<std::size_t>(r)]).transpose();
    EXPECT_NEAR(energy, 0.5 * v.dot(M * v), 1e-8);
  }
}

}  // namespace
}  // namespace geste

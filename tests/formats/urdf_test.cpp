// MV-1, MV-3, MV-10: robots come in as they are. Witnesses: urdfdom (the reader of ROS) for every
// number of every robot, Pinocchio's joint lists in reference.json, and cases worked by hand.
#include "geste/formats/urdf.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <urdf_parser/urdf_parser.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "formats/urdf_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;
using testing::read;
using testing::shared_data;
using testing::two_links;
using testing::with_fake_meshes;
using testing::without_meshes;

Vec3 to_vec(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
Pose to_pose(const urdf::Pose& pose) {
  const urdf::Rotation& q = pose.rotation;
  return {Quat(q.w, q.x, q.y, q.z), to_vec(pose.position)};
}

std::vector<std::string> robot_files() {
  return {"anymal_c/anymal_c.urdf", "fetch/fetch.urdf", "fetch/fetch_spherized.urdf",
          "human66/human66.urdf",   "panda/panda.urdf", "panda/panda_spherized.urdf",
          "talos/talos.urdf",       "tiago/tiago.urdf"};
}

class UrdfRobots : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, UrdfRobots, ::testing::ValuesIn(robot_files()),
                         [](const auto& robot_file) {
                           return fs::path(robot_file.param).stem().string();
                         });

JointType type_of(const urdf::Joint& joint) {
  switch (joint.type) {
    case urdf::Joint::REVOLUTE:
      return JointType::revolute;
    case urdf::Joint::CONTINUOUS:
      return JointType::continuous;
    case urdf::Joint::PRISMATIC:
      return JointType::prismatic;
    case urdf::Joint::FLOATING:
      return JointType::free;
    case urdf::Joint::PLANAR:
      return JointType::planar;
    default:
      return JointType::fixed;
  }
}

void expect_same_joint(const JointSpec& ours, const urdf::Joint& theirs) {
  SCOPED_TRACE(ours.name);
  EXPECT_EQ(ours.type, type_of(theirs));
  EXPECT_EQ(ours.parent, theirs.parent_link_name);
  EXPECT_EQ(ours.child, theirs.child_link_name);
  EXPECT_TRUE(ours.X_PJ.is_approx(to_pose(theirs.parent_to_joint_origin_transform), 1e-12));
  EXPECT_GT(ours.source.line, 0);
  if (ours.type == JointType::fixed) return;
  EXPECT_LE((ours.axis - to_vec(theirs.axis).normalized()).cwiseAbs().maxCoeff(), 1e-12);
  if (theirs.limits) {
    ASSERT_EQ(ours.limits.size(), 1u);
    if (ours.type != JointType::continuous) {
      EXPECT_EQ(ours.limits[0].lower, theirs.limits->lower);
      EXPECT_EQ(ours.limits[0].upper, theirs.limits->upper);
    }
    EXPECT_EQ(ours.limits[0].velocity, theirs.limits->velocity);
    EXPECT_EQ(ours.limits[0].effort, theirs.limits->effort);
  }
  EXPECT_EQ(ours.damping, theirs.dynamics ? theirs.dynamics->damping : 0);
  EXPECT_EQ(ours.friction, theirs.dynamics ? theirs.dynamics->friction : 0);
  ASSERT_EQ(ours.follow.has_value(), theirs.mimic != nullptr);
  if (theirs.mimic) {
    EXPECT_EQ(ours.follow->leaders, std::vector<std::string>{theirs.mimic->joint_name});
    const auto& line = std::get<LinearFollow>(ours.follow->function);
    EXPECT_EQ(line.multiplier, theirs.mimic->multiplier);
    EXPECT_EQ(line.offset, theirs.mimic->offset);
  }
}

void expect_same_inertia(const BodySpec& ours, const urdf::Link& theirs) {
  ASSERT_EQ(ours.inertia.has_value(), theirs.inertial != nullptr);
  if (!theirs.inertial) return;
  const urdf::Inertial& t = *theirs.inertial;
  const Pose X_BI = to_pose(t.origin);
  Mat3 I;
  I << t.ixx, t.ixy, t.ixz, t.ixy, t.iyy, t.iyz, t.ixz, t.iyz, t.izz;
  EXPECT_EQ(ours.inertia->mass, t.mass);
  EXPECT_LE((ours.inertia->com - X_BI.p).cwiseAbs().maxCoeff(), 1e-12);
  const Mat3 I_B = X_BI.R * I * X_BI.R.transpose();
  EXPECT_LE((ours.inertia->inertia - I_B).cwiseAbs().maxCoeff(), 1e-12);
}

void expect_same_shape(const Shape& ours, const urdf::Geometry& theirs) {
  if (theirs.type == urdf::Geometry::BOX) {
    EXPECT_EQ(std::get<Box>(ours).size, to_vec(dynamic_cast<const urdf::Box&>(theirs).dim));
  } else if (theirs.type == urdf::Geometry::SPHERE) {
    EXPECT_EQ(std::get<Sphere>(ours).radius, dynamic_cast<const urdf::Sphere&>(theirs).radius);
  } else if (theirs.type == urdf::Geometry::CYLINDER) {
    const auto& cylinder = dynamic_cast<const urdf::Cylinder&>(theirs);
    EXPECT_EQ(std::get<Cylinder>(ours).radius, cylinder.radius);
    EXPECT_EQ(std::get<Cylinder>(ours).length, cylinder.length);
  } else {
    // The fake tetrahedron's tips show the scale.
    const Vec3 scale = to_vec(dynamic_cast<const urdf::Mesh&>(theirs).scale);
    const TriangleMesh& mesh = *std::get<MeshShape>(ours);
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(mesh.vertices[1 + axis][axis], scale[axis]);
    EXPECT_NEAR(compute_volume(mesh), std::abs(scale.prod()) / 6, 1e-15);
  }
}

TEST_P(UrdfRobots, AgreeWithUrdfdom) {
  const fs::path path = shared_data() / "robots" / GetParam();
  GESTE_NEEDS_DATA(path);
  std::map<fs::path, int> asked;
  const Result<SceneSpec> ours = load_urdf(path, with_fake_meshes(asked));
  ASSERT_TRUE(ours) << to_text(ours.error());
  const urdf::ModelInterfaceSharedPtr theirs = urdf::parseURDFFile(path.string());
  ASSERT_TRUE(theirs);

  EXPECT_EQ(ours->name, theirs->getName());
  ASSERT_EQ(ours->bodies.size(), theirs->links_.size());
  ASSERT_EQ(ours->actors.size(), 1u);
  EXPECT_EQ(ours->actors[0].bodies.size(), ours->bodies.size());
  std::set<std::string> children;
  ASSERT_EQ(ours->joints.size(), theirs->joints_.size());
  for (const JointSpec& joint : ours->joints) {
    ASSERT_TRUE(theirs->getJoint(joint.name)) << joint.name;
    expect_same_joint(joint, *theirs->getJoint(joint.name));
    children.insert(joint.child);
  }
  for (const BodySpec& body : ours->bodies) {
    SCOPED_TRACE(body.name);
    const auto link = theirs->getLink(body.name);
    ASSERT_TRUE(link);
    expect_same_inertia(body, *link);
    ASSERT_EQ(body.geometry.size(), link->collision_array.size());
    for (std::size_t i = 0; i < body.geometry.size(); ++i) {
      EXPECT_TRUE(
          body.geometry[i].X_BG.is_approx(to_pose(link->collision_array[i]->origin), 1e-12));
      expect_same_shape(body.geometry[i].shape, *link->collision_array[i]->geometry);
    }
    EXPECT_EQ(children.contains(body.name), body.name != theirs->getRoot()->name);
  }
  for (const auto& [file, times] : asked) EXPECT_EQ(times, 1) << file;
}

class UrdfReferences : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, UrdfReferences,
                         ::testing::Values("anymal_c", "human66", "talos", "tiago"),
                         [](const auto& name) { return name.param; });

TEST_P(UrdfReferences, HaveTheJointsOfPinocchio) {
  const fs::path folder = shared_data() / "robots" / GetParam();
  const fs::path reference_path = folder / "reference.json";
  GESTE_NEEDS_DATA(reference_path);
  const auto robot = load_urdf(folder / (GetParam() + ".urdf"), without_meshes());
  ASSERT_TRUE(robot) << to_text(robot.error());
  const auto reference = nlohmann::json::parse(std::ifstream(reference_path));
  std::set<std::string> moving, expected;
  int nv = 0;
  for (const JointSpec& joint : robot->joints) {
    if (joint.type == JointType::fixed) continue;
    moving.insert(joint.name);
    nv += 1;  // every moving joint of these files has one degree of freedom
  }
  int nq = nv;
  for (const auto& joint : reference["joints"]) {
    if (joint["name"] == "root_joint") {  // the free flyer is not in the file
      nq += 7;
      nv += 6;
      continue;
    }
    expected.insert(joint["name"].get<std::string>());
    // Pinocchio counts a continuous joint as cosine and sine.
    if (joint["nq"] == 2) nq += 1;
  }
  EXPECT_EQ(moving, expected);
  EXPECT_EQ(nq, reference["nq"].get<int>());
  EXPECT_EQ(nv, reference["nv"].get<int>());
  double mass = 0;
  for (const BodySpec& body : robot->bodies) mass += body.inertia ? body.inertia->mass : 0;
  // total_mass leaves out what is welded to the world: only TIAGo has a fixed base.
  if (robot->name != "tiago") {
    EXPECT_NEAR(mass, reference["total_mass"].get<double>(), 1e-9);
  }
}

// ---- Cases worked by hand ----

TEST(Urdf, TurnsTheInertiaIntoBodyAxes) {
  const SceneSpec r =
      read(two_links("<inertial><origin xyz='1 2 3' rpy='0 0 0.3'/><mass value='2'/>"
                     "<inertia ixx='1' ixy='0' ixz='0' iyy='1.5' iyz='0' izz='2'/></inertial>"));
  const InertiaSpec& inertia = r.bodies.at(0).inertia.value();
  const double c = std::cos(0.3), s = std::sin(0.3);
  EXPECT_EQ(inertia.mass, 2);
  EXPECT_EQ(inertia.com, Vec3(1, 2, 3));
  EXPECT_NEAR(inertia.inertia(0, 0), c * c + 1.5 * s * s, 1e-15);
  EXPECT_NEAR(inertia.inertia(0, 1), (1 - 1.5) * s * c, 1e-15);
  EXPECT_NEAR(inertia.inertia(2, 2), 2, 1e-15);
}

TEST(Urdf, ReadsEveryShape) {
  const SceneSpec r = read(two_links(
      "<visual name='eye'><origin xyz='0 0 1'/><geometry><capsule radius='0.1' length='0.4'/>"
      "</geometry><material name='red'><color rgba='1 0 0.5 0.25'/></material></visual>"
      "<visual><geometry><sphere radius='0.2'/></geometry><material name='red'/></visual>"
      "<collision><geometry><box size='1 2 3'/></geometry></collision>"
      "<collision><geometry><cylinder radius='0.3' length='0.7'/></geometry></collision>"));
  const auto& geometry = r.bodies.at(0).geometry;
  ASSERT_EQ(geometry.size(), 4u);
  EXPECT_EQ(geometry[0].name, "eye");
  EXPECT_EQ(geometry[0].X_BG.p, Vec3(0, 0, 1));
  EXPECT_EQ(std::get<Capsule>(geometry[0].shape).length, 0.4);
  EXPECT_TRUE(geometry[0].visual && !geometry[0].collision);
  EXPECT_TRUE(!geometry[2].visual && geometry[2].collision);
  EXPECT_EQ(std::get<Box>(geometry[2].shape).size, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<Cylinder>(geometry[3].shape).radius, 0.3);
  // sRGB one half is 0.2140 of full light (IEC 61966-2-1). A material may be named again.
  for (int i : {0, 1}) {
    ASSERT_TRUE(geometry[i].colour);
    EXPECT_EQ(geometry[i].colour->r, 1);
    EXPECT_NEAR(geometry[i].colour->b, 0.21404, 1e-5);
    EXPECT_EQ(geometry[i].colour->a, 0.25);
  }
  EXPECT_TRUE(r.notes.empty());
}

TEST(Urdf, ReadsQuaternions) {
  const SceneSpec r = read(two_links("",
                                     "<origin quat_xyzw='0 0 0.7071067811865476 "
                                     "0.7071067811865476'/>"));
  EXPECT_LE((r.joints.at(0).X_PJ.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
}

TEST(Urdf, ReadsJointTypesBeyondTheStandard) {
  const SceneSpec universal = read(
      two_links("",
                "<axis xyz='0 0 1'/><axis2 xyz='1 0 0'/><limit lower='-1' upper='2' velocity='3' "
                "effort='4'/><limit lower='-5' upper='6' velocity='7' effort='8'/>",
                "universal"));
  const JointSpec& u = universal.joints.at(0);
  EXPECT_EQ(u.type, JointType::universal);
  EXPECT_EQ(u.axis, Vec3::UnitZ());
  EXPECT_EQ(u.axis2, Vec3::UnitX());
  ASSERT_EQ(u.limits.size(), 2u);
  EXPECT_EQ(u.limits[1].lower, -5);
  EXPECT_EQ(u.limits[1].effort, 8);

  for (const char* name : {"spherical", "ball"}) {
    const JointSpec s =
        read(two_links("", "<limit upper='1.2' velocity='3' effort='4'/>", name)).joints.at(0);
    EXPECT_EQ(s.type, JointType::spherical);
    ASSERT_EQ(s.limits.size(), 3u);
    EXPECT_EQ(s.limits[0].upper, 1.2);
    EXPECT_EQ(s.limits[2].velocity, 3);
  }

  const JointSpec planar = read(two_links("",
                                          "<axis xyz='0 0 1'/>"
                                          "<limit lower='-1' upper='1' velocity='1' effort='1'/>"
                                          "<limit lower='-2' upper='2' velocity='1' effort='1'/>"
                                          "<limit lower='-3' upper='3' velocity='9' effort='1'/>",
                                          "planar"))
                               .joints.at(0);
  EXPECT_EQ(planar.axis, Vec3::UnitZ());
  ASSERT_EQ(planar.limits.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(planar.limits[k].lower, -1 - static_cast<double>(k)) << "the yaw's too";
    EXPECT_EQ(planar.limits[k].upper, 1 + static_cast<double>(k));
  }
  EXPECT_EQ(planar.limits[2].velocity, 9);
  EXPECT_EQ(read(two_links("", "", "floating")).joints.at(0).type, JointType::free);
}

TEST(Urdf, FollowsLeaders) {  // MV-3
  const std::string two =
      "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>"
      "<joint name='lead' type='continuous'><parent link='a'/><child link='b'/></joint>"
      "<joint name='follow' type='continuous'><parent link='b'/><child link='c'/>"
      "<mimic joint='lead' multiplier='-2' offset='0.5'/></joint></robot>";
  const SceneSpec r = read(two);
  ASSERT_TRUE(r.joints.at(1).follow);
  EXPECT_EQ(r.joints[1].follow->leaders, std::vector<std::string>{"lead"});
  const auto& line = std::get<LinearFollow>(r.joints[1].follow->function);
  EXPECT_EQ(line.multiplier, -2);
  EXPECT_EQ(line.offset, 0.5);
}

TEST(Urdf, ShowsCollisionShapesOfRobotsWithoutVisuals) {
  const SceneSpec r =
      read(two_links("<collision><geometry><sphere radius='1'/></geometry></collision>"));
  EXPECT_TRUE(r.bodies.at(0).geometry.at(0).visual);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_EQ(r.notes[0].code, "urdf.no_visual");
}

}  // namespace
}  // namespace geste

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

#include "geste/core/files.hpp"

#include "testing.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;
using testing::shared_data;

/// The tetrahedron on the unit vectors: volume 1/6, outside out.
TriangleMesh tetrahedron() {
  TriangleMesh mesh;
  mesh.vertices = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

/// A loader that hands out tetrahedra and counts what it is asked for.
UrdfOptions with_fake_meshes(std::map<fs::path, int>& asked) {
  UrdfOptions options;
  options.load_mesh = [&asked](const fs::path& path, Notes&) -> Result<UrdfMesh> {
    ++asked[path];
    return UrdfMesh{std::make_shared<const TriangleMesh>(tetrahedron()), {}};
  };
  return options;
}

UrdfOptions without_meshes() {
  UrdfOptions options;
  options.meshes = UrdfMeshes::none;
  return options;
}

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

TEST(UrdfMeshFiles, TalosMirrorsThirteenAndSharesEqualOnes) {
  const fs::path path = shared_data() / "robots/talos/talos.urdf";
  GESTE_NEEDS_DATA(path);
  std::map<fs::path, int> asked;
  const auto robot = load_urdf(path, with_fake_meshes(asked));
  ASSERT_TRUE(robot) << to_text(robot.error());
  int meshes = 0, mirrored = 0;
  std::set<const TriangleMesh*> surfaces;
  for (const BodySpec& body : robot->bodies) {
    for (const GeometrySpec& geometry : body.geometry) {
      const auto* mesh = std::get_if<MeshShape>(&geometry.shape);
      if (mesh == nullptr) continue;
      ++meshes;
      surfaces.insert(mesh->get());
      mirrored += (*mesh)->vertices[2].y() < 0;
      EXPECT_GT(compute_volume(**mesh), 0) << body.name;  // outside stays outside
    }
  }
  EXPECT_EQ(meshes, 47);
  EXPECT_EQ(mirrored, 13);
  EXPECT_EQ(asked.size(), 24u);  // distinct files of the URDF
  EXPECT_LT(surfaces.size(), 47u);
}

// ---- Cases worked by hand ----

/// A robot of two links; `link` goes into the first, `joint` into the joint between them.
std::string robot(const std::string& link, const std::string& joint = "",
                  const std::string& type = "fixed") {
  return "<robot name='r'>\n<link name='a'>\n" + link + "\n</link>\n<link name='b'/>\n" +
         "<joint name='j' type='" + type + "'>\n<parent link='a'/><child link='b'/>\n" + joint +
         "\n</joint>\n</robot>\n";
}

SceneSpec read(const std::string& xml) {
  const auto result = parse_urdf(xml, "r.urdf", without_meshes());
  if (!result) ADD_FAILURE() << to_text(result.error()) << "\n" << xml;
  return result ? *result : SceneSpec{};
}

TEST(Urdf, TurnsTheInertiaIntoBodyAxes) {
  const SceneSpec r =
      read(robot("<inertial><origin xyz='1 2 3' rpy='0 0 0.3'/><mass value='2'/>"
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
  const SceneSpec r = read(
      robot("<visual name='eye'><origin xyz='0 0 1'/><geometry><capsule radius='0.1' length='0.4'/>"
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
  const SceneSpec r = read(robot("",
                                 "<origin quat_xyzw='0 0 0.7071067811865476 "
                                 "0.7071067811865476'/>"));
  EXPECT_LE((r.joints.at(0).X_PJ.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
}

TEST(Urdf, ReadsJointTypesBeyondTheStandard) {
  const SceneSpec universal =
      read(robot("",
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
        read(robot("", "<limit upper='1.2' velocity='3' effort='4'/>", name)).joints.at(0);
    EXPECT_EQ(s.type, JointType::spherical);
    ASSERT_EQ(s.limits.size(), 3u);
    EXPECT_EQ(s.limits[0].upper, 1.2);
    EXPECT_EQ(s.limits[2].velocity, 3);
  }

  const JointSpec planar = read(robot("",
                                      "<axis xyz='0 0 1'/>"
                                      "<limit lower='-1' upper='1' velocity='1' effort='1'/>"
                                      "<limit lower='-2' upper='2' velocity='1' effort='1'/>"
                                      "<limit lower='-3' upper='3' velocity='9' effort='1'/>",
                                      "planar"))
                               .joints.at(0);
  EXPECT_EQ(planar.axis, Vec3::UnitZ());
  ASSERT_EQ(planar.limits.size(), 3u);
  EXPECT_EQ(planar.limits[1].upper, 2);
  EXPECT_EQ(planar.limits[2].velocity, 9);
  EXPECT_EQ(read(robot("", "", "floating")).joints.at(0).type, JointType::free);
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
      read(robot("<collision><geometry><sphere radius='1'/></geometry></collision>"));
  EXPECT_TRUE(r.bodies.at(0).geometry.at(0).visual);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_EQ(r.notes[0].code, "urdf.no_visual");
}

// ---- Bad input: each message with its line ----

struct BadCase {
  std::string xml;
  std::string code;
  int line;
  std::string said;  ///< in message, element or remedy
};

void expect_said(const Diagnostic& d, const BadCase& bad) {
  SCOPED_TRACE(bad.xml + "\n" + to_text(d));
  EXPECT_EQ(d.code, bad.code);
  EXPECT_EQ(d.line, bad.line);
  EXPECT_EQ(d.file, "r.urdf");
  EXPECT_NE(to_text(d).find(bad.said), std::string::npos) << bad.said;
}

void expect_fault(const BadCase& bad) {
  const auto result = parse_urdf(bad.xml, "r.urdf", without_meshes());
  ASSERT_FALSE(result) << bad.xml;
  expect_said(result.error(), bad);
  EXPECT_TRUE(result.error().also.empty()) << to_text(result.error());
  EXPECT_FALSE(result.error().remedy.empty());
}

std::string inertial(const std::string& mass, const std::string& ixx) {
  return "<inertial><mass value='" + mass + "'/>\n<inertia ixx='" + ixx +
         "' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";
}

TEST(UrdfFaults, OfLinks) {
  const auto shape = [](const std::string& text) {
    return robot("<collision>\n<geometry>" + text + "</geometry></collision>");
  };
  const std::vector<BadCase> cases = {
      {robot(inertial("-1", "1")), "urdf.mass", 3, "link 'a': the mass is -1 kg"},
      {robot(inertial("heavy", "1")), "urdf.number", 3, "value=\"heavy\" of <mass>"},
      {robot(inertial("${m}", "1")), "urdf.number", 3, "run xacro"},
      {robot(inertial("inf", "1")), "urdf.number", 3, "is not finite"},
      {robot(inertial("1", "nan")), "urdf.number", 4, "ixx"},
      {robot("<inertial><mass value='1'/></inertial>"), "urdf.missing_element", 3, "no <inertia>"},
      {robot("<inertial/>\n<inertial/>"), "urdf.missing_element", 3, "no <mass>"},
      {shape("<box size='1 2'/>"), "urdf.number", 4, "has 2 numbers instead of 3"},
      {shape("<box size='1 2 0'/>"), "urdf.size", 4, "above zero"},
      {shape("<sphere radius='-1'/>"), "urdf.size", 4, "radius of <sphere> is -1"},
      {shape("<sphere/>"), "urdf.missing_attribute", 4, "<sphere> has no 'radius'"},
      {shape("<cylinder radius='1' length='0'/>"), "urdf.size", 4, "length"},
      {shape("<capsule radius='1e999' length='1'/>"), "urdf.number", 4, "not a number"},
      {shape("<mesh filename='a.stl' scale='1 0 1'/>"), "urdf.size", 4, "mirrors"},
      {shape("<mesh/>"), "urdf.missing_attribute", 4, "filename"},
      {shape(""), "urdf.missing_element", 4, "holds no shape"},
      {shape("<sphere radius='1'/><box size='1 1 1'/>"), "urdf.repeated", 4, "<sphere> and <box>"},
      {robot("<visual/>"), "urdf.missing_element", 3, "<visual> has no <geometry>"},
      {robot("", "<origin xyz='1 2 x'/>"), "urdf.number", 8, "not a number"},
      {robot("", "<origin rpy='1 2'/>"), "urdf.number", 8, "2 numbers"},
      {robot("", "<origin xyz=''/>"), "urdf.number", 8, "0 numbers"},
      {robot("", "<origin quat_xyzw='0 0 0 2'/>"), "urdf.number", 8, "unit quaternion"},
  };
  for (const BadCase& bad : cases) {
    if (bad.xml.find("<inertial/>") != std::string::npos) continue;  // several faults: below
    expect_fault(bad);
  }
}

TEST(UrdfFaults, OfJoints) {
  const std::string limit = " velocity='1' effort='1'/>";
  const std::vector<BadCase> cases = {
      {robot("", "", "revolut"), "urdf.joint_type", 6, "did you mean 'revolute'?"},
      {robot("", "<limit lower='2' upper='1'" + limit, "revolute"), "urdf.limits", 8,
       "joint 'j': the lower limit 2 is above the upper limit 1"},
      {robot("", "<limit lower='inf' upper='inf'" + limit, "prismatic"), "urdf.limits", 8, "open"},
      {robot("", "<limit lower='0' upper='1' velocity='-1' effort='1'/>", "prismatic"),
       "urdf.limits", 8, "velocity limit is -1"},
      {robot("", "<limit" + limit + "<limit" + limit, "revolute"), "urdf.limits", 8, "2 <limit>"},
      {robot("", "<axis xyz='0 0 0'/>", "continuous"), "urdf.axis", 8, "<axis> is zero"},
      {robot("", "<axis xyz='0 1 0'/><axis2 xyz='0 2 0'/>", "universal"), "urdf.axis", 6,
       "parallel"},
      {robot("", "<dynamics damping='-1'/>", "continuous"), "urdf.dynamics", 8, "damping is -1"},
      {robot("", "<mimic joint='j'/>", "continuous"), "urdf.mimic", 6, "mimics itself"},
      {robot("", "<mimic joint='k'/>", "continuous"), "urdf.mimic", 6, "did you mean 'j'?"},
      {robot("", "<mimic/>", "continuous"), "urdf.missing_attribute", 8, "<mimic> has no 'joint'"},
      {robot("", "<mimic joint='j'/>", "planar"), "urdf.mimic", 8, "3 degrees of freedom"},
      {"<robot name='r'>\n<link name='a'/>\n<joint name='j' type='fixed'><parent link='a'/>"
       "</joint></robot>",
       "urdf.missing_element", 3, "no <child>"},
  };
  for (const BadCase& bad : cases) expect_fault(bad);
}

std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& more = "") {
  return "<joint name='" + name + "' type='continuous'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + more + "</joint>\n";
}

TEST(UrdfFaults, OfTheTree) {
  const std::string links =
      "<robot name='r'>\n<link name='arm'/>\n<link name='hand'/>\n"
      "<link name='tip'/>\n";
  const std::vector<BadCase> cases = {
      {"<robot name='r'></robot>", "urdf.no_links", 1, "no links"},
      {links + joint("j", "arm", "hand") + "</robot>", "urdf.several_roots", 1,
       "2 links have no parent: arm, tip"},
      {links + joint("j", "arm", "hnad") + joint("k", "arm", "tip") + "</robot>",
       "urdf.unknown_link", 5, "did you mean 'hand'?"},
      {links + joint("j", "am", "hand") + joint("k", "arm", "tip") + "</robot>",
       "urdf.unknown_link", 5, "the parent link 'am' does not exist"},
      {links + joint("j", "arm", "hand") + joint("k", "arm", "tip") + joint("l", "tip", "hand") +
           "</robot>",
       "urdf.two_parents", 7, "link 'hand' is already the child of joint 'j' (line 5)"},
      {links + joint("j", "tip", "hand") + joint("k", "hand", "tip") + "</robot>", "urdf.cycle", 3,
       "tip -> hand"},
      {links + "<link name='tip'/>\n" + joint("j", "arm", "hand") + joint("k", "hand", "tip") +
           "</robot>",
       "urdf.duplicate_name", 5, "link 'tip': the link at line 4 has the same name"},
      {links + joint("j", "arm", "hand") + joint("j", "hand", "tip") + "</robot>",
       "urdf.duplicate_name", 6, "joint 'j'"},
      {links + joint("j", "arm", "hand", "<mimic joint='k'/>") +
           joint("k", "hand", "tip", "<mimic joint='j'/>") + "</robot>",
       "urdf.mimic", 5, "in a ring: j -> k"},
      {links + "<joint name='j' type='fixed'><parent link='arm'/><child link='hand'/></joint>\n" +
           joint("k", "hand", "tip", "<mimic joint='j'/>") + "</robot>",
       "urdf.mimic", 6, "not exactly one degree of freedom"},
      {"<robot name='r'>\n<link/>\n</robot>", "urdf.missing_attribute", 2, "<link> has no 'name'"},
  };
  for (const BadCase& bad : cases) {
    if (bad.code == "urdf.missing_attribute") continue;  // with urdf.no_links: two faults
    expect_fault(bad);
  }
}

TEST(UrdfFaults, OfTheFile) {
  const std::string bomb =
      "<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]>\n<robot name='&b;'>\n</robot>";
  std::string crowded = "<robot";
  for (int i = 0; i < 100000; ++i) crowded += " a" + std::to_string(i) + "='1'";
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += "<a>";
  const std::vector<BadCase> cases = {
      {"", "xml.empty", 0, "empty"},
      {"<!-- nothing -->", "xml.empty", 0, ""},
      {"<robot>\n<link>\n</robot>", "xml.malformed", 2, "never closed"},
      {"<robot name=r></robot>", "xml.malformed", 1, "quotes"},
      {"<robot name='r'/><robot name='s'/>", "xml.malformed", 1, "second root"},
      {"<robot>\n<!-- ", "xml.malformed", 2, "-->"},
      {"<robot name='r'>\n<link name='\xE9'/></robot>", "xml.encoding", 2, "UTF-8"},
      {std::string("<robot>\n\0</robot>", 18), "xml.encoding", 2, "zero byte"},
      {std::string("\xFF\xFE<\0r\0", 6), "xml.encoding", 1, "UTF-16"},
      {deep, "xml.depth", 1, "more than 100 deep"},
      {crowded, "xml.attributes", 1, "more than 1000 attributes"},
      {bomb, "urdf.no_links", 2, ""},
      {"<sdf><model/></sdf>", "urdf.root", 1, "<sdf>, not <robot>"},
      {"<robot name='r'>\n<link name='a'/>\n<xacro:macro name='m'/></robot>", "urdf.xacro", 3,
       "run 'xacro r.urdf > robot.urdf' first"},
      {"<robot name='r'>\n<link name='&#xD800;'/><link name='a'/></robot>", "urdf.text", 2,
       "does not exist"},
  };
  for (const BadCase& bad : cases) expect_fault(bad);
  EXPECT_EQ(load_urdf("no/such/robot.urdf").error().code, "file.missing");
}

TEST(UrdfFaults, AreAllToldAtOnceInTheOrderOfTheirLines) {
  const auto result = parse_urdf(
      "<robot name='r'>\n"
      "<joint name='j' type='hinge'><parent link='a'/><child link='b'/></joint>\n"
      "<link name='a'><inertial><mass value='x'/>\n<inertia ixx='1'/></inertial></link>\n"
      "<link name='c'>\n<visual/></link>\n</robot>",
      "r.urdf", without_meshes());
  ASSERT_FALSE(result);
  const Error& error = result.error();
  std::vector<int> lines{error.line};
  for (const Diagnostic& d : error.also) lines.push_back(d.line);
  // Joint type, unknown link 'b'; mass; five missing moments; missing geometry.
  EXPECT_EQ(lines, (std::vector<int>{2, 2, 3, 4, 4, 4, 4, 4, 6})) << to_text(error);
}

TEST(UrdfFaults, OfAMillionLinesStayFew) {
  std::string xml = "<robot name='r'>\n<link name='a'/>\n";
  for (int i = 0; i < 20000; ++i) {
    xml += joint("j" + std::to_string(i), "p" + std::to_string(i), "c" + std::to_string(i));
  }
  const auto result = parse_urdf(xml + "</robot>", "r.urdf", without_meshes());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().also.size(), 200u);
  EXPECT_EQ(result.error().also.back().message, "39800 more faults");
}

TEST(UrdfFaults, NeverCrashOnDamagedFiles) {
  const fs::path path = shared_data() / "robots/panda/panda.urdf";
  GESTE_NEEDS_DATA(path);
  const std::string whole = load_file(path).value().substr(0, 3000);
  for (std::size_t n = 0; n < whole.size(); n += 7) {
    EXPECT_FALSE(parse_urdf(whole.substr(0, n), "r.urdf", without_meshes()));
    std::string damaged = whole + "</robot>";
    damaged[n] = static_cast<char>('!' + n % 90);
    (void)parse_urdf(damaged, "r.urdf", without_meshes());
  }
}

// ---- Oddities ----

TEST(UrdfNotes, TellWhatWasLeftOutOrAssumed) {
  const std::string sphere = "<geometry><sphere radius='1'/></geometry>";
  const std::string visual = "<visual>" + sphere + "</visual><collision>" + sphere + "</collision>";
  const std::vector<BadCase> cases = {
      {robot(visual + "\n<colision>" + sphere + "</colision>"), "urdf.unknown_element", 4,
       "<colision> is not an element of <link> and was left out [urdf.unknown_element]\n  remedy: "
       "did you mean 'collision'?"},
      {robot("", "<origin xzy='1 2 3'/>"), "urdf.unknown_attribute", 8, "did you mean 'xyz'?"},
      {robot(inertial("1", "3")), "urdf.inertia_triangle", 4, "triangle inequality"},
      {robot(inertial("1", "-1")), "urdf.inertia_not_positive", 4, "not all positive"},
      {robot("", "", "revolute"), "urdf.limits_missing", 6, "taken as unlimited"},
      {robot("", "<limit velocity='1' effort='1'/>", "revolute"), "urdf.limits_default", 8,
       "cannot move"},
      {robot("", "<limit lower='0' upper='1' effort='1'/>", "revolute"), "urdf.limits_missing", 8,
       "no 'velocity'"},
      {robot("", "<limit lower='0' upper='1' velocity='1' effort='1'/>", "continuous"),
       "urdf.limits_unused", 8, "left out"},
      {robot("", "<axis xyz='0 0 2'/>", "continuous"), "urdf.axis_length", 8, "length 2"},
      {robot("", "<mimic joint='x'/>"), "urdf.mimic_fixed", 8, "no effect"},
      {robot(visual + "<visual>" + sphere + "\n<material name='blu'/></visual>"),
       "urdf.unknown_material", 4, "no material 'blu'"},
      {robot(visual + "<visual>" + sphere +
             "\n<material name='m'><color rgba='255 0 0 1'/></material></visual>"),
       "urdf.colour", 4, "outside 0 to 1"},
      {robot("<visual>" + sphere + "</visual>"), "urdf.no_collision", 1, "touches nothing"},
      {"<robot>\n<link name='a'/></robot>", "urdf.no_name", 1, "called 'r'"},
      {robot("<collision><geometry><mesh filename='x.stl'/></geometry></collision>"),
       "urdf.meshes_left_out", 1, "1 meshes"},
  };
  for (const BadCase& odd : cases) {
    const SceneSpec r = read(odd.xml);
    ASSERT_EQ(r.notes.size(), 1u) << odd.xml;
    expect_said(r.notes[0], odd);
  }
  EXPECT_EQ(read(cases[8].xml).joints.at(0).axis, Vec3::UnitZ());
}

TEST(UrdfNotes, StaySilentAboutOtherTools) {
  const SceneSpec r = read(
      "<robot name='r' xmlns:drake='d'><gazebo/><transmission/><ros2_control/><sensor/>"
      "<drake:joint/><link name='a'><contact/></link><link name='b'/>"
      "<joint name='j' type='fixed'><parent link='a'/><child link='b'/><safety_controller/>"
      "<calibration/><axis xyz='0 0 0'/></joint></robot>");
  EXPECT_TRUE(r.notes.empty()) << to_text(r.notes.at(0));
}

// ---- Mesh files and the search path ----

class UrdfFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("geste_urdf_" + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    for (const char* name : {"GESTE_PATH", "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"}) unsetenv(name);
  }
  fs::path touch(const fs::path& name) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << "x";
    return folder_ / name;
  }
  fs::path folder_;
};

TEST_F(UrdfFiles, AreFoundByPackageRelativeAndAbsoluteNames) {
  const fs::path a = touch("ws/arm/meshes/a b.stl");
  const fs::path urdf_folder = folder_ / "ws/arm/urdf";
  // A folder above named like the package, and one above that contains it.
  EXPECT_EQ(find_file("package://arm/meshes/a b.stl", urdf_folder).found, a);
  EXPECT_EQ(find_file("model://arm/meshes/a b.stl", folder_ / "ws/other/urdf").found, a);
  EXPECT_EQ(find_file("../meshes/a b.stl", urdf_folder).found, a);
  EXPECT_EQ(find_file(a.string(), "/").found, a);
  EXPECT_EQ(find_file("file://" + folder_.string() + "/ws/arm/meshes/a%20b.stl", "/").found, a);
  EXPECT_EQ(find_file("meshes/a b.stl", "/", {{folder_ / "ws/arm"}, false}).found, a);
  EXPECT_EQ(find_file("package://arm/meshes/a b.stl", "/", {{folder_ / "ws"}, false}).found, a);
  EXPECT_EQ(find_file("package://arm/meshes/a b.stl", "/", {{folder_ / "ws/arm/"}, false}).found,
            a);
  EXPECT_FALSE(find_file("http://host/a.stl", "/").found);
  EXPECT_FALSE(find_file("package://arm", urdf_folder).found);
  EXPECT_FALSE(find_file("", urdf_folder).found);
}

TEST_F(UrdfFiles, AreFoundThroughTheEnvironment) {
  const fs::path a = touch("one/arm/a.stl");
  const fs::path b = touch("two/share/arm/a.stl");
  setenv("AMENT_PREFIX_PATH", (folder_ / "none:" += (folder_ / "two").string()).c_str(), 1);
  EXPECT_EQ(find_file("package://arm/a.stl", "/").found, b);
  setenv("ROS_PACKAGE_PATH", (folder_ / "one").c_str(), 1);
  EXPECT_EQ(find_file("package://arm/a.stl", "/").found, a);
  EXPECT_FALSE(find_file("package://arm/a.stl", "/", {{}, false}).found);
  setenv("GESTE_PATH", (folder_ / "one/arm").c_str(), 1);
  EXPECT_EQ(find_file("a.stl", "/").found, a);
}

TEST_F(UrdfFiles, ThatAreMissingAreToldWithEveryPlaceTried) {
  setenv("GESTE_PATH", "/p", 1);  // absent, as all folders here
  setenv("AMENT_PREFIX_PATH", "/q", 1);
  touch("robot/urdf/r.urdf");
  const FileSearch search = find_file("package://arm/a.stl", "/x/arm", {{"/s", "/t/arm"}, true});
  const std::vector<fs::path> expected = {
      "/s/arm/a.stl",       "/t/arm/a.stl", "/t/arm/arm/a.stl", "/p/arm/a.stl",
      "/q/share/arm/a.stl", "/x/arm/a.stl", "/x/arm/arm/a.stl", "/arm/a.stl"};
  EXPECT_EQ(search.tried, expected);

  touch("robot/meshes/link_1.STL");
  std::map<fs::path, int> asked;
  const std::string mesh =
      "<collision><geometry>\n<mesh filename='../meshes/link_1.stl'/>"
      "</geometry></collision>";
  const auto result =
      parse_urdf(robot(mesh + mesh), folder_ / "robot/urdf/r.urdf", with_fake_meshes(asked));
  ASSERT_FALSE(result);
  const Error& error = result.error();
  EXPECT_TRUE(error.also.empty()) << "a missing file is told once\n" << to_text(error);
  EXPECT_EQ(error.code, "urdf.mesh_missing");
  EXPECT_EQ(error.line, 4);
  EXPECT_EQ(error.element, "link 'a'");
  EXPECT_EQ(error.message, "mesh '../meshes/link_1.stl' was not found; tried\n    " +
                               (folder_ / "robot/meshes/link_1.stl").string() +
                               "\n    /meshes/link_1.stl");
  EXPECT_EQ(error.remedy, "did you mean '" + (folder_ / "robot/meshes/link_1.STL").string() + "'?");
}

TEST_F(UrdfFiles, OfMeshesAreReadOnceAndShared) {
  touch("a.stl");
  std::map<fs::path, int> asked;
  std::string shapes;
  for (const char* scale : {"1 1 1", "1 1 1", "2 2 2", "2 2 2", "1 -1 1"}) {
    shapes += "<collision><geometry><mesh filename='a.stl' scale='" + std::string(scale) +
              "'/></geometry></collision>";
  }
  UrdfOptions options = with_fake_meshes(asked);
  const auto r = parse_urdf(robot(shapes), folder_ / "r.urdf", options);
  ASSERT_TRUE(r) << to_text(r.error());
  const auto& geometry = r->bodies.at(0).geometry;
  const auto mesh = [&](int i) { return std::get<MeshShape>(geometry.at(i).shape); };
  EXPECT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked.begin()->second, 1);
  EXPECT_EQ(mesh(0), mesh(1));
  EXPECT_EQ(mesh(2), mesh(3));
  EXPECT_NE(mesh(0), mesh(2));
  EXPECT_NEAR(compute_volume(*mesh(2)), 8.0 / 6, 1e-15);
  EXPECT_EQ(mesh(4)->vertices[2], Vec3(0, -1, 0));
  EXPECT_NEAR(compute_volume(*mesh(4)), 1.0 / 6, 1e-15);

  options.load_mesh = [](const fs::path& path, Notes&) -> Result<UrdfMesh> {
    return Diagnostic{"stl.truncated", "the file ends early", path.string(), 0, 0, "", "ask again"};
  };
  const auto broken = parse_urdf(robot(shapes), folder_ / "r.urdf", options);
  ASSERT_FALSE(broken);
  EXPECT_TRUE(broken.error().also.empty());
  EXPECT_EQ(broken.error().code, "urdf.mesh_unreadable");
  EXPECT_NE(broken.error().message.find("the file ends early [stl.truncated]"), std::string::npos);
  EXPECT_EQ(broken.error().remedy, "ask again");
}

}  // namespace
}  // namespace geste

// What a wrong URDF is told: code, line, cause and remedy of every kind of fault and note.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "geste/core/files.hpp"
#include "geste/formats/urdf.hpp"

#include "formats/urdf_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;
using testing::read;
using testing::shared_data;
using testing::two_links;
using testing::without_meshes;

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
    return two_links("<collision>\n<geometry>" + text + "</geometry></collision>");
  };
  const std::vector<BadCase> cases = {
      {two_links(inertial("-1", "1")), "urdf.mass", 3, "link 'a': the mass is -1 kg"},
      {two_links(inertial("heavy", "1")), "urdf.number", 3, "value=\"heavy\" of <mass>"},
      {two_links(inertial("${m}", "1")), "urdf.number", 3, "run xacro"},
      {two_links(inertial("inf", "1")), "urdf.number", 3, "is not finite"},
      {two_links(inertial("1", "nan")), "urdf.number", 4, "ixx"},
      {two_links("<inertial><mass value='1'/></inertial>"), "urdf.missing_element", 3,
       "no <inertia>"},
      {shape("<box size='1 2'/>"), "urdf.number", 4, "has 2 numbers instead of 3"},
      {shape("<sphere/>"), "urdf.missing_attribute", 4, "<sphere> has no 'radius'"},
      {shape("<capsule radius='1e999' length='1'/>"), "urdf.number", 4, "not a number"},
      {shape("<mesh/>"), "urdf.missing_attribute", 4, "filename"},
      {shape(""), "urdf.missing_element", 4, "holds no shape"},
      {shape("<sphere radius='1'/><box size='1 1 1'/>"), "urdf.repeated", 4, "<sphere> and <box>"},
      {two_links("<visual/>"), "urdf.missing_element", 3, "<visual> has no <geometry>"},
      {two_links("", "<origin xyz='1 2 x'/>"), "urdf.number", 8, "not a number"},
      {two_links("", "<origin rpy='1 2'/>"), "urdf.number", 8, "2 numbers"},
      {two_links("", "<origin xyz=''/>"), "urdf.number", 8, "0 numbers"},
      {two_links("", "<origin quat_xyzw='0 0 0 2'/>"), "urdf.number", 8, "unit quaternion"},
  };
  for (const BadCase& bad : cases) expect_fault(bad);
}

TEST(UrdfFaults, OfJoints) {
  const std::string limit = " velocity='1' effort='1'/>";
  const std::vector<BadCase> cases = {
      {two_links("", "", "revolut"), "urdf.joint_type", 6, "did you mean 'revolute'?"},
      {two_links("", "<limit lower='2' upper='1'" + limit, "revolute"), "urdf.limits", 8,
       "joint 'j': the lower limit 2 is above the upper limit 1"},
      {two_links("", "<limit lower='inf' upper='inf'" + limit, "prismatic"), "urdf.limits", 8,
       "open"},
      {two_links("", "<limit" + limit + "<limit" + limit, "revolute"), "urdf.limits", 8,
       "2 <limit>"},
      {two_links("", "<axis xyz='0 0 0'/>", "continuous"), "urdf.axis", 8, "<axis> is zero"},
      {two_links("", "<axis xyz='0 1 0'/><axis2 xyz='0 2 0'/>", "universal"), "urdf.axis", 6,
       "parallel"},
      {two_links("", "<dynamics damping='-1'/>", "continuous"), "urdf.dynamics", 8,
       "damping is -1"},
      {two_links("", "<mimic joint='j'/>", "continuous"), "urdf.mimic", 6, "mimics itself"},
      {two_links("", "<mimic joint='k'/>", "continuous"), "urdf.mimic", 6, "valid: j"},
      {two_links("", "<mimic/>", "continuous"), "urdf.missing_attribute", 8,
       "<mimic> has no 'joint'"},
      {two_links("", "<mimic joint='j'/>", "planar"), "urdf.mimic", 8, "3 degrees of freedom"},
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
      {"<robot name='r'>\n<link/>\n<link name='a'/></robot>", "urdf.missing_attribute", 2,
       "<link> has no 'name'"},
  };
  for (const BadCase& bad : cases) expect_fault(bad);
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
      {two_links(visual + "\n<colision>" + sphere + "</colision>"), "urdf.unknown_element", 4,
       "<colision> is not an element of <link> and was left out [urdf.unknown_element]\n  remedy: "
       "did you mean 'collision'?"},
      {two_links("", "<origin xzy='1 2 3'/>"), "urdf.unknown_attribute", 8, "did you mean 'xyz'?"},
      {two_links(inertial("1", "3")), "urdf.inertia_triangle", 4, "triangle inequality"},
      {two_links(inertial("1", "-1")), "urdf.inertia_not_positive", 4, "not all positive"},
      {two_links("", "", "revolute"), "urdf.limits_missing", 6, "taken as unlimited"},
      {two_links("", "<limit velocity='1' effort='1'/>", "revolute"), "urdf.limits_default", 8,
       "cannot move"},
      {two_links("", "<limit lower='0' upper='1' effort='1'/>", "revolute"), "urdf.limits_missing",
       8, "no 'velocity'"},
      {two_links("", "<limit lower='0' upper='1' velocity='1' effort='1'/>", "continuous"),
       "urdf.limits_unused", 8, "left out"},
      {two_links("", "<axis xyz='0 0 2'/>", "continuous"), "urdf.axis_length", 8, "length 2"},
      {two_links("", "<mimic joint='x'/>"), "urdf.mimic_fixed", 8, "no effect"},
      {two_links(visual + "<visual>" + sphere + "\n<material name='blu'/></visual>"),
       "urdf.unknown_material", 4, "no material 'blu'"},
      {two_links(visual + "<visual>" + sphere +
                 "\n<material name='m'><color rgba='255 0 0 1'/></material></visual>"),
       "urdf.colour", 4, "outside 0 to 1"},
      {two_links("<visual>" + sphere + "</visual>"), "urdf.no_collision", 1, "touches nothing"},
      {"<robot>\n<link name='a'/></robot>", "urdf.no_name", 1, "called 'r'"},
      {two_links("<collision><geometry><mesh filename='x.stl'/></geometry></collision>"),
       "urdf.meshes_left_out", 1, "1 meshes"},
  };
  for (const BadCase& odd : cases) {
    const SceneSpec r = read(odd.xml);
    ASSERT_EQ(r.notes.size(), 1u) << odd.xml;
    expect_said(r.notes[0], odd);
  }
  EXPECT_EQ(read(cases[8].xml).joints.at(0).axis, Vec3::UnitZ());
}

// One stopgap element does not refuse a robot: it is left out, and said to be.
TEST(UrdfNotes, TellOfShapesAndValuesThatMeanNothing) {
  const auto shape = [](const std::string& text) {
    return two_links("<collision>\n<geometry>" + text + "</geometry></collision>");
  };
  const std::vector<BadCase> shapes = {
      {shape("<box size='1 2 0'/>"), "urdf.size", 4, "above zero"},
      {shape("<sphere radius='0'/>"), "urdf.size", 4, "radius of <sphere> is 0"},
      {shape("<cylinder radius='1' length='-1'/>"), "urdf.size", 4, "length of <cylinder> is -1"},
      {shape("<mesh filename='a.stl' scale='1 0 1'/>"), "urdf.size", 4, "mirrors"},
  };
  for (const BadCase& odd : shapes) {
    const SceneSpec r = read(odd.xml);
    ASSERT_EQ(r.notes.size(), 1u) << odd.xml;
    expect_said(r.notes[0], odd);
    EXPECT_TRUE(r.bodies.at(0).geometry.empty());
  }
  const SceneSpec limited =
      read(two_links("", "<limit lower='0' upper='1' velocity='-1' effort='2'/>", "prismatic"));
  ASSERT_EQ(limited.notes.size(), 1u);
  expect_said(limited.notes[0], {"", "urdf.limits_negative", 8, "velocity limit is -1"});
  EXPECT_EQ(limited.joints.at(0).limits.at(0).velocity, kInfinity);
  EXPECT_EQ(limited.joints.at(0).limits.at(0).effort, 2);
}

TEST(UrdfNotes, AnEmptyNumberIsAbsent) {
  const SceneSpec r = read(
      "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>"
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"
      "<joint name='k' type='continuous'><parent link='b'/><child link='c'/>"
      "<mimic joint='j' multiplier='' offset='0.5'/></joint></robot>");
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_EQ(r.notes[0].code, "urdf.empty_attribute");
  const auto& follow = std::get<LinearFollow>(r.joints.at(1).follow.value().function);
  EXPECT_EQ(follow.multiplier, 1);
  EXPECT_EQ(follow.offset, 0.5);
}

TEST(UrdfNotes, StaySilentAboutDeclaredLatin1) {
  const std::string body = "<!-- \xE9paule --><robot name='r'><link name='\xE9paule'/></robot>";
  const SceneSpec r = read("<?xml version='1.0' encoding='ISO-8859-1'?>" + body);
  EXPECT_EQ(r.bodies.at(0).name, "\xC3\xA9paule");
  EXPECT_EQ(parse_urdf(body, "r.urdf").error().code, "xml.encoding");
}

TEST(UrdfNotes, StaySilentAboutOtherTools) {
  const SceneSpec r = read(
      "<robot name='r' xmlns:drake='d'><gazebo/><transmission/><ros2_control/><sensor/>"
      "<drake:joint/><link name='a'><contact/></link><link name='b'/>"
      "<joint name='j' type='fixed'><parent link='a'/><child link='b'/><safety_controller/>"
      "<calibration/><axis xyz='0 0 0'/></joint></robot>");
  EXPECT_TRUE(r.notes.empty()) << to_text(r.notes.at(0));
}

}  // namespace
}  // namespace geste

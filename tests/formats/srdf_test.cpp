// MV-1, MV-10: groups, named configurations and allowed pairs of real robots. Witnesses: the pairs
// that VAMP tests (self_collision_pairs.json), counts of the files' elements, cases by hand.
#include "geste/formats/srdf.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>

#include "geste/core/files.hpp"
#include "geste/formats/urdf.hpp"

#include "formats/urdf_testing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;
using testing::without_meshes;
using Strings = std::vector<std::string>;

const Strings* find_group(const SceneSpec& robot, const std::string& name) {
  for (const GroupSpec& group : robot.groups) {
    if (group.name == name) return &group.joints;
  }
  return nullptr;
}

std::size_t count_notes(const SceneSpec& robot, const std::string& code) {
  return static_cast<std::size_t>(std::count_if(
      robot.notes.begin(), robot.notes.end(), [&](const Note& note) { return note.code == code; }));
}

TEST(Srdf, RefusesMacrosInsteadOfSkippingThem) {
  const auto srdf =
      parse_srdf("<robot name='r'>\n<xacro:arm_groups prefix='a'/></robot>", "r.srdf");
  ASSERT_FALSE(srdf);
  EXPECT_EQ(srdf.error().code, "srdf.xacro");
  EXPECT_EQ(srdf.error().line, 2);
  EXPECT_NE(srdf.error().remedy.find("run 'xacro r.srdf > robot.srdf'"), std::string::npos);
}

TEST(Srdf, ReadsThePanda) {
  const fs::path folder = testing::shared_data() / "robots/panda";
  GESTE_NEEDS_DATA(folder);
  SceneSpec robot = load_urdf(folder / "panda.urdf", without_meshes()).value();
  const Result<void> applied = load_srdf(folder / "panda.srdf", robot);
  ASSERT_TRUE(applied) << to_text(applied.error());

  EXPECT_EQ(robot.allowed_pairs.size(), 34u);
  EXPECT_EQ(robot.allowed_pairs[0].body_b, "panda_link1");
  EXPECT_EQ(robot.allowed_pairs[0].reason, "Adjacent");
  ASSERT_EQ(robot.groups.size(), 3u);
  Strings arm;
  for (int i = 1; i <= 8; ++i) arm.push_back("panda_joint" + std::to_string(i));
  EXPECT_EQ(*find_group(robot, "panda_arm"), arm);  // a chain, from base to tip
  EXPECT_EQ(*find_group(robot, "hand"),
            (Strings{"panda_finger_joint1", "panda_hand_joint", "panda_finger_joint2"}));
  EXPECT_EQ(find_group(robot, "panda_arm_hand")->size(), 8u + 3u);

  const auto ready = std::find_if(robot.configurations.begin(), robot.configurations.end(),
                                  [](const auto& state) { return state.name == "ready"; });
  ASSERT_NE(ready, robot.configurations.end());
  EXPECT_EQ(ready->group, "panda_arm");
  ASSERT_EQ(ready->values.size(), 7u);
  EXPECT_EQ(ready->values[3].first, "panda_joint4");
  EXPECT_EQ(ready->values[3].second, std::vector<double>{-2.356});
  EXPECT_EQ(count_notes(robot, "srdf.virtual_joint"), 1u);
  EXPECT_EQ(count_notes(robot, "srdf.passive_joint"), 1u);
  EXPECT_EQ(count_notes(robot, "srdf.value_unused"), 4u);  // fingers are fixed in this URDF

  const SrdfFile file = parse_srdf(load_file(folder / "panda.srdf").value(), "panda.srdf").value();
  ASSERT_EQ(file.end_effectors.size(), 1u);
  EXPECT_EQ(file.end_effectors[0].parent_link, "panda_link8");
  ASSERT_EQ(file.virtual_joints.size(), 1u);
  EXPECT_EQ(file.virtual_joints[0].type, "floating");
  EXPECT_EQ(file.passive_joints.at(0).name, "panda_finger_joint2");
}

TEST(Srdf, ReadsTheFetch) {
  const fs::path folder = testing::shared_data() / "robots/fetch";
  GESTE_NEEDS_DATA(folder);
  SceneSpec robot = load_urdf(folder / "fetch.urdf", without_meshes()).value();
  const SrdfFile file = parse_srdf(load_file(folder / "fetch.srdf").value(), "fetch.srdf").value();
  EXPECT_EQ(file.disabled_pairs.size(), 161u);  // 162 elements, one pair twice
  const Result<void> applied = apply_srdf(file, robot);
  ASSERT_TRUE(applied) << to_text(applied.error());

  // Pairs with one of the seven links this reduced robot lacks are left out, and told once each.
  std::size_t known = 0;
  std::set<std::string> links, missing;
  for (const BodySpec& body : robot.bodies) links.insert(body.name);
  for (const auto& pair : file.disabled_pairs) {
    const bool has1 = links.contains(pair.link1), has2 = links.contains(pair.link2);
    known += has1 && has2;
    if (!has1 || !has2) missing.insert(has1 ? pair.link2 : pair.link1);
  }
  EXPECT_EQ(known, 74u);
  EXPECT_EQ(robot.allowed_pairs.size(), known);
  EXPECT_EQ(count_notes(robot, "srdf.unknown_link"), missing.size());
  EXPECT_EQ(count_notes(robot, "srdf.duplicate_pair"), 1u);
  EXPECT_EQ(robot.groups.size(), 5u);
  EXPECT_EQ(*find_group(robot, "arm_with_torso"),
            (Strings{"torso_lift_joint", "shoulder_pan_joint", "shoulder_lift_joint",
                     "upperarm_roll_joint", "elbow_flex_joint", "forearm_roll_joint",
                     "wrist_flex_joint", "wrist_roll_joint"}));
}

TEST(Srdf, AllowsNoPairThatVampTests) {
  for (const std::string name : {"panda", "fetch"}) {
    const fs::path folder = testing::shared_data() / "robots" / name;
    GESTE_NEEDS_DATA(folder);
    SceneSpec robot = load_urdf(folder / (name + ".urdf"), without_meshes()).value();
    ASSERT_TRUE(load_srdf(folder / (name + ".srdf"), robot));
    std::set<std::pair<std::string, std::string>> allowed;
    for (const auto& pair : robot.allowed_pairs) {
      allowed.insert(std::minmax(pair.body_a, pair.body_b));
    }
    const auto tested = nlohmann::json::parse(std::ifstream(folder / "self_collision_pairs.json"));
    for (const auto& pair : tested["pairs"]) {
      const std::string a = pair[0], b = pair[1];
      EXPECT_FALSE(allowed.contains(std::minmax(a, b))) << a << " " << b;
    }
  }
}

/// root - j1 - l1 - j2 - l2, and root - k1 - m1; the last is a planar joint.
SceneSpec small_robot() {
  const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& child) {
    return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
           "'/><child link='" + child +
           "'/><limit lower='-1' upper='1' velocity='1' effort='1'/></joint>";
  };
  return parse_urdf(
             "<robot name='r'><link name='root'/><link name='l1'/><link name='l2'/>"
             "<link name='m1'/>" +
                 joint("j1", "revolute", "root", "l1") + joint("j2", "revolute", "l1", "l2") +
                 joint("k1", "planar", "root", "m1") + "</robot>",
             "r.urdf")
      .value();
}

Result<void> apply_text(const std::string& body, SceneSpec& robot) {
  return apply_srdf("<robot name='r'>\n" + body + "\n</robot>", "r.srdf", robot);
}

TEST(Srdf, ExpandsGroups) {
  SceneSpec robot = small_robot();
  const auto applied = apply_text(
      "<group name='all'><group name='down'/><group name='across'/></group>"
      "<group name='down'><chain base_link='root' tip_link='l2'/></group>"
      "<group name='across'><chain base_link='m1' tip_link='l2'/></group>"
      "<group name='up'><chain base_link='l2' tip_link='root'/></group>"
      "<group name='links'><link name='root'/><link name='l2'/><joint name='k1'/></group>"
      "<group name='base'><joint name='v'/></group>"
      "<virtual_joint name='v' type='planar' parent_frame='odom' child_link='root'/>"
      "<group_state name='home' group='all'><joint name='k1' value='1 2 3'/>"
      "<joint name='v' value='0 0 0'/><joint name='j1' value='4'/></group_state>",
      robot);
  ASSERT_TRUE(applied) << to_text(applied.error());
  EXPECT_EQ(*find_group(robot, "down"), (Strings{"j1", "j2"}));
  EXPECT_EQ(*find_group(robot, "across"), (Strings{"k1", "j1", "j2"}));
  EXPECT_EQ(*find_group(robot, "up"), (Strings{"j2", "j1"}));
  EXPECT_EQ(*find_group(robot, "all"), (Strings{"j1", "j2", "k1"}));
  EXPECT_EQ(*find_group(robot, "links"), (Strings{"k1", "j2"}));
  EXPECT_TRUE(find_group(robot, "base")->empty());
  EXPECT_EQ(count_notes(robot, "srdf.virtual_joint"), 3u);
  EXPECT_EQ(count_notes(robot, "srdf.outside_limits"), 1u);
  ASSERT_EQ(robot.configurations.size(), 1u);
  EXPECT_EQ(robot.configurations[0].values[0].second, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(robot.configurations[0].source.line, 2);
}

TEST(SrdfFaults, NameCauseLineAndRemedy) {
  struct Case {
    std::string xml, code, said;
  };
  const std::vector<Case> cases = {
      {"<group name='g'><joint name='j3'/></group>", "srdf.unknown_joint",
       "r.srdf:2: group 'g': there is no joint 'j3' in the robot [srdf.unknown_joint]\n  remedy: "
       "did you mean 'j1'?"},
      {"<group name='g'><link name='l9'/></group>", "srdf.unknown_link", "did you mean 'l1'?"},
      {"<group name='g'><chain base_link='rot' tip_link='l1'/></group>", "srdf.unknown_link",
       "did you mean 'root'?"},
      {"<group name='g'><group name='h'/></group>", "srdf.unknown_group", "'h' in this file"},
      {"<group name='g'><group name='g'/></group>", "srdf.group_cycle", "contains itself"},
      {"<group name='g'/><group name='g'/>", "srdf.duplicate_name", "rename"},
      {"<group/>", "srdf.missing_attribute", "<group> has no 'name'"},
      {"<group_state name='s' group='g'/>", "srdf.unknown_group", "group_state 's'"},
      {"<group name='g'/><group_state name='s' group='g'><joint name='j1' "
       "value='a'/></group_state>",
       "srdf.number", "not a number"},
      {"<group name='g'/><group_state name='s' group='g'><joint name='k1' "
       "value='1'/></group_state>",
       "srdf.value_count", "joint 'k1' has 1 values instead of 3"},
      {"<disable_collisions link1='l1'/>", "srdf.missing_attribute", "link2"},
      {"<end_effector name='e' parent_link='l7' group='g'/><group name='g'/>", "srdf.unknown_link",
       "end_effector 'e'"},
      {"<virtual_joint name='v' type='flat' parent_frame='w' child_link='root'/>",
       "srdf.joint_type", "valid: fixed, planar, floating"},
      {"<passive_joint name='j5'/>", "srdf.unknown_joint", "passive_joint 'j5'"},
  };
  for (const Case& bad : cases) {
    SceneSpec robot = small_robot();
    const Result<void> applied = apply_text(bad.xml, robot);
    ASSERT_FALSE(applied) << bad.xml;
    SCOPED_TRACE(to_text(applied.error()));
    EXPECT_EQ(applied.error().code, bad.code);
    EXPECT_EQ(applied.error().line, 2);
    EXPECT_TRUE(applied.error().also.empty());
    EXPECT_NE(to_text(applied.error()).find(bad.said), std::string::npos) << bad.said;
    // A faulty file changes nothing.
    EXPECT_TRUE(robot.groups.empty() && robot.allowed_pairs.empty() &&
                robot.configurations.empty());
  }
}

TEST(SrdfFaults, AreAllTold) {
  SceneSpec robot = small_robot();
  const auto applied = apply_text(
      "<group name='g'><joint name='x'/><joint name='j1'/></group>\n"
      "<group name='h'><group name='i'/></group>\n"
      "<group name='i'><group name='h'/></group>",
      robot);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().also.size(), 2u) << to_text(applied.error());
}

TEST(SrdfFaults, GroupsInsideGroupsStaySmall) {
  // Each group holds the one before twice: 2^60 joints if written out.
  std::string xml = "<group name='g0'><joint name='j1'/></group>\n";
  for (int i = 1; i <= 60; ++i) {
    const std::string inner = "<group name='g" + std::to_string(i - 1) + "'/>";
    xml += "<group name='g" + std::to_string(i) + "'>" + inner + inner + "</group>\n";
  }
  SceneSpec robot = small_robot();
  ASSERT_TRUE(apply_text(xml, robot));
  EXPECT_EQ(robot.groups.back().joints, Strings{"j1"});
}

TEST(SrdfNotes, TellOddities) {
  SceneSpec robot = small_robot();
  robot.notes.clear();
  const auto applied = apply_srdf(
      "<robot name='other'>\n<disable_collisions link1='l1' link2='l3'/>\n"
      "<disable_collisions link1='l1' link2='l2'/>\n<disable_collisions link1='l2' link2='l1'/>\n"
      "<disable_collisions link1='l1' link2='l1'/>\n<grup name='g'/>\n"
      "<enable_collisions link1='l1' link2='l2'/>\n<link_sphere_approximation link='l1'/></robot>",
      "r.srdf", robot);
  ASSERT_TRUE(applied) << to_text(applied.error());
  EXPECT_EQ(robot.allowed_pairs.size(), 1u);
  EXPECT_EQ(count_notes(robot, "srdf.other_robot"), 1u);
  EXPECT_EQ(count_notes(robot, "srdf.unknown_link"), 1u);
  EXPECT_EQ(count_notes(robot, "srdf.duplicate_pair"), 1u);
  EXPECT_EQ(count_notes(robot, "srdf.pair_of_one"), 1u);
  EXPECT_EQ(count_notes(robot, "srdf.unknown_element"), 1u);
  EXPECT_EQ(count_notes(robot, "srdf.unsupported"), 1u);
  EXPECT_EQ(robot.notes.size(), 6u);
}

}  // namespace
}  // namespace geste

#include "geste/formats/internal/urdf_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "geste/formats/internal/urdf_names.hpp"

namespace geste {
namespace {

/// Index of a name, -1 for none.
int find(const NameIndex& index, const std::string& name) {
  const auto found = index.find(name);
  return found == index.end() ? -1 : found->second;
}

std::string who(const JointSpec& joint) { return fmt::format("joint '{}'", clipped(joint.name)); }

/// "a, b, c and 12 more", each name clipped.
std::string list_names(const std::vector<std::string>& names, const char* separator) {
  constexpr std::size_t kShown = 8;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
    shown.push_back(clipped(names[i]));
  }
  std::string text = fmt::format("{}", fmt::join(shown, separator));
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

/// The cycles of a graph in which every node has at most one successor (-1: none), each once.
std::vector<std::vector<int>> find_cycles(const std::vector<int>& next) {
  enum class Mark { fresh, on_walk, done };
  std::vector<Mark> marks(next.size(), Mark::fresh);
  std::vector<std::vector<int>> cycles;
  for (std::size_t start = 0; start < next.size(); ++start) {
    std::vector<int> walk;
    int at = static_cast<int>(start);
    while (at >= 0 && marks[at] == Mark::fresh) {
      marks[at] = Mark::on_walk;
      walk.push_back(at);
      at = next[at];
    }
    if (at >= 0 && marks[at] == Mark::on_walk) {
      cycles.emplace_back(std::find(walk.begin(), walk.end(), at), walk.end());
    }
    for (const int node : walk) marks[node] = Mark::done;
  }
  return cycles;
}

/// The joint above each link (-1: none), with faults for unknown ends and second parents.
std::vector<int> find_joints_above(const SceneSpec& robot, const NameIndex& links, XmlReader& xml) {
  const std::vector<std::string> names = names_of(robot.bodies);
  std::vector<int> above(robot.bodies.size(), -1);
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const JointSpec& joint = robot.joints[j];
    for (const auto& [end, name] :
         {std::pair{"parent", &joint.parent}, std::pair{"child", &joint.child}}) {
      if (name->empty() || find(links, *name) >= 0) continue;  // empty: already told
      xml.fault(joint.source.line, "unknown_link", who(joint),
                fmt::format("the {} link '{}' does not exist", end, clipped(*name)),
                xml.suggest(*name, names));
    }
    const int child = find(links, joint.child);
    if (child < 0) continue;
    if (above[child] >= 0) {
      const JointSpec& first = robot.joints[above[child]];
      xml.fault(joint.source.line, "two_parents", who(joint),
                fmt::format("link '{}' is already the child of joint '{}' (line {})",
                            clipped(joint.child), clipped(first.name), first.source.line),
                "URDF allows trees only: remove one of the joints");
    } else {
      above[child] = static_cast<int>(j);
    }
  }
  return above;
}

void check_roots(const SceneSpec& robot, const std::vector<int>& joint_above,
                 const NameIndex& links, bool whole, int robot_line, XmlReader& xml) {
  std::vector<int> parents(robot.bodies.size(), -1);
  std::vector<std::string> roots;
  for (std::size_t b = 0; b < robot.bodies.size(); ++b) {
    if (joint_above[b] < 0) {
      roots.push_back(robot.bodies[b].name);
    } else {
      parents[b] = find(links, robot.joints[joint_above[b]].parent);
    }
  }
  for (const std::vector<int>& cycle : find_cycles(parents)) {
    std::vector<std::string> names;
    for (auto b = cycle.rbegin(); b != cycle.rend(); ++b) names.push_back(robot.bodies[*b].name);
    xml.fault(robot.bodies[cycle.front()].source.line, "cycle", "robot",
              fmt::format("the links hang on each other in a ring: {}", list_names(names, " -> ")),
              "URDF allows trees only: remove one of the joints between them");
  }
  if (whole && roots.size() > 1) {
    xml.fault(robot_line, "several_roots", "robot",
              fmt::format("{} links have no parent: {}", roots.size(), list_names(roots, ", ")),
              "join all but one to the robot with joints");
  }
}

void check_mimics(const SceneSpec& robot, XmlReader& xml) {
  const NameIndex joints = index_by_name(robot.joints);
  const std::vector<std::string> names = names_of(robot.joints);
  std::vector<int> leaders(robot.joints.size(), -1);
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const JointSpec& joint = robot.joints[j];
    if (!joint.follow) continue;
    const std::string& name = joint.follow->leaders.front();
    leaders[j] = find(joints, name);
    if (leaders[j] < 0) {
      xml.fault(joint.source.line, "mimic", who(joint),
                fmt::format("it mimics the joint '{}', which does not exist", clipped(name)),
                xml.suggest(name, names));
      continue;
    }
    const JointType type = robot.joints[leaders[j]].type;
    if (type != JointType::revolute && type != JointType::continuous &&
        type != JointType::prismatic) {
      xml.fault(joint.source.line, "mimic", who(joint),
                fmt::format("it mimics the joint '{}', which has not exactly one degree of freedom",
                            clipped(name)),
                "mimic a revolute, continuous or prismatic joint, or remove <mimic>");
    }
  }
  for (const std::vector<int>& cycle : find_cycles(leaders)) {
    const JointSpec& first = robot.joints[cycle.front()];
    std::vector<std::string> ring;
    for (const int j : cycle) ring.push_back(robot.joints[j].name);
    xml.fault(first.source.line, "mimic", who(first),
              cycle.size() == 1
                  ? std::string("it mimics itself")
                  : fmt::format("joints mimic each other in a ring: {}", list_names(ring, " -> ")),
              "let one joint lead and the others follow it");
  }
}

}  // namespace

void check_tree(const SceneSpec& robot, bool whole, int robot_line, XmlReader& xml) {
  if (robot.bodies.empty()) {
    xml.fault(robot_line, "no_links", "robot", "the robot has no links", "add at least one <link>");
    return;
  }
  const NameIndex links = index_by_name(robot.bodies);
  const std::vector<int> joint_above = find_joints_above(robot, links, xml);
  const auto is_placed = [&](const JointSpec& joint) {
    return links.contains(joint.parent) && links.contains(joint.child);
  };
  whole = whole && std::all_of(robot.joints.begin(), robot.joints.end(), is_placed);
  check_roots(robot, joint_above, links, whole, robot_line, xml);
  check_mimics(robot, xml);
}

}  // namespace geste

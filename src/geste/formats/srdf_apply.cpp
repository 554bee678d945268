// From names in an SRDF to the joints and links of a robot.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>
#include <utility>

#include "geste/formats/internal/urdf_names.hpp"
#include "geste/formats/internal/xml_reader.hpp"
#include "geste/formats/srdf.hpp"

namespace geste {
namespace {

/// Joints named by all groups together. Groups inside groups could otherwise multiply without end.
constexpr std::size_t kMostGroupJoints = 1'000'000;

class SrdfApplier {
 public:
  SrdfApplier(const SrdfFile& srdf, const SceneSpec& robot)
      : srdf_(srdf),
        robot_(robot),
        xml_("srdf", srdf.file),
        links_(index_by_name(robot.bodies)),
        joints_(index_by_name(robot.joints)),
        groups_(index_by_name(srdf.groups)),
        link_names_(names_of(robot.bodies)),
        joint_names_(names_of(robot.joints)),
        group_names_(names_of(srdf.groups)),
        joint_above_(robot.bodies.size(), -1) {
    for (std::size_t j = 0; j < robot.joints.size(); ++j) {
      const auto child = links_.find(robot.joints[j].child);
      if (child != links_.end()) joint_above_[child->second] = static_cast<int>(j);
    }
    for (const SrdfVirtualJoint& joint : srdf.virtual_joints) virtual_.insert(joint.name);
  }

  Result<void> apply(SceneSpec& robot) {
    check_names();
    for (const std::size_t g : order_groups()) expand_group(g);
    for (const SrdfGroupState& state : srdf_.states) add_state(state);
    add_pairs();
    check_the_rest();
    if (xml_.failed()) return xml_.take_error();

    for (const SrdfGroup& group : srdf_.groups) {
      GroupSpec spec{group.name, {}};
      for (const int j : expanded_[groups_.at(group.name)]) {
        spec.joints.push_back(robot_.joints[j].name);
      }
      robot.groups.push_back(std::move(spec));
    }
    std::move(states_.begin(), states_.end(), std::back_inserter(robot.configurations));
    std::move(pairs_.begin(), pairs_.end(), std::back_inserter(robot.allowed_pairs));
    robot.notes.insert(robot.notes.end(), srdf_.notes.begin(), srdf_.notes.end());
    Notes notes = xml_.take_notes();
    std::move(notes.begin(), notes.end(), std::back_inserter(robot.notes));
    return {};
  }

 private:
  /// The index of a name; a fault and -1 when there is none.
  int find(const NameIndex& index, const std::vector<std::string>& names, const char* kind,
           const std::string& name, int line, const std::string& who) {
    const auto found = index.find(name);
    if (found != index.end()) return found->second;
    xml_.fault(line, fmt::format("unknown_{}", kind), who,
               fmt::format("there is no {} '{}' in {}", kind, clipped(name),
                           &index == &groups_ ? "this file" : "the robot"),
               xml_.suggest(name, names));
    return -1;
  }
  int find_link(const std::string& name, int line, const std::string& who) {
    return find(links_, link_names_, "link", name, line, who);
  }
  int find_joint(const std::string& name, int line, const std::string& who) {
    return find(joints_, joint_names_, "joint", name, line, who);
  }
  int find_group(const std::string& name, int line, const std::string& who) {
    return find(groups_, group_names_, "group", name, line, who);
  }

  void check_names() {
    if (!srdf_.robot.empty() && srdf_.robot != robot_.name) {
      xml_.note(1, "other_robot", "robot",
                fmt::format("the file is for the robot '{}', not '{}'", clipped(srdf_.robot),
                            clipped(robot_.name)),
                "check that it belongs to this robot");
    }
    for (const GroupSpec& group : robot_.groups) {
      const auto again = groups_.find(group.name);
      if (again == groups_.end()) continue;
      const SrdfGroup& second = srdf_.groups[again->second];
      xml_.fault(second.source.line, "duplicate_name", who(second),
                 "the robot already has a group of that name", "apply each SRDF once");
    }
  }

  /// Groups with those they contain before them; groups that contain each other are faults.
  std::vector<std::size_t> order_groups() {
    const std::size_t count = srdf_.groups.size();
    expanded_.resize(count);
    std::vector<std::vector<std::size_t>> containers(count);
    std::vector<std::size_t> waiting_for(count, 0);
    for (std::size_t g = 0; g < count; ++g) {
      for (const SrdfName& sub : srdf_.groups[g].subgroups) {
        const int s = find_group(sub.name, sub.source.line, who(srdf_.groups[g]));
        if (s < 0) continue;
        containers[s].push_back(g);
        ++waiting_for[g];
      }
    }
    std::vector<std::size_t> order;
    for (std::size_t g = 0; g < count; ++g) {
      if (waiting_for[g] == 0) order.push_back(g);
    }
    for (std::size_t next = 0; next < order.size(); ++next) {
      for (const std::size_t g : containers[order[next]]) {
        if (--waiting_for[g] == 0) order.push_back(g);
      }
    }
    for (std::size_t g = 0; g < count; ++g) {
      if (waiting_for[g] == 0) continue;
      xml_.fault(srdf_.groups[g].source.line, "group_cycle", who(srdf_.groups[g]),
                 "the group contains itself through its subgroups, or a group that does",
                 "remove a <group> element from the ring");
    }
    return order;
  }

  static std::string who(const SrdfGroup& group) {
    return fmt::format("group '{}'", clipped(group.name));
  }

  void expand_group(std::size_t g) {
    const SrdfGroup& group = srdf_.groups[g];
    std::vector<int> joints;
    for (const SrdfName& joint : group.joints) {
      if (skip_virtual(joint.name, joint.source.line, who(group))) continue;
      joints.push_back(find_joint(joint.name, joint.source.line, who(group)));
    }
    for (const SrdfName& link : group.links) {
      const int l = find_link(link.name, link.source.line, who(group));
      if (l >= 0) joints.push_back(joint_above_[l]);
    }
    for (const SrdfChain& chain : group.chains) append_chain(chain, who(group), joints);
    for (const SrdfName& sub : group.subgroups) {
      const auto s = groups_.find(sub.name);
      if (s == groups_.end()) continue;
      const std::vector<int>& inner = expanded_[s->second];
      work_ += inner.size();
      if (work_ > kMostGroupJoints) break;
      joints.insert(joints.end(), inner.begin(), inner.end());
    }
    work_ += joints.size();
    if (work_ > kMostGroupJoints) return fault_too_large(group);

    std::unordered_set<int> seen{-1};
    for (const int j : joints) {
      if (seen.insert(j).second) expanded_[g].push_back(j);
    }
    if (expanded_[g].empty()) {
      xml_.note(group.source.line, "empty_group", who(group), "the group has no joints",
                "name joints, links with a joint above them, or a chain");
    }
  }

  void fault_too_large(const SrdfGroup& group) {
    if (std::exchange(too_large_, true)) return;
    xml_.fault(group.source.line, "too_large", who(group),
               fmt::format("the groups up to here name more than {} joints", kMostGroupJoints),
               "check the groups inside groups");
  }

  /// The joints from base up to the common ancestor, then down to the tip.
  void append_chain(const SrdfChain& chain, const std::string& owner, std::vector<int>& joints) {
    const int base = find_link(chain.base_link, chain.source.line, owner);
    const int tip = find_link(chain.tip_link, chain.source.line, owner);
    if (base < 0 || tip < 0 || work_ > kMostGroupJoints) return;
    const std::vector<int> up = links_to_root(base), down = links_to_root(tip);
    work_ += up.size() + down.size();
    const std::unordered_set<int> of_base(up.begin(), up.end());
    const auto is_shared = [&](int link) { return of_base.contains(link); };
    const auto meeting = std::find_if(down.begin(), down.end(), is_shared);
    if (meeting == down.end()) {
      xml_.fault(chain.source.line, "chain", owner,
                 fmt::format("no joints lead from link '{}' to link '{}'", clipped(chain.base_link),
                             clipped(chain.tip_link)),
                 "name two links of one robot");
      return;
    }
    for (const int link : up) {
      if (link == *meeting) break;
      joints.push_back(joint_above_[link]);
    }
    for (auto link = meeting; link != down.begin();) joints.push_back(joint_above_[*--link]);
  }

  /// The link and those above it. A robot made in code may hold a ring: never more than all links.
  [[nodiscard]] std::vector<int> links_to_root(int link) const {
    std::vector<int> links;
    while (link >= 0 && links.size() < robot_.bodies.size()) {
      links.push_back(link);
      if (joint_above_[link] < 0) break;
      const auto parent = links_.find(robot_.joints[joint_above_[link]].parent);
      link = parent == links_.end() ? -1 : parent->second;
    }
    return links;
  }

  bool skip_virtual(const std::string& joint, int line, const std::string& owner) {
    if (joints_.contains(joint) || !virtual_.contains(joint)) return false;
    xml_.note(line, "virtual_joint", owner,
              fmt::format("the virtual joint '{}' was left out", clipped(joint)),
              "place the robot in the scene instead");
    return true;
  }

  void add_state(const SrdfGroupState& state) {
    const std::string owner = fmt::format("group_state '{}'", clipped(state.name));
    (void)find_group(state.group, state.source.line, owner);
    ConfigurationSpec spec{state.name, state.group, {}, state.source};
    for (const SrdfJointValue& value : state.joints) {
      if (skip_virtual(value.joint, value.source.line, owner)) continue;
      const int j = find_joint(value.joint, value.source.line, owner);
      if (j >= 0 && is_usable(value, robot_.joints[j], owner)) {
        spec.values.emplace_back(value.joint, value.values);
      }
    }
    states_.push_back(std::move(spec));
  }

  bool is_usable(const SrdfJointValue& value, const JointSpec& joint, const std::string& owner) {
    const int line = value.source.line;
    const std::string name = clipped(value.joint);
    if (joint.type == JointType::fixed || joint.follow) {
      xml_.note(line, "value_unused", owner,
                joint.follow
                    ? fmt::format("joint '{}' follows another; its value was left out", name)
                    : fmt::format("joint '{}' is fixed; its value was left out", name));
      return false;
    }
    if (value.values.size() != static_cast<std::size_t>(count_q(joint.type))) {
      xml_.fault(line, "value_count", owner,
                 fmt::format("joint '{}' has {} values instead of {}", name, value.values.size(),
                             static_cast<std::size_t>(count_q(joint.type))),
                 "give all entries of the joint's configuration, separated by blanks");
      return false;
    }
    const bool one_limit = value.values.size() == 1 && joint.limits.size() == 1;
    if (one_limit && (value.values[0] < joint.limits[0].lower - 1e-9 ||
                      value.values[0] > joint.limits[0].upper + 1e-9)) {
      xml_.note(line, "outside_limits", owner,
                fmt::format("{} of joint '{}' lies outside its limits {} to {}", value.values[0],
                            name, joint.limits[0].lower, joint.limits[0].upper),
                "check the value, or the limits in the URDF");
    }
    return true;
  }

  /// Each missing link is told once, with the number of pairs it costs.
  void add_pairs() {
    struct Missing {
      int line = 0;
      int pairs = 0;
    };
    std::map<std::string, Missing> missing;
    for (const SrdfDisabledPair& pair : srdf_.disabled_pairs) {
      const bool has1 = links_.contains(pair.link1);
      if (has1 && links_.contains(pair.link2)) {
        pairs_.push_back({pair.link1, pair.link2, pair.reason});
        continue;
      }
      Missing& link = missing[has1 ? pair.link2 : pair.link1];
      if (link.pairs++ == 0) link.line = pair.source.line;
    }
    for (const auto& [name, link] : missing) {
      xml_.note(link.line, "unknown_link", "disable_collisions",
                fmt::format("there is no link '{}' in the robot; pairs left out: {}", clipped(name),
                            link.pairs),
                xml_.suggest(name, link_names_));
    }
  }

  /// What the scene has no place for: checked, and told.
  void check_the_rest() {
    for (const SrdfEndEffector& effector : srdf_.end_effectors) {
      const std::string owner = fmt::format("end_effector '{}'", clipped(effector.name));
      (void)find_link(effector.parent_link, effector.source.line, owner);
      (void)find_group(effector.group, effector.source.line, owner);
      if (!effector.parent_group.empty()) {
        (void)find_group(effector.parent_group, effector.source.line, owner);
      }
    }
    for (const SrdfVirtualJoint& joint : srdf_.virtual_joints) {
      const std::string owner = fmt::format("virtual_joint '{}'", clipped(joint.name));
      (void)find_link(joint.child_link, joint.source.line, owner);
      xml_.note(joint.source.line, "virtual_joint", owner,
                fmt::format("the {} joint from '{}' was left out", joint.type,
                            clipped(joint.parent_frame)),
                "place the robot in the scene instead");
    }
    for (const SrdfName& joint : srdf_.passive_joints) {
      const std::string owner = fmt::format("passive_joint '{}'", clipped(joint.name));
      if (virtual_.contains(joint.name)) continue;
      (void)find_joint(joint.name, joint.source.line, owner);
      xml_.note(joint.source.line, "passive_joint", owner,
                "the joint is not driven; geste moves it like any other unless it follows one",
                "let it follow a leading joint with <mimic> in the URDF");
    }
  }

  const SrdfFile& srdf_;
  const SceneSpec& robot_;
  XmlReader xml_;
  NameIndex links_, joints_, groups_;
  std::vector<std::string> link_names_, joint_names_, group_names_;
  std::vector<int> joint_above_;  ///< per link, -1: none
  std::unordered_set<std::string> virtual_;
  std::vector<std::vector<int>> expanded_;  ///< joints per group
  std::vector<ConfigurationSpec> states_;
  std::vector<AllowedPairSpec> pairs_;
  std::size_t work_ = 0;
  bool too_large_ = false;
};

}  // namespace

Result<void> apply_srdf(const SrdfFile& srdf, SceneSpec& robot) {
  return SrdfApplier(srdf, robot).apply(robot);
}

}  // namespace geste

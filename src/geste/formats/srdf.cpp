#include "geste/formats/srdf.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "geste/core/files.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/internal/xml_reader.hpp"

namespace geste {
namespace {

const XmlVocabulary kRobot{
    {"name", "version"},
    {"group", "group_state", "disable_collisions", "end_effector", "virtual_joint", "passive_joint",
     "disable_default_collisions", "enable_collisions"},
    {"link_sphere_approximation", "joint_property"}};
const XmlVocabulary kGroup{{"name"}, {"joint", "link", "chain", "group", "passive_joint"}};
const XmlVocabulary kChain{{"base_link", "tip_link"}, {}};
const XmlVocabulary kName{{"name"}, {}};
const XmlVocabulary kState{{"name", "group"}, {"joint"}};
const XmlVocabulary kValue{{"name", "value"}, {}};
const XmlVocabulary kPair{{"link1", "link2", "reason"}, {}};
const XmlVocabulary kEndEffector{{"name", "group", "parent_link", "parent_group"}, {}};
const XmlVocabulary kVirtualJoint{{"name", "type", "parent_frame", "child_link"}, {}};

/// Reads the elements of one SRDF, one function per kind.
class SrdfReader {
 public:
  explicit SrdfReader(const std::string& file_name) : xml_("srdf", file_name) {
    srdf_.file = file_name;
  }

  Result<SrdfFile> read(const XmlElement& root) {
    if (!xml_.check_robot(root)) return xml_.take_error();
    xml_.check_words(root, "robot", kRobot);
    srdf_.robot = xml_.find_text(root, "name", "robot").value_or("");
    for (const XmlElement* e : children(root, "group")) read_group(*e);
    for (const XmlElement* e : children(root, "group_state")) read_state(*e);
    for (const XmlElement* e : children(root, "disable_collisions")) read_pair(*e);
    for (const XmlElement* e : children(root, "end_effector")) read_end_effector(*e);
    for (const XmlElement* e : children(root, "virtual_joint")) read_virtual_joint(*e);
    read_names(root, "passive_joint", "robot", srdf_.passive_joints);
    for (const char* kind : {"disable_default_collisions", "enable_collisions"}) {
      for (const XmlElement* e : children(root, kind)) {
        xml_.note(e->GetLineNum(), "unsupported", kind,
                  "the element is not supported and was left out",
                  "name the pairs with disable_collisions");
      }
    }
    if (xml_.failed()) return xml_.take_error();
    srdf_.notes = xml_.take_notes();
    return std::move(srdf_);
  }

 private:
  [[nodiscard]] Source source(const XmlElement& element) const {
    return {srdf_.file, element.GetLineNum()};
  }

  std::string text(const XmlElement& element, const char* attribute, const std::string& who) {
    return xml_.read_text(element, attribute, who).value_or("");
  }

  void read_names(const XmlElement& parent, const char* kind, const std::string& who,
                  std::vector<SrdfName>& names) {
    for (const XmlElement* element : children(parent, kind)) {
      xml_.check_words(*element, who, kName);
      names.push_back({text(*element, "name", who), source(*element)});
    }
  }

  void read_group(const XmlElement& element) {
    SrdfGroup group;
    group.name = text(element, "name", "group");
    group.source = source(element);
    const std::string who = fmt::format("group '{}'", clipped(group.name));
    xml_.check_words(element, who, kGroup);
    read_names(element, "joint", who, group.joints);
    read_names(element, "link", who, group.links);
    read_names(element, "group", who, group.subgroups);
    read_names(element, "passive_joint", who, srdf_.passive_joints);
    for (const XmlElement* chain : children(element, "chain")) {
      xml_.check_words(*chain, who, kChain);
      group.chains.push_back(
          {text(*chain, "base_link", who), text(*chain, "tip_link", who), source(*chain)});
    }
    if (!group.name.empty() && !group_names_.insert(group.name).second) {
      fault_repeated(element, who);
    }
    srdf_.groups.push_back(std::move(group));
  }

  void read_state(const XmlElement& element) {
    SrdfGroupState state;
    state.name = text(element, "name", "group_state");
    const std::string who = fmt::format("group_state '{}'", clipped(state.name));
    xml_.check_words(element, who, kState);
    state.group = text(element, "group", who);
    state.source = source(element);
    for (const XmlElement* joint : children(element, "joint")) {
      xml_.check_words(*joint, who, kValue);
      SrdfJointValue value{text(*joint, "name", who), {}, source(*joint)};
      if (const auto words = xml_.read_text(*joint, "value", who)) {
        // As many numbers as words: the joint's type, which says how many, is not known here.
        const std::size_t count = split_words(*words).size();
        value.values = xml_.find_numbers(*joint, "value", count, who).value_or(value.values);
      }
      state.joints.push_back(std::move(value));
    }
    if (!state_names_.insert({state.group, state.name}).second) fault_repeated(element, who);
    srdf_.states.push_back(std::move(state));
  }

  void read_pair(const XmlElement& element) {
    const std::string who = "disable_collisions";
    xml_.check_words(element, who, kPair);
    SrdfDisabledPair pair{text(element, "link1", who), text(element, "link2", who),
                          xml_.find_text(element, "reason", who).value_or(""), source(element)};
    if (pair.link1 == pair.link2 && !pair.link1.empty()) {
      xml_.note(
          element.GetLineNum(), "pair_of_one", who,
          fmt::format("link '{}' is paired with itself, which has no effect", clipped(pair.link1)),
          "remove it, or correct one of the names");
      return;
    }
    if (!pairs_.insert(std::minmax(pair.link1, pair.link2)).second) {
      xml_.note(element.GetLineNum(), "duplicate_pair", who,
                fmt::format("the pair '{}', '{}' was given before", clipped(pair.link1),
                            clipped(pair.link2)),
                "remove it");
      return;
    }
    srdf_.disabled_pairs.push_back(std::move(pair));
  }

  void read_end_effector(const XmlElement& element) {
    SrdfEndEffector effector;
    effector.name = text(element, "name", "end_effector");
    const std::string who = fmt::format("end_effector '{}'", clipped(effector.name));
    xml_.check_words(element, who, kEndEffector);
    effector.parent_link = text(element, "parent_link", who);
    effector.group = text(element, "group", who);
    effector.parent_group = xml_.find_text(element, "parent_group", who).value_or("");
    effector.source = source(element);
    srdf_.end_effectors.push_back(std::move(effector));
  }

  void read_virtual_joint(const XmlElement& element) {
    SrdfVirtualJoint joint;
    joint.name = text(element, "name", "virtual_joint");
    const std::string who = fmt::format("virtual_joint '{}'", clipped(joint.name));
    xml_.check_words(element, who, kVirtualJoint);
    joint.type = text(element, "type", who);
    joint.parent_frame = text(element, "parent_frame", who);
    joint.child_link = text(element, "child_link", who);
    joint.source = source(element);
    static const std::vector<std::string> kTypes{"fixed", "planar", "floating"};
    if (!joint.type.empty() && joint.type != "fixed" && joint.type != "planar" &&
        joint.type != "floating") {
      xml_.fault(element.GetLineNum(), "joint_type", who,
                 fmt::format("there is no virtual joint type '{}'", clipped(joint.type)),
                 xml_.suggest(joint.type, kTypes));
    }
    srdf_.virtual_joints.push_back(std::move(joint));
  }

  void fault_repeated(const XmlElement& element, const std::string& who) {
    xml_.fault(element.GetLineNum(), "duplicate_name", who, "the name was given before",
               "rename one of them");
  }

  XmlReader xml_;
  SrdfFile srdf_;
  std::set<std::string> group_names_;
  std::set<std::pair<std::string, std::string>> state_names_;
  std::set<std::pair<std::string, std::string>> pairs_;
};

}  // namespace

Result<SrdfFile> parse_srdf(std::string_view text, const std::string& file_name) {
  const Result<XmlDocument> document = parse_xml(text, file_name);
  if (!document) return document.error();
  return SrdfReader(file_name).read(*(*document)->RootElement());
}

Result<void> apply_srdf(std::string_view text, const std::string& file_name, SceneSpec& robot) {
  const Result<SrdfFile> srdf = parse_srdf(text, file_name);
  if (!srdf) return srdf.error();
  return apply_srdf(*srdf, robot);
}

Result<void> load_srdf(const std::filesystem::path& path, SceneSpec& robot) {
  const Result<std::string> bytes = load_file(path);
  if (!bytes) return bytes.error();
  return apply_srdf(*bytes, path.string(), robot);
}

}  // namespace geste

#include "geste/formats/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "geste/core/files.hpp"
#include "geste/formats/internal/urdf_joint.hpp"
#include "geste/formats/internal/urdf_link.hpp"
#include "geste/formats/internal/urdf_mesh.hpp"
#include "geste/formats/internal/urdf_tree.hpp"
#include "geste/formats/internal/xml_reader.hpp"

namespace geste {
namespace fs = std::filesystem;
namespace {

const XmlVocabulary kRobot{
    {"name", "version"},
    {"link", "joint", "material"},
    {"gazebo", "transmission", "ros2_control", "sensor", "mujoco", "plugin", "sensors"}};

/// Reports a name that was given before; true when it is new.
class Names {
 public:
  Names(const char* kind, XmlReader& xml) : kind_(kind), xml_(xml) {}

  bool add(const std::string& name, int line) {
    const auto [first, is_new] = lines_.try_emplace(name, line);
    if (!is_new) {
      xml_.fault(line, "duplicate_name", fmt::format("{} '{}'", kind_, clipped(name)),
                 fmt::format("the {} at line {} has the same name", kind_, first->second),
                 "rename one of them");
    }
    return is_new;
  }

 private:
  const char* kind_;
  XmlReader& xml_;
  std::unordered_map<std::string, int> lines_;
};

void read_links(const XmlElement& root, SceneSpec& robot, UrdfMeshStore& meshes, XmlReader& xml) {
  const UrdfMaterials materials(root, xml);
  Names names("link", xml);
  for (const XmlElement* element : children(root, "link")) {
    const auto name = xml.read_text(*element, "name", "link");
    if (name && !names.add(*name, element->GetLineNum())) continue;
    // A link without a name is read all the same, for its other faults.
    BodySpec body = read_link(*element, name.value_or(""), materials, meshes, xml);
    if (name) robot.bodies.push_back(std::move(body));
  }
}

/// True when no joint was left out.
bool read_joints(const XmlElement& root, SceneSpec& robot, XmlReader& xml) {
  bool whole = true;
  Names names("joint", xml);
  for (const XmlElement* element : children(root, "joint")) {
    const auto name = xml.read_text(*element, "name", "joint");
    JointSpec joint = read_joint(*element, name.value_or(""), xml);
    if (name && names.add(*name, element->GetLineNum())) {
      robot.joints.push_back(std::move(joint));
    } else {
      whole = false;
    }
  }
  return whole;
}

void name_robot(const XmlElement& root, const std::string& file_name, SceneSpec& robot,
                XmlReader& xml) {
  const auto name = xml.find_text(root, "name", "robot");
  robot.name = name.value_or(fs::path(file_name).stem().string());
  if (!name) {
    xml.note(
        root.GetLineNum(), "no_name", "robot",
        fmt::format("<robot> has no 'name'; it is called '{}' after its file", clipped(robot.name)),
        "add name=\"...\"");
  }
  ActorSpec actor{robot.name, "robot", {}};
  for (const BodySpec& body : robot.bodies) actor.bodies.push_back(body.name);
  robot.actors.push_back(std::move(actor));
}

/// A robot without visuals would be invisible: its collision shapes are shown instead.
void show_something(SceneSpec& robot, int line, XmlReader& xml) {
  bool has_visual = false, has_collision = false;
  for (const BodySpec& body : robot.bodies) {
    for (const GeometrySpec& geometry : body.geometry) {
      (geometry.visual ? has_visual : has_collision) = true;
    }
  }
  if (has_visual && !has_collision) {
    xml.note(line, "no_collision", "robot",
             "the robot has no <collision> shapes, so it touches nothing",
             "add <collision> elements, simpler than the visual ones where possible");
  }
  if (has_visual || !has_collision) return;
  xml.note(line, "no_visual", "robot",
           "the robot has no <visual> shapes; its collision shapes are shown");
  for (BodySpec& body : robot.bodies) {
    for (GeometrySpec& geometry : body.geometry) geometry.visual = true;
  }
}

}  // namespace

Result<SceneSpec> parse_urdf(std::string_view text, const std::string& file_name,
                             const UrdfOptions& options) {
  const Result<XmlDocument> document = parse_xml(text, file_name);
  if (!document) return document.error();
  const XmlElement& root = *(*document)->RootElement();
  XmlReader xml("urdf", file_name);
  if (!xml.check_robot(root)) return xml.take_error();
  UrdfMeshStore meshes(file_name, options, xml);
  SceneSpec robot;
  xml.check_words(root, "robot", kRobot);
  read_links(root, robot, meshes, xml);
  const bool whole = read_joints(root, robot, xml);
  name_robot(root, file_name, robot, xml);
  check_tree(robot, whole, root.GetLineNum(), xml);
  if (xml.failed()) return xml.take_error();

  if (meshes.left_out() > 0) {
    xml.note(root.GetLineNum(), "meshes_left_out", "robot",
             fmt::format("{} meshes were left out, as asked", meshes.left_out()));
  }
  show_something(robot, root.GetLineNum(), xml);
  robot.notes = xml.take_notes();
  Notes mesh_notes = meshes.take_notes();
  std::move(mesh_notes.begin(), mesh_notes.end(), std::back_inserter(robot.notes));
  return robot;
}

Result<SceneSpec> load_urdf(const fs::path& path, const UrdfOptions& options) {
  const Result<std::string> bytes = load_file(path);
  if (!bytes) return bytes.error();
  return parse_urdf(*bytes, path.string(), options);
}

}  // namespace geste

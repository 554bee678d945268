#include "geste/formats/internal/urdf_link.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "geste/core/quantity.hpp"

namespace geste {
namespace {

const XmlVocabulary kLink{
    {"name", "type"},
    {"inertial", "visual", "collision"},
    {"contact", "self_filter", "self_collision_checking", "sensor", "gazebo", "audio_source"}};
const XmlVocabulary kInertial{{}, {"origin", "mass", "inertia"}};
const XmlVocabulary kVisual{{"name"}, {"origin", "geometry", "material"}, {"meta"}};
const XmlVocabulary kCollision{{"name", "group"},
                               {"origin", "geometry"},
                               {"material", "verbose", "contact_coefficients", "max_contacts"}};
const XmlVocabulary kGeometry{{}, {"box", "cylinder", "sphere", "capsule", "mesh"}};

std::optional<Mat3> read_inertia_matrix(const XmlElement& element, XmlReader& xml,
                                        const std::string& who) {
  xml.check_words(element, who, {{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}});
  const auto xx = xml.read_number(element, "ixx", who), xy = xml.read_number(element, "ixy", who),
             xz = xml.read_number(element, "ixz", who), yy = xml.read_number(element, "iyy", who),
             yz = xml.read_number(element, "iyz", who), zz = xml.read_number(element, "izz", who);
  if (!xx || !xy || !xz || !yy || !yz || !zz) return std::nullopt;
  Mat3 inertia;
  inertia << *xx, *xy, *xz, *xy, *yy, *yz, *xz, *yz, *zz;
  return inertia;
}

/// A rigid body has principal moments a <= b <= c with 0 < a and c <= a + b (Featherstone, Rigid
/// Body Dynamics Algorithms, section 2.13). Files break this often, and planning does not need it.
void check_inertia(const Mat3& inertia, double mass, int line, XmlReader& xml,
                   const std::string& who) {
  if (mass == 0 && inertia.isZero(0)) return;
  const Vec3 moments =
      Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  const double slack = 1e-6 * moments.cwiseAbs().maxCoeff();
  if (moments[0] <= 0) {
    xml.note(line, "inertia_not_positive", who,
             fmt::format("the principal moments of inertia {}, {}, {} are not all "
                         "positive",
                         format_number(moments[0], 3), format_number(moments[1], 3),
                         format_number(moments[2], 3)),
             "recompute the inertia before simulating dynamics");
  } else if (moments[2] > moments[0] + moments[1] + slack) {
    xml.note(line, "inertia_triangle", who,
             fmt::format("the principal moments of inertia {}, {}, {} break the "
                         "triangle inequality, so no rigid body has them",
                         format_number(moments[0], 3), format_number(moments[1], 3),
                         format_number(moments[2], 3)),
             "recompute the inertia before simulating dynamics");
  }
}

std::optional<InertiaSpec> read_inertial(const XmlElement& element, XmlReader& xml,
                                         const std::string& who) {
  xml.check_words(element, who, kInertial);
  const Pose X_BI = read_origin(element, xml, who);
  const XmlElement* mass_element = xml.find_child(element, "mass", who);
  const XmlElement* inertia_element = xml.find_child(element, "inertia", who);
  for (const auto& [child, name] :
       {std::pair{mass_element, "mass"}, std::pair{inertia_element, "inertia"}}) {
    if (child != nullptr) continue;
    xml.fault(element.GetLineNum(), "missing_element", who,
              fmt::format("<inertial> has no <{}>", name),
              fmt::format("add <{}>, or remove <inertial>", name));
  }
  if (mass_element == nullptr || inertia_element == nullptr) return std::nullopt;
  xml.check_words(*mass_element, who, {{"value"}, {}});
  const auto mass = xml.read_number(*mass_element, "value", who);
  const auto inertia = read_inertia_matrix(*inertia_element, xml, who);
  if (mass && *mass < 0) {
    xml.fault(mass_element->GetLineNum(), "mass", who, fmt::format("the mass is {} kg", *mass),
              "give a mass of zero or more");
  }
  if (!mass || !inertia) return std::nullopt;
  check_inertia(*inertia, *mass, inertia_element->GetLineNum(), xml, who);
  InertiaSpec spec{*mass, X_BI.p, X_BI.R * *inertia * X_BI.R.transpose()};
  if (!spec.inertia.allFinite()) {
    xml.fault(inertia_element->GetLineNum(), "number", who, "the inertia overflows",
              "give the inertia in kg m^2");
  }
  return spec;
}

/// The shape of a <geometry>, and the colour when its mesh has one.
struct ReadShape {
  Shape shape;
  std::optional<Colour> colour;
};

std::optional<ReadShape> read_box(const XmlElement& element, XmlReader& xml,
                                  const std::string& who) {
  xml.check_words(element, who, {{"size"}, {}});
  const auto size = xml.read_vec3(element, "size", who);
  if (!size) return std::nullopt;
  if ((size->array() <= 0).any()) {
    xml.note(element.GetLineNum(), "size", who,
             fmt::format("the size of <box> is {} {} {}: it was left out", size->x(), size->y(),
                         size->z()),
             "give three edge lengths above zero, in metres");
    return std::nullopt;
  }
  return ReadShape{Box{*size}, {}};
}

/// Nothing after a fault, and for a shape without a size, which some robots have as a stopgap.
std::optional<ReadShape> read_shape(const XmlElement& element, bool visual, UrdfMeshStore& meshes,
                                    XmlReader& xml, const std::string& who) {
  const std::string_view kind = element.Name();
  if (kind == "box") return read_box(element, xml, who);
  if (kind == "mesh") {
    xml.check_words(element, who, {{"filename", "scale"}, {}});
    auto mesh = meshes.find(element, visual, who);
    if (!mesh) return std::nullopt;
    return ReadShape{std::move(mesh->mesh), mesh->colour};
  }
  if (kind == "sphere") {
    xml.check_words(element, who, {{"radius"}, {}});
    const auto radius = xml.read_positive(element, "radius", who);
    if (!radius) return std::nullopt;
    return ReadShape{Sphere{*radius}, {}};
  }
  xml.check_words(element, who, {{"radius", "length"}, {}});
  const auto radius = xml.read_positive(element, "radius", who);
  const auto length = xml.read_positive(element, "length", who);
  if (!radius || !length) return std::nullopt;
  if (kind == "capsule") return ReadShape{Capsule{*radius, *length}, {}};
  return ReadShape{Cylinder{*radius, *length}, {}};
}

/// The one shape element of <geometry>; nothing after a fault.
const XmlElement* find_shape(const XmlElement& owner, XmlReader& xml, const std::string& who) {
  const XmlElement* geometry = xml.find_child(owner, "geometry", who);
  const std::string remedy =
      "add <geometry> with one of <box>, <cylinder>, <sphere>, <capsule>, "
      "<mesh>";
  if (geometry == nullptr) {
    xml.fault(owner.GetLineNum(), "missing_element", who,
              fmt::format("<{}> has no <geometry>", owner.Name()), remedy);
    return nullptr;
  }
  xml.check_words(*geometry, who, kGeometry);
  const XmlElement* shape = nullptr;
  for (const XmlElement* child : children(*geometry)) {
    const auto& kinds = kGeometry.children;
    if (std::find(kinds.begin(), kinds.end(), child->Name()) == kinds.end()) continue;
    if (shape != nullptr) {
      xml.fault(child->GetLineNum(), "repeated", who,
                fmt::format("<geometry> holds <{}> and <{}>", shape->Name(), child->Name()),
                fmt::format("write a <{}> for each", owner.Name()));
      return nullptr;
    }
    shape = child;
  }
  if (shape == nullptr) {
    xml.fault(geometry->GetLineNum(), "missing_element", who, "<geometry> holds no shape", remedy);
  }
  return shape;
}

std::optional<GeometrySpec> read_geometry(const XmlElement& element, bool visual,
                                          const UrdfMaterials& materials, UrdfMeshStore& meshes,
                                          XmlReader& xml, const std::string& who) {
  xml.check_words(element, who, visual ? kVisual : kCollision);
  GeometrySpec spec;
  spec.name = xml.find_text(element, "name", who).value_or("");
  spec.X_BG = read_origin(element, xml, who);
  spec.visual = visual;
  spec.collision = !visual;
  if (visual) spec.colour = materials.find(element, who);
  const XmlElement* shape_element = find_shape(element, xml, who);
  if (shape_element == nullptr) return std::nullopt;
  auto read = read_shape(*shape_element, visual, meshes, xml, who);
  if (!read) return std::nullopt;
  spec.shape = std::move(read->shape);
  if (!spec.colour) spec.colour = read->colour;
  return spec;
}

}  // namespace

Pose read_origin(const XmlElement& parent, XmlReader& xml, const std::string& who) {
  const XmlElement* origin = xml.find_child(parent, "origin", who);
  if (origin == nullptr) return {};
  xml.check_words(*origin, who, {{"xyz", "rpy", "quat_xyzw"}, {}});
  const Vec3 p = xml.read_vec3(*origin, "xyz", who, Vec3::Zero()).value_or(Vec3::Zero());
  const Vec3 rpy = xml.read_vec3(*origin, "rpy", who, Vec3::Zero()).value_or(Vec3::Zero());
  if (origin->Attribute("quat_xyzw") == nullptr) return Pose::from_rpy(p, rpy[0], rpy[1], rpy[2]);

  if (origin->Attribute("rpy") != nullptr) {
    xml.fault(origin->GetLineNum(), "repeated", who, "<origin> has both 'rpy' and 'quat_xyzw'",
              "keep one of them");
  }
  const auto q = xml.find_numbers(*origin, "quat_xyzw", 4, who);
  if (!q) return {};
  const Quat quaternion((*q)[3], (*q)[0], (*q)[1], (*q)[2]);
  if (std::abs(quaternion.norm() - 1) > 1e-3) {
    xml.fault(origin->GetLineNum(), "number", who,
              fmt::format("the quaternion of <origin> has length {}", quaternion.norm()),
              "give a unit quaternion in the order x y z w");
    return {};
  }
  return {quaternion.normalized(), p};
}

BodySpec read_link(const XmlElement& link, const std::string& name, const UrdfMaterials& materials,
                   UrdfMeshStore& meshes, XmlReader& xml) {
  const std::string who = fmt::format("link '{}'", clipped(name));
  xml.check_words(link, who, kLink);
  BodySpec body;
  body.name = name;
  body.source = {xml.file(), link.GetLineNum()};
  if (const XmlElement* inertial = xml.find_child(link, "inertial", who)) {
    body.inertia = read_inertial(*inertial, xml, who);
  }
  for (const bool visual : {true, false}) {
    for (const XmlElement* element : children(link, visual ? "visual" : "collision")) {
      if (auto geometry = read_geometry(*element, visual, materials, meshes, xml, who)) {
        body.geometry.push_back(std::move(*geometry));
      }
    }
  }
  return body;
}

}  // namespace geste

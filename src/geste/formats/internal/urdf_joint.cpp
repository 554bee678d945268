#include "geste/formats/internal/urdf_joint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/quantity.hpp"
#include "geste/formats/internal/urdf_link.hpp"

namespace geste {
namespace {

const XmlVocabulary kJoint{
    {"name", "type"},
    {"origin", "parent", "child", "axis", "axis2", "limit", "dynamics", "mimic"},
    {"safety_controller", "calibration", "joint_properties", "gazebo"}};
const XmlVocabulary kLimit{{"lower", "upper", "velocity", "effort"}, {}};
const XmlVocabulary kDynamics{{"damping", "friction"}, {}};
const XmlVocabulary kMimic{{"joint", "multiplier", "offset"}, {}};

struct TypeName {
  const char* name;
  JointType type;
};
constexpr TypeName kTypes[] = {
    {"fixed", JointType::fixed},           {"revolute", JointType::revolute},
    {"continuous", JointType::continuous}, {"prismatic", JointType::prismatic},
    {"planar", JointType::planar},         {"floating", JointType::free},
    {"universal", JointType::universal},   {"spherical", JointType::spherical},
    {"ball", JointType::spherical}};

std::optional<JointType> read_type(const XmlElement& joint, XmlReader& xml,
                                   const std::string& who) {
  const auto text = xml.read_text(joint, "type", who);
  if (!text) return std::nullopt;
  std::vector<std::string> names;
  for (const TypeName& known : kTypes) {
    if (*text == known.name) return known.type;
    names.emplace_back(known.name);
  }
  xml.fault(joint.GetLineNum(), "joint_type", who,
            fmt::format("there is no joint type '{}'", clipped(*text)), xml.suggest(*text, names));
  return std::nullopt;
}

std::string read_end(const XmlElement& joint, const char* end, XmlReader& xml,
                     const std::string& who) {
  const XmlElement* element = xml.find_child(joint, end, who);
  if (element == nullptr) {
    xml.fault(joint.GetLineNum(), "missing_element", who, fmt::format("<joint> has no <{}>", end),
              fmt::format("add <{} link=\"...\"/>", end));
    return {};
  }
  xml.check_words(*element, who, {{"link"}, {}});
  return xml.read_text(*element, "link", who).value_or("");
}

/// A unit vector; the fallback where the element is absent or faulty.
Vec3 read_axis(const XmlElement& joint, const char* name, const Vec3& fallback, XmlReader& xml,
               const std::string& who) {
  const XmlElement* element = xml.find_child(joint, name, who);
  if (element == nullptr) return fallback;
  xml.check_words(*element, who, {{"xyz"}, {}});
  const auto axis = xml.read_vec3(*element, "xyz", who);
  if (!axis) return fallback;
  const double length = axis->stableNorm();
  if (length == 0) {
    xml.fault(element->GetLineNum(), "axis", who, fmt::format("<{}> is zero", name),
              "give a direction, such as xyz=\"0 0 1\"");
    return fallback;
  }
  if (std::abs(length - 1) > 1e-3) {
    xml.note(element->GetLineNum(), "axis_length", who,
             fmt::format("<{}> has length {} and was scaled to 1", name, format_number(length, 6)),
             "give a unit vector");
  }
  return axis->stableNormalized();
}

void read_axes(const XmlElement& element, JointSpec& joint, XmlReader& xml,
               const std::string& who) {
  const bool has_axis = joint.type != JointType::fixed && joint.type != JointType::free &&
                        joint.type != JointType::spherical;
  if (has_axis) joint.axis = read_axis(element, "axis", Vec3::UnitX(), xml, who);
  if (joint.type != JointType::universal) return;
  joint.axis2 = read_axis(element, "axis2", Vec3::UnitY(), xml, who);
  if (joint.axis.cross(joint.axis2).norm() < 1e-6) {
    xml.fault(element.GetLineNum(), "axis", who, "<axis> and <axis2> are parallel",
              "give two directions, best at right angles");
  }
}

/// One <limit>. Absent bounds of a bounded joint are 0, as the standard has it.
DofLimits read_limit(const XmlElement& element, bool bounded, XmlReader& xml,
                     const std::string& who) {
  xml.check_words(element, who, kLimit);
  const int line = element.GetLineNum();
  DofLimits limits;
  const auto lower = xml.read_number(element, "lower", who, 0.0, true);
  const auto upper = xml.read_number(element, "upper", who, 0.0, true);
  if (bounded && lower && upper) {
    limits.lower = *lower;
    limits.upper = *upper;
    if (*lower > *upper) {
      xml.fault(line, "limits", who,
                fmt::format("the lower limit {} is above the upper limit {}", *lower, *upper),
                "exchange them");
    } else if (*lower == kInfinity || *upper == -kInfinity) {
      xml.fault(line, "limits", who, "the limits leave no finite value",
                "give lower=\"-inf\" or upper=\"inf\" for an open end");
    }
  }
  for (const auto& [attribute, value] :
       {std::pair{"velocity", &limits.velocity}, std::pair{"effort", &limits.effort}}) {
    *value = xml.read_number(element, attribute, who, kInfinity, true).value_or(kInfinity);
    if (*value < 0) {
      xml.note(line, "limits_negative", who,
               fmt::format("the {} limit is {} and is taken as unlimited", attribute, *value),
               "give a value of zero or more");
      *value = kInfinity;
    }
  }
  return limits;
}

void note_odd_limit(const XmlElement& element, bool bounded, XmlReader& xml,
                    const std::string& who) {
  const int line = element.GetLineNum();
  const auto has = [&](const char* attribute) { return element.Attribute(attribute) != nullptr; };
  if (bounded && !has("lower") && !has("upper")) {
    xml.note(line, "limits_default", who,
             "<limit> has neither 'lower' nor 'upper'; both are 0, so the joint cannot move",
             "give both, or make the joint continuous");
  } else if (!bounded && (has("lower") || has("upper"))) {
    xml.note(line, "limits_unused", who,
             "'lower' and 'upper' have no meaning here and were left out",
             "make a continuous joint revolute to keep them; give a joint with several degrees of "
             "freedom one <limit> for each");
  }
  for (const char* attribute : {"velocity", "effort"}) {
    if (has(attribute)) continue;
    xml.note(line, "limits_missing", who,
             fmt::format("<limit> has no '{}', which is taken as unlimited", attribute),
             fmt::format("add {}=\"...\"", attribute));
  }
}

/// A spherical joint's cone: `upper` of its first limit.
void limit_angle(const XmlElement& element, JointSpec& joint, XmlReader& xml,
                 const std::string& who) {
  const auto angle = xml.read_number(element, "upper", who, kPi);
  if (!angle) return;
  if (*angle <= 0) {
    xml.fault(element.GetLineNum(), "limits", who,
              fmt::format("the largest angle of the joint is {} rad", *angle),
              "give upper=\"...\" above zero; without it every rotation is allowed");
  }
  if (element.Attribute("upper") != nullptr) joint.limits[0].upper = std::min(*angle, kPi);
}

/// One <limit> per degree of freedom, or one that holds for all of them.
void read_limits(const XmlElement& element, JointSpec& joint, XmlReader& xml,
                 const std::string& who) {
  const std::size_t freedoms = static_cast<std::size_t>(count_v(joint.type));
  const auto limits = children(element, "limit");
  if (freedoms == 0) return;
  if (limits.empty()) {
    if (joint.type == JointType::revolute || joint.type == JointType::prismatic) {
      xml.note(element.GetLineNum(), "limits_missing", who,
               fmt::format("the {} joint has no <limit> and is taken as unlimited",
                           element.Attribute("type")),
               "add <limit lower= upper= velocity= effort=>");
    }
    return;
  }
  if (limits.size() != 1 && limits.size() != freedoms) {
    xml.fault(limits.back()->GetLineNum(), "limits", who,
              fmt::format("{} <limit> elements for {} degrees of freedom", limits.size(), freedoms),
              "write one for all, or one for each");
    return;
  }
  const bool one_each = limits.size() == freedoms;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const bool bounded = joint.type != JointType::continuous &&
                         joint.type != JointType::spherical &&
                         (one_each ? i < 3 : joint.type == JointType::universal);
    joint.limits.push_back(read_limit(*limits[i], bounded, xml, who));
    if (joint.type != JointType::spherical) note_odd_limit(*limits[i], bounded, xml, who);
  }
  joint.limits.resize(freedoms, joint.limits.front());
  if (joint.type == JointType::spherical) limit_angle(*limits[0], joint, xml, who);
}

void read_dynamics(const XmlElement& element, JointSpec& joint, XmlReader& xml,
                   const std::string& who) {
  const XmlElement* dynamics = xml.find_child(element, "dynamics", who);
  if (dynamics == nullptr) return;
  xml.check_words(*dynamics, who, kDynamics);
  joint.damping = xml.read_number(*dynamics, "damping", who, 0.0).value_or(0);
  joint.friction = xml.read_number(*dynamics, "friction", who, 0.0).value_or(0);
  for (const auto& [attribute, value] :
       {std::pair{"damping", joint.damping}, std::pair{"friction", joint.friction}}) {
    if (value >= 0) continue;
    xml.fault(dynamics->GetLineNum(), "dynamics", who, fmt::format("{} is {}", attribute, value),
              "give a value of zero or more");
  }
}

void read_mimic(const XmlElement& element, JointSpec& joint, XmlReader& xml,
                const std::string& who) {
  const XmlElement* mimic = xml.find_child(element, "mimic", who);
  if (mimic == nullptr) return;
  xml.check_words(*mimic, who, kMimic);
  const auto leader = xml.read_text(*mimic, "joint", who);
  const auto multiplier = xml.read_number(*mimic, "multiplier", who, 1.0);
  const auto offset = xml.read_number(*mimic, "offset", who, 0.0);
  if (!leader || !multiplier || !offset) return;
  const std::size_t freedoms = static_cast<std::size_t>(count_v(joint.type));
  if (freedoms == 0) {
    xml.note(mimic->GetLineNum(), "mimic_fixed", who,
             "<mimic> of a fixed joint has no effect and was left out", "remove it");
  } else if (freedoms > 1) {
    xml.fault(mimic->GetLineNum(), "mimic", who,
              fmt::format("a joint with {} degrees of freedom cannot mimic another", freedoms),
              "use <mimic> in revolute, continuous and prismatic joints");
  } else {
    joint.follow = FollowSpec{{*leader}, LinearFollow{*multiplier, *offset}};
  }
}

}  // namespace

JointSpec read_joint(const XmlElement& element, const std::string& name, XmlReader& xml) {
  const std::string who = fmt::format("joint '{}'", clipped(name));
  xml.check_words(element, who, kJoint);
  JointSpec joint;
  joint.name = name;
  joint.source = {xml.file(), element.GetLineNum()};
  joint.parent = read_end(element, "parent", xml, who);
  joint.child = read_end(element, "child", xml, who);
  joint.X_PJ = read_origin(element, xml, who);
  const std::optional<JointType> type = read_type(element, xml, who);
  if (!type) return joint;
  joint.type = *type;
  read_axes(element, joint, xml, who);
  read_limits(element, joint, xml, who);
  read_dynamics(element, joint, xml, who);
  read_mimic(element, joint, xml, who);
  return joint;
}

}  // namespace geste

#include "geste/formats/internal/urdf_material.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/formats/internal/srgb.hpp"

namespace geste {
namespace {

const XmlVocabulary kMaterial{{"name"}, {"color", "texture"}, {"script"}};
const XmlVocabulary kColor{{"rgba"}, {}};

/// The colour that stands in a <material>; nothing when it has none, or after a fault.
std::optional<Colour> read_colour(const XmlElement& material, XmlReader& xml,
                                  const std::string& who) {
  xml.check_words(material, who, kMaterial);
  const XmlElement* element = xml.find_child(material, "color", who);
  if (element == nullptr) return std::nullopt;
  xml.check_words(*element, who, kColor);
  if (!xml.read_text(*element, "rgba", who)) return std::nullopt;
  const auto rgba = xml.find_numbers(*element, "rgba", 4, who);
  if (!rgba) return std::nullopt;
  if (std::any_of(rgba->begin(), rgba->end(), [](double x) { return x < 0 || x > 1; })) {
    xml.note(element->GetLineNum(), "colour", who, "a colour lies outside 0 to 1 and was cut",
             "give red, green, blue and opacity from 0 to 1");
  }
  return colour_from_srgb((*rgba)[0], (*rgba)[1], (*rgba)[2], (*rgba)[3]);
}

}  // namespace

UrdfMaterials::UrdfMaterials(const XmlElement& robot, XmlReader& xml) : xml_(xml) {
  for (const XmlElement* material : children(robot, "material")) {
    const auto name = xml_.read_text(*material, "name", "material");
    if (!name) continue;
    const std::string who = fmt::format("material '{}'", clipped(*name));
    if (colours_.contains(*name)) {
      xml_.note(material->GetLineNum(), "duplicate_material", who,
                "the material is defined twice; the first holds", "rename or remove one of them");
      continue;
    }
    colours_[*name] = read_colour(*material, xml_, who);
  }
  XmlReader unheard("urdf", "");  // what is wrong in a visual is told when the visual is read
  for (const XmlElement* link : children(robot, "link")) {
    for (const XmlElement* visual : children(*link, "visual")) {
      const XmlElement* material = visual->FirstChildElement("material");
      if (material == nullptr || material->FirstChildElement() == nullptr) continue;
      const char* name = material->Attribute("name");
      if (name == nullptr || colours_.contains(name)) continue;
      colours_[name] = read_colour(*material, unheard, "");
    }
  }
  for (const auto& [name, colour] : colours_) names_.push_back(name);
}

std::optional<Colour> UrdfMaterials::find(const XmlElement& visual, const std::string& who) const {
  const XmlElement* material = xml_.find_child(visual, "material", who);
  if (material == nullptr) return std::nullopt;
  if (material->FirstChildElement() != nullptr) return read_colour(*material, xml_, who);
  const auto name = xml_.read_text(*material, "name", who);
  if (!name) return std::nullopt;
  const auto known = colours_.find(*name);
  if (known != colours_.end()) return known->second;
  xml_.note(material->GetLineNum(), "unknown_material", who,
            fmt::format("there is no material '{}'", clipped(*name)), xml_.suggest(*name, names_));
  return std::nullopt;
}

}  // namespace geste

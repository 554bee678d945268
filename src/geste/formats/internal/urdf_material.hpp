#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "geste/formats/internal/xml_reader.hpp"
#include "geste/geometry/shape.hpp"

namespace geste {

/// The named colours of a robot: those of <robot> first, then those defined inside a <visual>,
/// which other visuals may name as well.
class UrdfMaterials {
 public:
  UrdfMaterials(const XmlElement& robot, XmlReader& xml);

  /// The colour of a <visual>: its own, or that of the material it names.
  std::optional<Colour> find(const XmlElement& visual, const std::string& who) const;

 private:
  XmlReader& xml_;
  std::map<std::string, std::optional<Colour>> colours_;  ///< empty: has no colour, but a texture
  std::vector<std::string> names_;
};

}  // namespace geste

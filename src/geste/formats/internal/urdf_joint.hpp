#pragma once

#include <string>

#include "geste/formats/internal/xml_reader.hpp"
#include "geste/model/scene_spec.hpp"

namespace geste {

/// Everything inside a <joint>, checked by itself; names of links and leaders are not looked up.
JointSpec read_joint(const XmlElement& joint, const std::string& name, XmlReader& xml);

}  // namespace geste

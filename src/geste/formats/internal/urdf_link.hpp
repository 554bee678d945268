#pragma once

#include <string>

#include "geste/formats/internal/urdf_material.hpp"
#include "geste/formats/internal/urdf_mesh.hpp"
#include "geste/formats/internal/xml_reader.hpp"
#include "geste/model/scene_spec.hpp"

namespace geste {

/// The <origin> of `parent`, identity where there is none or after a fault.
Pose read_origin(const XmlElement& parent, XmlReader& xml, const std::string& who);

/// Everything inside a <link>.
BodySpec read_link(const XmlElement& link, const std::string& name, const UrdfMaterials& materials,
                   UrdfMeshStore& meshes, XmlReader& xml);

}  // namespace geste

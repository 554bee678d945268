#pragma once

#include <TDF_Label.hxx>
#include <TDocStd_Document.hxx>
#include <gp_Trsf.hxx>

#include <optional>
#include <string>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/geometry/shape.hpp"

namespace geste {

/// One place where a part stands in the assembly.
struct StepPlace {
  TDF_Label part;                ///< the shape; the same label for all places of a part
  std::string path;              ///< as the library names things, made-up names included
  std::string part_name;         ///< the last name of the path
  std::string name;              ///< first telling name from the instance upwards
  std::string mesh_name;         ///< first telling name from the part upwards
  gp_Trsf X_WP;                  ///< part to world
  std::optional<Colour> colour;  ///< of the instance, else of the part
};

/// All places in the order of the tree, depth first.
/// "step.too_many_instances" for more than a million, which a small file can ask for.
Result<std::vector<StepPlace>> list_places(const Handle(TDocStd_Document) & document,
                                           const std::string& file_name);

/// False for names that a program made up: "", "=>[0:1:1:2]", "SOLID", "NAUO12", "instance id 3".
bool is_telling_name(std::string_view name);

}  // namespace geste

#pragma once

#include <TDF_Label.hxx>
#include <TDocStd_Document.hxx>
#include <gp_Trsf.hxx>

#include <optional>
#include <string>
#include <vector>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"
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
  int assembly = -1;             ///< index into StepTree::assemblies; -1: in none
};

/// An assembly, or the parts of a file without one.
struct StepTree {
  std::vector<StepPlace> places;          ///< depth first
  std::vector<AssetAssembly> assemblies;  ///< parents first; names as the file gives them
};

/// All places and the assemblies that they stand in.
/// "step.too_many_instances" for more than a million, which a small file can ask for.
Result<StepTree> list_places(const Handle(TDocStd_Document) & document,
                             const std::string& file_name);

/// False for names that a program made up: "", "=>[0:1:1:2]", "SOLID", "NAUO12", "instance id 3".
bool is_telling_name(std::string_view name);

}  // namespace geste

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"

namespace geste {

/// Reads COLLADA 1.4 and 1.5 (.dae), the mesh format of many robot packages.
///
/// One AssetInstance per node that shows geometry, library nodes unfolded where they are instanced;
/// one AssetMesh per distinct geometry and its materials, coloured by the first diffuse colour. An
/// instance is named after its node's name, else its id or sid, else its geometry.
///
/// Coordinates and placements stay as the file writes them: `<unit>` goes into unit and
/// metres_per_unit (metre where unstated, as the standard says), `<up_axis>` into Asset::up (y
/// where unstated), and neither is applied.
///
/// Skins and morphs stand in their rest shape, animations are left out, each with a note. Geometry
/// passes through assimp in single precision, about seven digits.
///
/// Errors: dae.xml, dae.not_collada, dae.unit, dae.up_axis, dae.number, dae.count, dae.reference,
/// dae.cycle, dae.too_deep, dae.too_large, dae.not_finite, dae.import (assimp's own words).
Result<Asset> load_dae(const std::filesystem::path& path);
Result<Asset> parse_dae(std::string_view bytes, const std::string& file_name);

}  // namespace geste

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"

namespace geste {

/// Reads the polygons of Wavefront OBJ. Every object (`o`) is a part; where the file has no
/// objects, every group (`g`) is, and what comes before the first one, or has no name, is named
/// after the file. Objects are parts in the order of the file, also under the same name; groups of
/// the same name are one. Polygons are cut into triangles, concave ones too. OBJ states neither
/// unit nor up axis.
///
/// `load_obj` also reads the material files beside it: a part takes the diffuse colour (Kd) and
/// opacity (d, Tr) of the material that most of its triangles have. `parse_obj` sees no files.
///
/// Texture coordinates, normals, smoothing and drawing attributes are ignored; lines, points,
/// curves and surfaces are counted in a note.
///
/// Errors: obj.empty, obj.bad_number, obj.not_finite, obj.bad_index, obj.too_few_corners,
/// obj.too_large. Notes: obj.ignored_elements, obj.unknown_statement, obj.many_materials,
/// obj.material_file, obj.complex_polygon, and those of every asset.
Result<Asset> parse_obj(std::string_view bytes, const std::string& file_name);
Result<Asset> load_obj(const std::filesystem::path& path);

}  // namespace geste

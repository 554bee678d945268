#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"

namespace geste {

/// Reads STL, binary or text. Which of the two it is, is decided by the size that the binary form
/// announces, then by the content, never by the word "solid" alone: binary files may start with it.
///
/// Text files may hold several solids, one mesh each, named after the solid (the file's stem where
/// it has no name); a binary file is one mesh named after the file. Normals, colours and other
/// attributes are ignored: the order of the corners says where the outside is. STL states neither
/// unit nor up axis.
///
/// Errors: stl.empty, stl.not_stl, stl.truncated, stl.absurd_count, stl.big_endian, stl.not_finite,
/// stl.syntax. Notes: stl.extra_bytes, stl.no_endsolid, and those of every asset.
Result<Asset> parse_stl(std::string_view bytes, const std::string& file_name);
Result<Asset> load_stl(const std::filesystem::path& path);

/// A mesh as binary STL, in the unit of its vertices.
std::string make_stl(const TriangleMesh& mesh);

}  // namespace geste

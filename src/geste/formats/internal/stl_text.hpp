#pragma once

#include <string>
#include <string_view>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"

namespace geste {

/// The text form of STL, into the meshes, instances and notes of `asset`.
Result<void> read_stl_text(std::string_view text, Asset& asset, const std::string& stem);

}  // namespace geste

#pragma once

#include <filesystem>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"
#include "geste/formats/step.hpp"

namespace geste {

/// What some of the readers can be told.
struct AssetOptions {
  StepOptions step;
};

/// Reads a mesh or CAD file with the reader that its extension names (letter case does not matter).
/// A file whose content is plainly of another kind is not guessed at: the error says what it is
/// ("asset.other_content"). Unknown extensions: "asset.unknown_format".
Result<Asset> load_asset(const std::filesystem::path& path, const AssetOptions& options = {});

}  // namespace geste

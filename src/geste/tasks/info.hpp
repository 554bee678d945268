#pragma once

#include <filesystem>
#include <string>

#include "geste/core/result.hpp"

namespace geste {

struct InfoOptions {
  double step_deflection = 0.1e-3;  ///< m: how finely STEP surfaces are turned into triangles
};

/// What is in a file, for people and for programs: the same facts twice.
struct FileInfo {
  std::string text;
  std::string json;
};

/// Degrees of freedom, joints, limits, mass, parts, triangles, box, units and warnings of a robot,
/// mesh, CAD, capture, roadmap or task file, by its extension.
Result<FileInfo> load_info(const std::filesystem::path& path, const InfoOptions& options = {});

}  // namespace geste

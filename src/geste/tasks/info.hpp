#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geste/core/result.hpp"

namespace geste {

struct InfoOptions {
  double step_deflection = 0.1e-3;  ///< m: how finely STEP surfaces are turned into triangles
  /// Robots and tasks: links or bodies whose poses are asked for; "all" stands for all of them.
  std::vector<std::string> poses{};
  /// Values of joints for those, as "name=value", with or without a unit; the others are where the
  /// robot or the task begins.
  std::vector<std::string> joints{};
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

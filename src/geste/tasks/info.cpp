#include "geste/tasks/info.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/text.hpp"
#include "geste/tasks/internal/facts.hpp"

namespace geste {
namespace {

using internal::Facts;

struct Reader {
  const char* extension;
  Result<Facts> (*load)(const std::filesystem::path&, const InfoOptions&);
};

constexpr Reader kReaders[] = {
    {".urdf", internal::load_urdf_facts}, {".srdf", internal::load_srdf_facts},
    {".yaml", internal::load_task_facts}, {".yml", internal::load_task_facts},
    {".stl", internal::load_asset_facts}, {".obj", internal::load_asset_facts},
    {".dae", internal::load_asset_facts}, {".gltf", internal::load_asset_facts},
    {".glb", internal::load_asset_facts}, {".step", internal::load_step_facts},
    {".stp", internal::load_step_facts},  {".bvh", internal::load_bvh_facts},
    {".c3d", internal::load_c3d_facts},   {".roadmap", internal::load_roadmap_facts},
};

constexpr std::size_t kRowsShown = 40;

/// Why a file whose name ends in none of the known ways cannot be looked into.
Diagnostic explain_unknown(const std::filesystem::path& path, const std::string& extension) {
  Diagnostic fault;
  fault.file = path.string();
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    fault.code = "file.missing";
    fault.message = "there is no such file";
    fault.remedy = "check the path";
    return fault;
  }
  fault.code = "info.unknown_format";
  if (std::filesystem::is_directory(path, ignored)) {
    fault.message = "is a folder";
    fault.remedy = "name a file in it";
    return fault;
  }
  fault.message = extension.empty() ? "its name has no ending that says what it is"
                                    : fmt::format("files of kind '{}' are not known", extension);
  if (extension == ".xacro") {
    fault.remedy =
        fmt::format("run 'xacro {} > robot.urdf' first and give its output", path.string());
    return fault;
  }
  fault.remedy = "known kinds:";
  for (const Reader& r : kReaders) fault.remedy += fmt::format(" {}", r.extension);
  return fault;
}

}  // namespace

Result<FileInfo> load_info(const std::filesystem::path& path, const InfoOptions& options) {
  const std::string extension = to_lower(path.extension().string());
  const auto* reader = std::find_if(std::begin(kReaders), std::end(kReaders),
                                    [&](const Reader& r) { return extension == r.extension; });
  if (reader == std::end(kReaders)) return explain_unknown(path, extension);
  const bool has_bodies =
      reader->load == internal::load_urdf_facts || reader->load == internal::load_task_facts;
  if (!has_bodies && (!options.poses.empty() || !options.joints.empty())) {
    return Diagnostic{.code = "info.no_bodies",
                      .message = "has no joints and links whose poses could be told",
                      .file = path.string(),
                      .remedy = "give --pose and --joints with a robot (.urdf) or a task (.yaml)"};
  }
  const Result<Facts> facts = reader->load(path, options);
  if (!facts) return facts.error();
  return FileInfo{internal::render_facts(*facts, kRowsShown),
                  facts->dump(2, ' ', false, Facts::error_handler_t::replace) + "\n"};
}

}  // namespace geste

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
    {".c3d", internal::load_c3d_facts},
};

constexpr std::size_t kRowsShown = 40;

}  // namespace

Result<FileInfo> load_info(const std::filesystem::path& path, const InfoOptions& options) {
  const std::string extension = to_lower(path.extension().string());
  const auto* reader = std::find_if(std::begin(kReaders), std::end(kReaders),
                                    [&](const Reader& r) { return extension == r.extension; });
  if (reader == std::end(kReaders)) {
    std::string known;
    for (const Reader& r : kReaders) known += (known.empty() ? "" : " ") + std::string(r.extension);
    std::error_code ignored;
    const bool exists = std::filesystem::exists(path, ignored);
    return Diagnostic{.code = exists ? "info.unknown_format" : "file.missing",
                      .message = exists ? fmt::format("files of kind '{}' are not known", extension)
                                        : "there is no such file",
                      .file = path.string(),
                      .remedy = "known kinds: " + known};
  }
  const Result<Facts> facts = reader->load(path, options);
  if (!facts) return facts.error();
  return FileInfo{internal::render_facts(*facts, kRowsShown),
                  facts->dump(2, ' ', false, Facts::error_handler_t::replace) + "\n"};
}

}  // namespace geste

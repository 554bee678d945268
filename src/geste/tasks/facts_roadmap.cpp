#include "geste/planning/roadmap_file.hpp"
#include "geste/tasks/internal/facts.hpp"

namespace geste::internal {
namespace {

/// How many parts do not hang together.
std::size_t count_roadmap_components(const RoadmapFile& file) {
  std::vector<std::size_t> root(file.count_points());
  for (std::size_t i = 0; i < root.size(); ++i) root[i] = i;
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  std::size_t count = root.size();
  for (const auto& [a, b] : file.links) {
    const std::size_t from = find(static_cast<std::size_t>(a)),
                      to = find(static_cast<std::size_t>(b));
    if (from == to) continue;
    root[from] = to;
    --count;
  }
  return count;
}

}  // namespace

Result<Facts> load_roadmap_facts(const std::filesystem::path& path, const InfoOptions&) {
  const Result<RoadmapFile> file = load_roadmap_file(path);
  if (!file) return file.error();
  Facts facts;
  facts["file"] = path.string();
  facts["format"] = "roadmap";
  facts["kind"] = file->kind == RoadmapKind::basic ? "prm" : "visibility_prm";
  facts["points"] = file->count_points();
  facts["links"] = file->links.size();
  facts["components"] = count_roadmap_components(*file);
  facts["samples"] = file->samples;
  facts["coverage"] = file->coverage;
  facts["steering"] = file->steering;
  facts["joints"] = file->joints;
  facts["bits_per_entry"] = file->bits;
  facts["scene_sha256"] = file->scene;
  return facts;
}

}  // namespace geste::internal

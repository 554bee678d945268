#include "geste/tasks/internal/roadmap_store.hpp"

#include "geste/core/files.hpp"

namespace geste::internal {

Result<RoadmapStore> RoadmapStore::open(const PlanningRig& rig, const std::filesystem::path& path) {
  RoadmapStore store(rig, path);
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return store;
  const Result<RoadmapFile> file = load_roadmap_file(path);
  if (!file) return file.error();
  Result<Roadmap> roadmap =
      unpack_roadmap(*file, rig.world(), hash_scene(rig.space(), rig.model()), rig.steering_text());
  if (!roadmap) {
    Error error = roadmap.error();
    error.file = path.string();
    return error;
  }
  store.roadmap_ = std::move(*roadmap);
  store.was_read_ = true;
  store.samples_ = file->samples;
  store.coverage_ = file->coverage;
  return store;
}

Result<std::size_t> RoadmapStore::save(const PlanningRig& rig, RoadmapKind kind,
                                       const RoadmapReport& grown) {
  if (path_.empty()) return std::size_t{0};
  LocalPlanner local(rig.world());
  RoadmapFile file = pack_roadmap(roadmap_, local);
  file.scene = hash_scene(rig.space(), rig.model());
  file.steering = rig.steering_text();
  file.kind = kind;
  file.samples = samples_ + grown.samples;
  // What it learned from a way does not change what its samples said.
  file.coverage = grown.samples > 0 ? grown.coverage : coverage_;
  const std::string bytes = make_roadmap_bytes(file);
  if (const Result<void> written = write_file_atomically(path_, bytes); !written)
    return written.error();
  return bytes.size();
}

}  // namespace geste::internal

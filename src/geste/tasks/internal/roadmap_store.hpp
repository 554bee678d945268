#pragma once

#include <filesystem>

#include "geste/planning/roadmap_file.hpp"
#include "geste/tasks/internal/planning_rig.hpp"

namespace geste::internal {

/// A roadmap and the file it is kept in.
class RoadmapStore {
 public:
  /// Reads the file where it is there; otherwise, or without a path, the roadmap is empty. The
  /// error says why a file cannot be read, or what of the rig it does not fit.
  static Result<RoadmapStore> open(const PlanningRig& rig, const std::filesystem::path& path);

  [[nodiscard]] Roadmap& roadmap() { return roadmap_; }
  [[nodiscard]] bool was_read() const { return was_read_; }

  /// Writes it, with what came of growing it. How many bytes that took; 0 without a path.
  Result<std::size_t> save(const PlanningRig& rig, RoadmapKind kind, const RoadmapReport& grown);

 private:
  RoadmapStore(const PlanningRig& rig, std::filesystem::path path)
      : path_(std::move(path)), roadmap_(rig.space()) {}

  std::filesystem::path path_;
  Roadmap roadmap_;
  bool was_read_ = false;
  std::uint64_t samples_ = 0;  ///< of the file
  double coverage_ = 0;        ///< likewise
};

}  // namespace geste::internal

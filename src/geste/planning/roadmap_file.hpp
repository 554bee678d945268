#pragma once

#include <filesystem>

#include "geste/planning/roadmap.hpp"

namespace geste {

/// A roadmap as it is kept in a file, and what it was grown in (MV-6).
///
/// Entries of points are whole numbers on a grid between the limits of their joints, so a file is
/// small; after reading points are elsewhere by half a step of the grid. Nothing that a file says
/// is taken for proven: `unpack_roadmap` marks every link as not proven, and queries prove what
/// they use. A file can make a query slow, never wrong.
struct RoadmapFile {
  struct Axis {
    double low = 0;
    double high = 0;
    friend bool operator==(const Axis&, const Axis&) = default;
  };

  int bits = 16;                    ///< of an entry: 16, 24 or 32
  std::string scene;                ///< hash_scene of what it was grown in
  std::string steering;             ///< method and parameters, as people say them
  std::vector<std::string> joints;  ///< by name
  std::vector<Axis> axes;           ///< by entry of a point: what the grid spans
  RoadmapKind kind = RoadmapKind::visibility;
  std::uint64_t samples = 0;               ///< free ones that it was grown with
  double coverage = 0;                     ///< RoadmapReport
  std::vector<std::uint32_t> entries;      ///< point after point
  std::vector<std::pair<int, int>> links;  ///< the higher number first

  [[nodiscard]] std::size_t count_points() const {
    return axes.empty() ? 0 : entries.size() / axes.size();
  }
};

/// The bytes of a file, whole numbers little-endian:
///   "GROADMAP", version (u16), bits (u8), kind (u8), points, entries, joints (u32 each),
///   samples (u64), coverage (f64), scene (32 bytes), steering and joints (u16 length, bytes),
///   axes (two f64 each), entries of all points, links, and 8 bytes of the SHA-256 of all before.
/// Links: for each point how many lead to points before it, then how far before, as numbers of
/// seven bits a byte (LEB128), nearest first.
std::string make_roadmap_bytes(const RoadmapFile& file);
/// The error says what is wrong with the bytes; `file` names them.
Result<RoadmapFile> parse_roadmap_file(std::string_view bytes, const std::string& file);
Result<RoadmapFile> load_roadmap_file(const std::filesystem::path& path);
/// Whole or not at all.
Result<void> write_roadmap_file(const std::filesystem::path& path, const RoadmapFile& file);

/// What ways in a space depend on, beside its joints and the steering: shapes, mechanisms, what may
/// touch, and where everything is that is not planned. SHA-256 in hexadecimal.
std::string hash_scene(const PlanningSpace& space, const CollisionModel& model);

/// On the coarsest grid on which every link is still free; of the finest one links are left out
/// that are not.
RoadmapFile pack_roadmap(const Roadmap& roadmap, LocalPlanner& local);

/// The roadmap of a file. `scene`, `steering`: of here. The error says what it does not fit: it was
/// grown in another scene, for other joints, in another room or by another method.
Result<Roadmap> unpack_roadmap(const RoadmapFile& file, const PlanningWorld& world,
                               const std::string& scene, const std::string& steering);

}  // namespace geste

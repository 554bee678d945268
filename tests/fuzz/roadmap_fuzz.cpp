#include <cmath>

#include "geste/core/sha256.hpp"
#include "geste/planning/roadmap_file.hpp"

#include "checks.hpp"

using namespace geste;

namespace {

void look(std::string_view bytes) {
  const Result<RoadmapFile> file = parse_roadmap_file(bytes, "fuzz.roadmap");
  if (!file) return fuzz::require_telling(file.error());
  const auto points = static_cast<int>(file->count_points());
  fuzz::require(file->entries.size() == file->count_points() * file->axes.size(),
                "points x entries");
  for (const RoadmapFile::Axis& axis : file->axes)
    fuzz::require(std::isfinite(axis.low) && axis.low <= axis.high, "axes are finite and in order");
  for (const auto& [high, low] : file->links)
    fuzz::require(0 <= low && low < high && high < points, "links lead back");
  fuzz::require(make_roadmap_bytes(*file) == bytes, "what was read is written alike");
}

}  // namespace

/// As it is, and with its sum put right, or hardly anything would be read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::as_text(data, size);
  look(bytes);
  if (size < 8) return 0;
  std::string mended(bytes.substr(0, size - 8));
  const std::string sum = compute_sha256(mended);
  for (std::size_t i = 0; i < 16; i += 2)
    mended += static_cast<char>(std::stoi(sum.substr(i, 2), nullptr, 16));
  look(mended);
  return 0;
}

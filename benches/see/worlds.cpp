#include "see/worlds.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <stdexcept>

#include "geste/core/files.hpp"
#include "geste/geometry/generate.hpp"

#include "common/take.hpp"

namespace geste::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kJoints = 5;

std::string make_motion(double seconds) {
  constexpr double kRate = 60;
  std::string text = "time";
  for (int j = 1; j <= kJoints; ++j) text += fmt::format(",arm/joint{}", j);
  for (int k = 0; k <= seconds * kRate; ++k) {
    const double t = k / kRate;
    text += fmt::format("\n{:.6f}", t);
    for (int j = 1; j <= kJoints; ++j)
      text += fmt::format(",{:.6f}", 0.4 * std::sin(t * (0.4 + 0.1 * j)));
  }
  return text + "\n";
}

/// Where the plant leaves room: things stand around the arm, nothing in it.
Vec3 find_place(long triangles) {
  WorldOptions options;
  options.facets = static_cast<std::size_t>(triangles);
  const GeneratedWorld world = take(generate_world("plant", options));
  const AxisBox& box = world.free.front().box;
  const Vec3 middle = (box.min + box.max) / 2;
  return {middle.x(), middle.y(), box.min.z() + 0.1};
}

void write_text(const fs::path& file, const std::string& text) {
  if (const Result<void> written = write_file_atomically(file, text); !written)
    throw std::runtime_error(to_text(written.error()));
}

}  // namespace

Worlds::Worlds() {
  std::string name = (fs::temp_directory_path() / "geste-see-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
  folder_ = name;
}

Worlds::~Worlds() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

fs::path Worlds::write(long triangles, double seconds) const {
  const std::string stem = fmt::format("plant_{}", triangles);
  write_text(folder_ / (stem + ".csv"), make_motion(seconds));
  const Vec3 at = find_place(triangles);
  const std::string arm = std::string(GESTE_MODELS) + "/arm6/arm6";
  const std::string text = fmt::format(
      "geste: 1\n"
      "parts:\n"
      "  - {{name: plant, generate: {{kind: plant, facets: {0}}}}}\n"
      "actors:\n"
      "  - {{name: arm, urdf: {1}.urdf, srdf: {1}.srdf, at: {{xyz: [{3}, {4}, {5}]}}}}\n"
      "task:\n"
      "  replay: {{motion: {2}.csv}}\n",
      triangles, arm, stem, at.x(), at.y(), at.z());
  const fs::path file = folder_ / (stem + ".yaml");
  write_text(file, text);
  return file;
}

}  // namespace geste::bench

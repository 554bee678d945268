#include "geste/formats/asset.hpp"

#include <fmt/format.h>

#include <cmath>

#include "geste/formats/internal/length_units.hpp"

namespace geste {
namespace {

/// Longest edge of the whole, in metres.
constexpr double kLongest = 100;
constexpr double kShortest = 0.001;
/// What a better guess must lie between: wider above, as a hall or a ship in mm is still one.
constexpr double kLongestGuess = 1000;
constexpr double kShortestGuess = 0.005;

const LengthUnit* find_guess(double extent, double current) {
  // The likeliest first: CAD writes mm, robot models m.
  for (const char* symbol : {"mm", "m", "in", "cm", "ft", "km"}) {
    const LengthUnit* unit = find_length_unit(symbol);
    const double size = extent * unit->metres;
    const bool same = std::abs(unit->metres - current) <= 1e-9 * current;
    if (!same && size >= kShortestGuess && size <= kLongestGuess) return unit;
  }
  return nullptr;
}

std::string name_unit(const Asset& asset) {
  if (const LengthUnit* unit = find_length_unit(asset.metres_per_unit, 1e-9)) return unit->many;
  return fmt::format("units of {:g} m", asset.metres_per_unit);
}

bool is_diagonal(const Mat3& A) {
  return A(0, 1) == 0 && A(0, 2) == 0 && A(1, 0) == 0 && A(1, 2) == 0 && A(2, 0) == 0 &&
         A(2, 1) == 0;
}

}  // namespace

std::size_t count_distinct_triangles(const Asset& asset) {
  std::size_t count = 0;
  for (const AssetMesh& mesh : asset.meshes) count += mesh.mesh->triangles.size();
  return count;
}

std::size_t count_instanced_triangles(const Asset& asset) {
  std::size_t count = 0;
  for (const AssetInstance& instance : asset.instances) {
    count += asset.meshes[instance.mesh].mesh->triangles.size();
  }
  return count;
}

AxisBox compute_box(const Asset& asset) {
  std::vector<AxisBox> boxes;
  boxes.reserve(asset.meshes.size());
  for (const AssetMesh& mesh : asset.meshes) boxes.push_back(compute_box(*mesh.mesh));
  AxisBox box;
  for (const AssetInstance& instance : asset.instances) {
    const AxisBox& own = boxes[instance.mesh];
    if (own.empty()) continue;
    if (is_diagonal(instance.A)) {
      box.add(Vec3(instance.A * own.min + instance.t));
      box.add(Vec3(instance.A * own.max + instance.t));
      continue;
    }
    for (const Vec3& p : asset.meshes[instance.mesh].mesh->vertices) {
      box.add(Vec3(instance.A * p + instance.t));
    }
  }
  return box;
}

std::optional<Note> find_unit_doubt(const Asset& asset) {
  const AxisBox box = compute_box(asset);
  const double extent = box.extent();
  const double metres = extent * asset.metres_per_unit;
  if (!(extent > 0) || (metres >= kShortest && metres <= kLongest)) return std::nullopt;

  const Vec3 size = box.size();
  Note note;
  note.code = "asset.unit_doubt";
  note.file = asset.file;
  note.message = fmt::format(
      "box is {:.4g} x {:.4g} x {:.4g} units; read as {}{} that is {}", size.x(), size.y(),
      size.z(), name_unit(asset),
      asset.unit == "unstated" ? "" : fmt::format(" (the file's unit is {})", asset.unit),
      metres > kLongest ? "larger than a building" : "smaller than a grain of sand");
  if (const LengthUnit* guess = find_guess(extent, asset.metres_per_unit)) {
    note.message += fmt::format(": probably {}", guess->many);
    note.remedy = fmt::format("add `unit: {}` to the part", guess->symbol);
  } else {
    note.remedy = "add `unit: mm` (or cm, in, m, ...) to the part, or check the file's scale";
  }
  return note;
}

}  // namespace geste

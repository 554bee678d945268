#include "geste/formats/asset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/quantity.hpp"
#include "geste/formats/internal/length_units.hpp"

namespace geste {
namespace {

/// Longest edge of the whole, in metres: beyond these no part, cell or aircraft is.
constexpr double kLongest = 100;
constexpr double kShortest = 0.001;
/// What a better guess must lie between: wider above, as a hall or a ship in mm is still one.
constexpr double kLongestGuess = 1000;
constexpr double kShortestGuess = 0.005;

/// How fine the surfaces of a file are, in its unit.
struct Detail {
  std::size_t triangles = 0;  ///< looked at
  double edge = 0;            ///< one edge in twenty is shorter
  double aligned = 0;         ///< fraction of triangles that face along x, y or z
  double part = 0;            ///< one part in ten is smaller; 0: too few to tell
};

double take_quantile(std::vector<double>& values, std::size_t one_in) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / one_in);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Of at most some hundred thousand triangles, evenly taken.
Detail measure_detail(const Asset& asset) {
  constexpr std::size_t kMost = 200'000;
  const std::size_t step = count_distinct_triangles(asset) / kMost + 1;
  std::vector<double> scales(asset.meshes.size(), 0);  // of the first place; 0: stands nowhere
  for (const AssetInstance& i : asset.instances) {
    double& scale = scales[static_cast<std::size_t>(i.mesh)];
    if (scale == 0) scale = std::cbrt(std::abs(i.A.determinant()));
  }
  std::vector<double> edges;
  Detail detail;
  std::size_t aligned = 0, number = 0;
  for (std::size_t m = 0; m < asset.meshes.size(); ++m) {
    const TriangleMesh& mesh = *asset.meshes[m].mesh;
    const std::vector<Vec3>& p = mesh.vertices;
    for (const Triangle& t : mesh.triangles) {
      if (number++ % step != 0) continue;
      const Vec3 ab = p[t[1]] - p[t[0]], ac = p[t[2]] - p[t[0]];
      const Vec3 normal = ab.cross(ac).normalized();
      ++detail.triangles;
      aligned += normal.cwiseAbs().maxCoeff() > 0.9998 ? 1 : 0;  // within a degree
      for (const double edge : {ab.norm(), ac.norm(), (ac - ab).norm()})
        edges.push_back(scales[m] * edge);
    }
  }
  if (edges.empty()) return detail;
  detail.edge = take_quantile(edges, 20);
  detail.aligned = static_cast<double>(aligned) / static_cast<double>(detail.triangles);
  constexpr std::size_t kFewParts = 8;
  std::vector<double> parts;
  for (const AssetInstance& i : asset.instances) {
    const auto m = static_cast<std::size_t>(i.mesh);
    parts.push_back(scales[m] * compute_box(*asset.meshes[m].mesh).extent());
  }
  if (parts.size() >= kFewParts) detail.part = take_quantile(parts, 10);
  return detail;
}

/// Machines have screws, fillets and holes: something of some metres that is finely modelled and
/// has nothing small, or is put together of many parts without a small one, was written in another
/// unit. Buildings and plants of that size have door handles and thin pipes, or are made of few
/// triangles or of walls along the axes.
bool lacks_small_details(const Detail& detail, double extent, double metres_per_unit) {
  constexpr double kLongestMachine = 5, kFinest = 0.05;         // m
  constexpr double kSmallestPart = 0.4, kFinestOfParts = 0.01;  // m
  constexpr std::size_t kFewTriangles = 200;
  constexpr double kFine = 50;  // times the shortest edges go into the whole
  const double edge = detail.edge * metres_per_unit;
  const bool is_coarse =
      edge > kFinest || (edge > kFinestOfParts && detail.part * metres_per_unit > kSmallestPart);
  return is_coarse && extent * metres_per_unit > kLongestMachine &&
         detail.triangles >= kFewTriangles && extent > kFine * detail.edge && detail.aligned < 0.5;
}

/// The same below: no one makes something of millimetres with details of micrometres.
bool lacks_size(const Detail& detail, double extent, double metres_per_unit) {
  constexpr double kSmallestMachine = 0.01, kFinest = 1e-5;  // m
  constexpr std::size_t kFewTriangles = 200;
  return extent * metres_per_unit < kSmallestMachine && detail.triangles >= kFewTriangles &&
         detail.edge * metres_per_unit < kFinest;
}

/// What is odd about the size of the whole; empty: nothing.
std::string find_oddity(const Asset& asset, double extent) {
  const double metres = extent * asset.metres_per_unit;
  if (metres > kLongest) return "larger than a building";
  if (metres < kShortest) return "smaller than a grain of sand";
  const Detail detail = measure_detail(asset);
  const std::string finest = format_length(detail.edge * asset.metres_per_unit, 2);
  if (lacks_small_details(detail, extent, asset.metres_per_unit)) {
    return fmt::format("{} long with hardly a detail below {}, which no machine is",
                       format_length(metres), finest);
  }
  if (lacks_size(detail, extent, asset.metres_per_unit)) {
    return fmt::format("{} long with details below {}, which nobody makes", format_length(metres),
                       finest);
  }
  return "";
}

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
  return fmt::format("units of {} m", format_number(asset.metres_per_unit, 6));
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
  if (!(extent > 0)) return std::nullopt;
  const std::string oddity = find_oddity(asset, extent);
  if (oddity.empty()) return std::nullopt;

  const Vec3 size = box.size();
  Note note;
  note.code = "asset.unit_doubt";
  note.file = asset.file;
  note.message = fmt::format(
      "box is {} x {} x {} units; read as {}{} that is {}", format_number(size.x()),
      format_number(size.y()), format_number(size.z()), name_unit(asset),
      asset.unit == "unstated" ? "" : fmt::format(" (the file's unit is {})", asset.unit), oddity);
  if (const LengthUnit* guess = find_guess(extent, asset.metres_per_unit)) {
    note.message += fmt::format(": probably {}", guess->many);
    note.remedy = fmt::format("add `unit: {}` to the part", guess->symbol);
    if (const LengthUnit* read = find_length_unit(asset.metres_per_unit, 1e-9))
      note.remedy += fmt::format(", or `unit: {}` where the size is right", read->symbol);
  } else {
    note.remedy = "add `unit: mm` (or cm, in, m, ...) to the part, or check the file's scale";
  }
  return note;
}

}  // namespace geste

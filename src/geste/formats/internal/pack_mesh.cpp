#include "geste/formats/internal/pack_mesh.hpp"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace geste {
namespace {

using Json = PackWriter::Json;
using Indices = std::vector<std::uint32_t>;

constexpr double kStep = 20e-6;             // m; finer is not seen
constexpr double kMost16 = 32767;           // largest int16
constexpr std::size_t kFewTriangles = 150;  // as many are drawn at once anyway
constexpr double kLevelShare = 0.25;        // triangles of a level, of those of the one before
constexpr double kWorthIt = 0.7;            // a level must be smaller than this share
constexpr float kMostError = 0.05F;         // of the mesh's size

/// Vertices in the order in which triangles first use them, triangles in an order that uses few at
/// a time: neighbours in memory then differ little, which is what the codecs live on.
void order_for_codecs(ShadedMesh& mesh) {
  const std::size_t count = mesh.positions.size();
  meshopt_optimizeVertexCache(mesh.indices.data(), mesh.indices.data(), mesh.indices.size(), count);
  Indices remap(count);
  const std::size_t used = meshopt_optimizeVertexFetchRemap(remap.data(), mesh.indices.data(),
                                                            mesh.indices.size(), count);
  meshopt_remapIndexBuffer(mesh.indices.data(), mesh.indices.data(), mesh.indices.size(),
                           remap.data());
  for (auto* points : {&mesh.positions, &mesh.normals}) {
    meshopt_remapVertexBuffer(points->data(), points->data(), count, sizeof points->front(),
                              remap.data());
    points->resize(used);
  }
}

struct Level {
  Indices indices;
  double error = 0;  ///< m
};

/// Simplifies the full mesh, so that errors do not add up.
class Simplifier {
 public:
  explicit Simplifier(const ShadedMesh& mesh)
      : mesh_(mesh),
        positions_(mesh.positions.front().data()),
        scale_(meshopt_simplifyScale(positions_, mesh.positions.size(), kStride)) {}

  /// About this share of the triangles, at most `most` indices; nothing where that cannot be had.
  [[nodiscard]] std::optional<Level> make(double share, std::size_t most) const {
    const auto triangles = share * static_cast<double>(mesh_.indices.size() / 3);
    const std::size_t wanted = 3 * static_cast<std::size_t>(triangles);
    Level level{Indices(mesh_.indices.size())};
    float error = 0;
    std::size_t count = meshopt_simplify(level.indices.data(), mesh_.indices.data(),
                                         mesh_.indices.size(), positions_, mesh_.positions.size(),
                                         kStride, wanted, kMostError, 0, &error);
    // Parts full of holes and edges keep too much: then without regard to how triangles hang
    // together, which is not seen from as far away as such a level is drawn.
    if (count > most) {
      count = meshopt_simplifySloppy(level.indices.data(), mesh_.indices.data(),
                                     mesh_.indices.size(), positions_, mesh_.positions.size(),
                                     kStride, wanted, kMostError, &error);
    }
    if (count == 0 || count > most) return std::nullopt;
    level.indices.resize(count);
    level.error = static_cast<double>(error) * scale_;
    meshopt_optimizeVertexCache(level.indices.data(), level.indices.data(), count,
                                mesh_.positions.size());
    return level;
  }

 private:
  static constexpr std::size_t kStride = sizeof(std::array<float, 3>);
  const ShadedMesh& mesh_;
  const float* positions_;
  double scale_;
};

std::vector<Level> make_levels(const ShadedMesh& mesh) {
  std::vector<Level> levels{{mesh.indices, 0}};
  const Simplifier simplifier(mesh);
  for (double share = kLevelShare; levels.back().indices.size() > 3 * kFewTriangles;
       share *= kLevelShare) {
    const double most = kWorthIt * static_cast<double>(levels.back().indices.size());
    std::optional<Level> level = simplifier.make(share, static_cast<std::size_t>(most));
    if (!level) break;
    levels.push_back(std::move(*level));
  }
  return levels;
}

template <class Integer, std::size_t width>
Json pack_positions(const ShadedMesh& mesh, double step, PackWriter& writer) {
  std::vector<std::array<Integer, width>> items(mesh.positions.size());
  for (std::size_t v = 0; v < items.size(); ++v) {
    for (std::size_t k = 0; k < 3; ++k)
      items[v][k] =
          static_cast<Integer>(std::lround(static_cast<double>(mesh.positions[v][k]) / step));
  }
  return writer.add_items(items.data(), items.size(), sizeof items.front());
}

Json pack_normals(const ShadedMesh& mesh, PackWriter& writer) {
  std::vector<std::array<std::int8_t, 4>> items(mesh.normals.size());
  for (std::size_t v = 0; v < items.size(); ++v) {
    for (std::size_t k = 0; k < 3; ++k)
      items[v][k] = static_cast<std::int8_t>(std::lround(127 * mesh.normals[v][k]));
  }
  return writer.add_items(items.data(), items.size(), sizeof items.front());
}

double compute_extent(const ShadedMesh& mesh) {
  float extent = 0;
  for (const auto& p : mesh.positions)
    for (const float x : p) extent = std::max(extent, std::abs(x));
  return extent;
}

}  // namespace

PackWriter::Json pack_mesh(ShadedMesh mesh, PackWriter& writer) {
  order_for_codecs(mesh);
  const double extent = compute_extent(mesh);
  const double narrow = extent > 0 ? extent / kMost16 : kStep;
  const bool is_wide = narrow > kStep;
  // Beyond 40 km even 32 bits are too few for the usual step.
  const double step = is_wide ? std::max(kStep, extent / 2e9) : narrow;

  Json entry = {{"vertices", mesh.positions.size()}, {"triangles", mesh.indices.size() / 3}};
  entry["centre"] = {mesh.centre.x(), mesh.centre.y(), mesh.centre.z()};
  entry["step"] = step;
  entry["wide"] = is_wide;
  entry["positions"] = is_wide ? pack_positions<std::int32_t, 3>(mesh, step, writer)
                               : pack_positions<std::int16_t, 4>(mesh, step, writer);
  entry["normals"] = pack_normals(mesh, writer);
  Json& levels = entry["levels"] = Json::array();
  for (const Level& level : make_levels(mesh)) {
    Json item =
        writer.add_triangles(level.indices.data(), level.indices.size(), mesh.positions.size());
    item["indices"] = level.indices.size();
    item["error"] = level.error;
    levels.push_back(std::move(item));
  }
  return entry;
}

}  // namespace geste

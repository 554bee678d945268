#include "geste/formats/internal/pack_mesh.hpp"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>

namespace geste {
namespace {

using Json = PackWriter::Json;
using Indices = std::vector<std::uint32_t>;

constexpr double kStep = 20e-6;             // m; finer is not seen
constexpr double kMost16 = 32767;           // largest int16
constexpr std::size_t kFewTriangles = 400;  // as many are drawn at once anyway
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

/// Each level is made from the full mesh, so that errors do not add up.
std::vector<Level> make_levels(const ShadedMesh& mesh) {
  std::vector<Level> levels{{mesh.indices, 0}};
  const float* positions = mesh.positions.front().data();
  const std::size_t stride = sizeof mesh.positions.front();
  const double scale = meshopt_simplifyScale(positions, mesh.positions.size(), stride);
  double share = kLevelShare;
  while (levels.back().indices.size() > 3 * kFewTriangles) {
    const auto wanted =
        static_cast<std::size_t>(share * static_cast<double>(mesh.indices.size() / 3)) * 3;
    Level level{Indices(mesh.indices.size())};
    float error = 0;
    level.indices.resize(meshopt_simplify(level.indices.data(), mesh.indices.data(),
                                          mesh.indices.size(), positions, mesh.positions.size(),
                                          stride, wanted, kMostError, 0, &error));
    level.error = static_cast<double>(error) * scale;
    if (static_cast<double>(level.indices.size()) >
        kWorthIt * static_cast<double>(levels.back().indices.size()))
      break;
    if (level.indices.empty()) break;
    meshopt_optimizeVertexCache(level.indices.data(), level.indices.data(), level.indices.size(),
                                mesh.positions.size());
    levels.push_back(std::move(level));
    share *= kLevelShare;
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

#include "geste/formats/internal/gltf_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace geste {
namespace {

// Corners may name a small part of a vertex buffer that many meshes share. Up to this many
// vertices per corner the whole span is read, beyond it vertex by vertex.
constexpr std::size_t kSpanPerCorner = 2;

}  // namespace

std::optional<TriangleMesh> GltfMeshReader::read(const GltfMesh& mesh) {
  TriangleMesh out;
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
    if (!mesh.primitives[p].has_surface()) continue;
    GltfPlace place = mesh.place;
    place.primitive = p;
    if (!add_primitive(mesh.primitives[p], place, out)) return std::nullopt;
  }
  return out;
}

bool GltfMeshReader::add_primitive(const GltfPrimitive& primitive, const GltfPlace& place,
                                   TriangleMesh& mesh) {
  const std::size_t accessor = *primitive.positions;
  if (primitive.draco && !document_.accessors[accessor].view) {
    log_.fault("gltf.compressed", place.to_text(), "its geometry exists only in Draco form",
               "export without mesh compression, or decompress with `gltf-transform copy in.glb "
               "out.glb`");
    return false;
  }
  if (!read_corners(primitive) || !add_vertices(accessor, place, mesh.vertices)) return false;
  add_triangles(primitive.mode, place, mesh.triangles);
  return true;
}

bool GltfMeshReader::read_corners(const GltfPrimitive& primitive) {
  if (primitive.indices) return elements_.read_indices(*primitive.indices, corners_);
  const std::size_t count = document_.accessors[*primitive.positions].count;
  if (!elements_.charge(count)) return false;
  corners_.resize(count);
  std::iota(corners_.begin(), corners_.end(), 0u);
  return true;
}

/// Adds the vertices that the corners name, and makes the corners name them in `vertices`.
bool GltfMeshReader::add_vertices(std::size_t accessor, const GltfPlace& place,
                                  std::vector<Vec3>& vertices) {
  if (corners_.empty()) return true;
  const auto [low, high] = std::minmax_element(corners_.begin(), corners_.end());
  const std::size_t count = document_.accessors[accessor].count;
  if (*high >= count) {
    const auto bad = std::find_if(corners_.begin(), corners_.end(),
                                  [&](std::uint32_t corner) { return corner >= count; });
    log_.fault("gltf.index_range", place.to_text(),
               fmt::format("index {} names vertex {}, but there are {}", bad - corners_.begin(),
                           *bad, count),
               kGltfExportAgain);
    return false;
  }
  const std::uint32_t first = *low;
  const std::size_t span = std::size_t{*high} - first + 1, begin = vertices.size();
  const std::size_t most = std::min(span, kSpanPerCorner * corners_.size());
  if (begin + most > std::numeric_limits<std::uint32_t>::max()) {
    log_.fault("gltf.too_large", place.to_text(), "the mesh has more than 2^32 vertices",
               "split it into several meshes");
    return false;
  }
  if (span <= kSpanPerCorner * corners_.size()) {
    const auto shift = static_cast<std::uint32_t>(begin) - first;  // wraps around, and back below
    for (std::uint32_t& corner : corners_) corner += shift;
    return elements_.read_vectors<3>(accessor, "POSITION", first, span, vertices);
  }
  picked_ = corners_;
  std::sort(picked_.begin(), picked_.end());
  picked_.erase(std::unique(picked_.begin(), picked_.end()), picked_.end());
  for (std::uint32_t& corner : corners_) {
    const auto at = std::lower_bound(picked_.begin(), picked_.end(), corner);
    corner = static_cast<std::uint32_t>(begin + (at - picked_.begin()));
  }
  return elements_.read_picked(accessor, "POSITION", picked_, vertices);
}

/// 3.7.2.1: which corners make triangle i.
void GltfMeshReader::add_triangles(GltfMode mode, const GltfPlace& place,
                                   std::vector<Triangle>& triangles) {
  const std::vector<std::uint32_t>& c = corners_;
  if (mode == GltfMode::triangles) {
    const std::size_t begin = triangles.size(), count = c.size() / 3;
    triangles.resize(begin + count);
    for (std::size_t i = 0; i < count; ++i) {
      triangles[begin + i] = {c[3 * i], c[3 * i + 1], c[3 * i + 2]};
    }
    if (c.size() % 3 != 0) {
      log_.note(
          "gltf.loose_corners", place.to_text(),
          fmt::format("{} corners do not divide into triangles: the last are left out", c.size()),
          kGltfExportAgain);
    }
    return;
  }
  for (std::size_t i = 0; i + 2 < c.size(); ++i) {
    if (mode == GltfMode::fan) {
      triangles.push_back({c[i + 1], c[i + 2], c[0]});
    } else {
      triangles.push_back({c[i], c[i + 1 + i % 2], c[i + 2 - i % 2]});
    }
  }
}

}  // namespace geste

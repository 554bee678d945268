#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geste/geometry/mesh.hpp"

/// What of a triangle surface can be touched: facets, edges between facets, corners.
namespace geste::internal {

enum class EdgeKind : std::uint8_t {
  flat,  ///< inside a facet
  convex,
  concave,
  rim,  ///< one triangle, or more than two
};

/// Numbers of features: a facet by its first triangle, an edge by its first half-edge (3 t + k runs
/// from corner k of triangle t to the next), a corner by its first vertex.
struct MeshFeatures {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // Per triangle. Facets are connected and within 5e-7 of the largest coordinate of one plane;
  // kNone where two corners are one.
  std::vector<std::uint32_t> facet;
  std::vector<Vec3> normal;  ///< unit, of the facet

  // Per half-edge. Edges that go on straight have one number.
  std::vector<std::uint32_t> edge;
  std::vector<std::uint32_t> twin;  ///< or kNone
  std::vector<EdgeKind> edge_kind;

  // Per vertex.
  std::vector<std::uint32_t> corner;    ///< the first vertex at the same place
  std::vector<std::uint8_t> is_corner;  ///< not inside a facet or a straight edge, not all concave
  /// Triangles around a vertex (the first of its place).
  std::vector<std::uint32_t> around_begin;
  std::vector<std::uint32_t> around;

  [[nodiscard]] std::span<const std::uint32_t> get_around(std::uint32_t v) const {
    return {around.data() + around_begin[v], around.data() + around_begin[v + 1]};
  }
};

MeshFeatures make_mesh_features(const TriangleMesh& mesh);

/// Faces of a convex surface as polygons, counter-clockwise from outside.
struct FacePolygons {
  std::vector<std::uint32_t> begin;    ///< per face, one more at the end
  std::vector<std::uint32_t> vertex;   ///< corners in order
  std::vector<std::uint32_t> edge;     ///< from this corner to the next
  std::vector<std::uint32_t> facet;    ///< per face
  std::vector<Vec3> normal;            ///< per face
  std::vector<std::uint32_t> face_of;  ///< per triangle; kNone for degenerate ones
};

FacePolygons make_face_polygons(const TriangleMesh& mesh, const MeshFeatures& features);

}  // namespace geste::internal

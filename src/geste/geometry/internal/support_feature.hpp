#pragma once

#include "geste/geometry/collider.hpp"
#include "geste/math/pose.hpp"

/// What a primitive shows along a direction, as points with names.
namespace geste::internal {

/// Feature numbers in ids: kind in the top two bits.
constexpr std::uint32_t name_vertex(std::uint32_t i) { return i & 0x3fffffffu; }
constexpr std::uint32_t name_edge(std::uint32_t i) { return 0x40000000u | (i & 0x3fffffffu); }
constexpr std::uint32_t name_face(std::uint32_t i) { return 0x80000000u | (i & 0x3fffffffu); }

/// Name of both sides where no features say what is in what.
inline constexpr std::uint32_t kDeepest = 0xc0000000u;

/// Names of the parts of round primitives. Points from kMoving on are not fixed to the shape: they
/// go with the direction.
inline constexpr std::uint32_t kMoving = 0x1000;
inline constexpr std::uint32_t kSideFace = 0x100, kTopFace = 0x101, kBottomFace = 0x102;

/// A point, a line or a convex polygon; counter-clockwise seen from outside.
struct SupportFeature {
  struct Corner {
    Vec3 p;
    std::uint32_t vertex;
    std::uint32_t edge;  ///< from this corner to the next
  };
  std::vector<Corner> corners;
  std::uint32_t face = 0;       ///< name of the surface it is part of
  Vec3 normal = Vec3::UnitZ();  ///< of a polygon
  [[nodiscard]] bool is_polygon() const { return corners.size() >= 3; }
  /// Of the point, the line or the face.
  [[nodiscard]] std::uint32_t name() const {
    if (is_polygon()) return face;
    return corners.size() == 1 ? corners[0].vertex : corners[0].edge;
  }
};

/// The face, line or point that holds the farthest point along unit `d`, in the shape's frame;
/// among them the one most across d. `slack`: lengths below it do not matter. Of a torus: the
/// circle of its tube that is farthest along d, as a polygon of 32.
void compute_support_feature(const Collider& shape, const Vec3& d, double slack,
                             SupportFeature& out);

void transform(const Pose& X, SupportFeature& feature);

}  // namespace geste::internal

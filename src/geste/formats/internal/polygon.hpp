#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geste/geometry/mesh.hpp"

namespace geste {

/// Cuts polygons into triangles with the polygons' own corners and sense, also concave ones and
/// those with holes joined by bridges: quads along a diagonal that lies inside, larger ones by
/// clipping ears (Meisters 1975; Eberly, Triangulation by Ear Clipping) seen along the polygon's
/// Newell normal. Corners on a straight edge stay connected, so neighbours still meet edge to edge.
class PolygonCutter {
 public:
  /// Appends corners.size() - 2 triangles to `out`; nothing for fewer than three corners. `corners`
  /// are indices into `vertices`.
  void cut(const std::vector<Vec3>& vertices, std::span<const std::uint32_t> corners,
           std::vector<Triangle>& out);

  /// Polygons cut as fans because clipping them all would have taken too long. Ears cost up to the
  /// square of the corners; what is spent is bounded over the life of the cutter.
  [[nodiscard]] std::size_t fans() const { return fans_; }

 private:
  void cut_quad(const std::vector<Vec3>& vertices, std::span<const std::uint32_t> corners,
                std::vector<Triangle>& out);
  /// Fills the scratch below with the flat outline of a polygon.
  void lay_out(const std::vector<Vec3>& vertices, std::span<const std::uint32_t> corners);
  void clip_ears(const std::vector<Vec3>& vertices, std::span<const std::uint32_t> corners,
                 std::vector<Triangle>& out);
  [[nodiscard]] bool is_ear(std::uint32_t i);
  [[nodiscard]] bool is_convex(std::uint32_t i) const;

  // Scratch for the polygon at hand, by corner: a ring that shrinks, and the corners that are not
  // convex, which alone can lie in an ear.
  std::vector<Vec2> points_;
  std::vector<std::uint32_t> next_, previous_, reflex_;
  std::size_t work_left_ = 200'000'000;
  std::size_t fans_ = 0;
};

}  // namespace geste

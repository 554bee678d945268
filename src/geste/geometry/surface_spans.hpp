#pragma once

#include <vector>

#include "geste/core/rng.hpp"
#include "geste/geometry/ray_scene.hpp"

namespace geste {

/// From a point of a surface straight to one that faces it.
struct SurfaceSpan {
  Vec3 a = Vec3::Zero();
  Vec3 b = Vec3::Zero();

  [[nodiscard]] double length() const { return (b - a).norm(); }
  [[nodiscard]] Vec3 middle() const { return (a + b) / 2; }
  /// Unit.
  [[nodiscard]] Vec3 axis() const { return (b - a).normalized(); }
};

/// Where things are narrow.
struct SurfaceSpans {
  /// Across what is free, each where none near it is shorter; some tens at most.
  std::vector<SurfaceSpan> gaps;
  std::vector<SurfaceSpan> necks;  ///< across what is solid
};

/// From `rays` random points of the surfaces, half of them drawn by area and half by triangle, so
/// that the rim of a window in a large wall is found too. Spans are longer than a thousandth of
/// `longest` and hardly longer than it. A closed mesh whose volume is negative is turned. Shapes as
/// RayScene takes them.
///
/// Cost: one pass over all triangles and their tree, then microseconds for each ray, of which some
/// hundreds to thousands go into each gap.
SurfaceSpans find_spans(std::span<const PlacedShape> shapes, double longest, int rays, Rng& rng);

}  // namespace geste

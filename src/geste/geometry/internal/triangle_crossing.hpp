#pragma once

#include <optional>

#include "geste/geometry/internal/triangle_pair.hpp"

namespace geste::internal {

/// One end of the segment in which two triangles cross: on edge `edge` (from that corner to the
/// next) of the first or the second triangle, in the plane of the other.
struct CrossingEnd {
  Vec3 p = Vec3::Zero();
  bool on_a = false;
  int edge = 0;
};

struct TriangleCrossing {
  CrossingEnd ends[2];
};

/// T. Moeller, "A fast triangle-triangle intersection test", 1997, with both ends known by the edge
/// that makes them. A corner in the other's plane counts as above it, so that triangles which share
/// an edge agree on whether it crosses. Nothing for triangles in one plane and for slivers.
std::optional<TriangleCrossing> find_crossing(const Triangle3& a, const Triangle3& b);

}  // namespace geste::internal

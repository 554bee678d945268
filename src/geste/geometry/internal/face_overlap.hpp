#pragma once

#include "geste/geometry/internal/support_feature.hpp"
#include "geste/geometry/separation.hpp"

namespace geste::internal {

/// A corner of the overlap of two features seen along a direction.
struct OverlapCorner {
  Vec3 on_a, on_b;     ///< one over the other along the direction
  std::uint32_t a, b;  ///< names of the features that make it
};

struct OverlapMemory {
  struct Corner {
    Vec3 p;
    Vec2 q;
    std::uint32_t vertex;  ///< of the subject; none: made by clipping, of the two below
    std::uint32_t own;     ///< the subject's edge; none: its face
    std::uint32_t other;   ///< the reference's edge or corner
    // The way from here to the next corner: the subject's edge, or a side of the reference.
    bool is_own;
    std::uint32_t edge;
  };
  std::vector<Corner> corners, next;
  std::vector<Vec2> outline;
};

/// Corners where the features overlap, seen along unit `n`: corners of one over the other,
/// crossings of edges. Empty where they do not, and where both are points. `slack`: a corner that
/// is outside by less is on the edge, and corners closer than twice that are one.
void compute_overlap(const SupportFeature& a, const SupportFeature& b, const Vec3& n, double slack,
                     OverlapMemory& memory, std::vector<OverlapCorner>& out);

/// Puts the pair's own deepest points among the corners, where a curved rim goes beyond the lattice
/// that stands for it: in place of the nearest one within `reach`, or as one more with these names.
void include_deepest(const Separation& s, double slack, double reach, std::uint32_t a,
                     std::uint32_t b, std::vector<OverlapCorner>& corners);

}  // namespace geste::internal

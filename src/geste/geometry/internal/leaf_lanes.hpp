#pragma once

#include "geste/geometry/internal/box_lanes.hpp"
#include "geste/geometry/internal/triangle_lanes.hpp"

/// Two leaves: which of their pairs of triangles are worth a look.
namespace geste::internal {

/// B's leaf about its own centre, in A's axes.
struct TurnedLeaf {
  const TriangleLeaf* leaf = nullptr;
  Triangle8 triangles;
  Vec3 centre;  ///< in A
};

/// `ab` is X_AB in float.
void turn(const TriangleLeaf& leaf, const Pose& X_AB, const RelativePose& ab, TurnedLeaf& turned);

/// A pair of leaves about the centre of A's: B's triangles as lanes, A's one by one.
class LeafPair {
 public:
  /// Only what may be nearer than `limit` counts.
  LeafPair(const TriangleLeaf& a, const TurnedLeaf& b, float limit);

  /// Which lanes touch triangle `i` of A: boxes first, then the triangles.
  [[nodiscard]] TouchLanes find_touching(std::uint32_t i) const;
  /// Lanes that are not farther than the limit from triangle `i` by their boxes.
  [[nodiscard]] unsigned find_within(std::uint32_t i, float limit) const;
  /// Those of them that are not farther along either normal.
  [[nodiscard]] unsigned find_within(const Triangle1& t, float limit, unsigned open) const;

  /// False when no lane is left.
  [[nodiscard]] bool is_open() const { return lanes_ != 0; }

  const TriangleLeaf& a;
  const TriangleLeaf& b;
  Triangle8 triangles;

 private:
  unsigned lanes_;
  Vec8 low_;  ///< boxes of the lanes
  Vec8 high_;
  float a_low_[3][kLanes];  ///< boxes of A's triangles
  float a_high_[3][kLanes];
};

}  // namespace geste::internal

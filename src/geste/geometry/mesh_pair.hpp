#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "geste/geometry/mesh_tree.hpp"
#include "geste/math/pose.hpp"

namespace geste {

// Two triangle meshes at a relative pose: do they touch, how far apart are they. Exact on the
// triangles: eight boxes or triangles at a time in float with margins that keep every answer safe,
// and in double what float cannot decide. Surfaces are meant: a mesh wholly inside another does not
// touch it (mesh_depth.hpp knows inside from outside).
//
// Points are in A's frame; X_AB must be a rigid pose of finite numbers, anything else throws
// std::invalid_argument. Cost: logarithmic in the triangles far from contact, and in the number of
// triangles that nearly touch close to it.

/// A triangle of each mesh. As a hint: those that answered the last query at a nearby pose. The
/// caller keeps one per pair of things; it changes the time of an answer, never the answer.
struct TrianglePair {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t a = kNone;
  std::uint32_t b = kNone;
  [[nodiscard]] bool valid() const { return a != kNone; }
};

/// Memory of the search, one per thread; after some queries nothing is allocated any more.
class QueryScratch {
 public:
  struct Entry {
    float key;  ///< how promising: the smaller, the sooner
    std::uint32_t node_a;
    std::uint32_t node_b;
    std::uint8_t lane_a;
    std::uint8_t lane_b;
  };
  /// An end of a collision line's segment: the edge and the triangle that meet there, then which
  /// end. Ends with the same edge and triangle are one point.
  struct LineEnd {
    std::uint64_t edge;
    std::uint64_t triangle_and_slot;
    friend auto operator<=>(const LineEnd&, const LineEnd&) = default;
  };
  std::vector<Entry> entries;
  std::vector<LineEnd> ends;
  std::vector<std::uint32_t> links;
};

/// Whether two surfaces have a point in common.
bool touches(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch,
             TrianglePair* hint = nullptr);

struct MeshDistance {
  /// 0 where they touch; infinity where they are farther apart than asked for.
  double distance = std::numeric_limits<double>::infinity();
  Vec3 on_a = Vec3::Zero();
  Vec3 on_b = Vec3::Zero();
  TrianglePair triangles;
};

/// Nearest points. With a limit only what is nearer counts, and finding out that nothing is costs
/// the less the smaller it is.
MeshDistance compute_distance(const MeshTree& a, const MeshTree& b, const Pose& X_AB,
                              QueryScratch& scratch, TrianglePair* hint = nullptr,
                              double limit = std::numeric_limits<double>::infinity());

}  // namespace geste

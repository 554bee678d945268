#pragma once

#include <bit>
#include <stdexcept>

#include "geste/geometry/internal/box_lanes.hpp"
#include "geste/geometry/internal/key_heap.hpp"
#include "geste/geometry/mesh_pair.hpp"

namespace geste::internal {

/// A box held against a mesh: its triangles one after the other, as far as they matter.
class TriangleWalk {
 public:
  /// Throws std::invalid_argument when the pose is not finite.
  TriangleWalk(const MeshTree& mesh, const AxisBox& box, const Pose& X_MB, QueryScratch& scratch)
      : boxes_(mesh.boxes()), entries_(scratch.entries) {
    if (!X_MB.p.allFinite() || !X_MB.R.allFinite())
      throw std::invalid_argument("mesh query: the pose is not finite");
    box_ = fix(box, X_MB.inverse(), boxes_.scale);
  }

  /// Triangles whose boxes meet the box, until visit(triangle) returns true. Returns whether it
  /// did.
  template <class Visit>
  bool find_meeting(Visit visit) {
    entries_.assign(1, {0, 0, 0, 0, 0});
    while (!entries_.empty()) {
      const std::uint32_t ref = entries_.back().node_a;
      entries_.pop_back();
      if (ref & kLeafBit) {
        const TriangleLeaf& leaf = boxes_.leaves[ref & ~kLeafBit];
        for (std::uint32_t k = 0; k < leaf.count; ++k) {
          if (visit(leaf.triangle[k])) return true;
        }
        continue;
      }
      const BoxNode& n = boxes_.nodes[ref];
      Float8 key;
      for (unsigned open = internal::find_meeting(box_, n, key); open != 0; open &= open - 1)
        entries_.push_back({0, n.child[std::countr_zero(open)], 0, 0, 0});
    }
    return false;
  }

  /// Triangles that may be nearer than visit's last answer, nearer boxes first. `limit` is the
  /// first answer; a negative one ends the walk.
  template <class Visit>
  void find_nearer(double limit, Visit visit) {
    entries_.assign(1, {-1, 0, 0, 0, 0});
    while (!entries_.empty()) {
      const QueryScratch::Entry e = pop_by_key(entries_);
      if (e.key >= limit) return;
      if (e.node_a & kLeafBit) {
        const TriangleLeaf& leaf = boxes_.leaves[e.node_a & ~kLeafBit];
        for (std::uint32_t k = 0; k < leaf.count; ++k) {
          limit = visit(leaf.triangle[k]);
          if (limit < 0) return;
        }
        continue;
      }
      const BoxNode& n = boxes_.nodes[e.node_a];
      Float8 key;
      for (unsigned open = internal::find_nearer(box_, n, round_up(limit), key); open != 0;
           open &= open - 1) {
        const int lane = std::countr_zero(open);
        push_by_key(entries_, {key[lane], n.child[lane], 0, 0, 0});
      }
    }
  }

 private:
  const BoxTree& boxes_;
  std::vector<QueryScratch::Entry>& entries_;
  FixedBox box_;
};

}  // namespace geste::internal

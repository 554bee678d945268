#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "geste/geometry/internal/key_heap.hpp"
#include "geste/geometry/internal/leaf_lanes.hpp"
#include "geste/geometry/internal/triangle_pair.hpp"
#include "geste/geometry/mesh_pair.hpp"

namespace geste::internal {

/// Two trees at a relative pose, walked together. A visitor says which boxes matter and what to do
/// with a pair of leaves:
///   static constexpr bool kNearestFirst;   a heap over all open pairs, or depth first
///   unsigned test(const FixedBox&, const BoxNode&, Float8& key)   lanes to go on with
///   bool is_over(float key)                a pair with this key is of no use any more
///   bool visit(TreePair&, const TriangleLeaf& a, const TriangleLeaf& b)   true: stop
/// and, where it can tell sooner,
///   bool is_settled(const BoxNode&, int lane, const BoxNode&, int lane)   no need to open these
class TreePair {
 public:
  /// Throws std::invalid_argument when the pose is not finite.
  TreePair(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch);

  template <class Visitor>
  void walk(Visitor& visitor);

  /// One triangle of each, in A's frame.
  [[nodiscard]] Triangle3 triangle_a(std::uint32_t t) const;
  [[nodiscard]] Triangle3 triangle_b(std::uint32_t t) const;
  [[nodiscard]] TriangleDistance compute_distance(std::uint32_t a, std::uint32_t b) const {
    return internal::compute_distance(triangle_a(a), triangle_b(b));
  }

  /// A pair of leaves. B's stays turned while it is asked for again.
  LeafPair pair(const TriangleLeaf& a, const TriangleLeaf& b, float limit) {
    if (turned_.leaf != &b) turn(b, X_AB_, ab_, turned_);
    return {a, turned_, limit};
  }

 private:
  using Entry = QueryScratch::Entry;

  static float size(const BoxNode& n, int lane) {
    return n.half[0][lane] + n.half[1][lane] + n.half[2][lane];
  }
  template <class Visitor>
  bool take(const Visitor& visitor, Entry& e);
  /// Queues the lanes of `node` that are worth it as `child` with this lane, but for the best one.
  template <class Visitor>
  bool expand(Visitor& visitor, const FixedBox& box, const BoxNode& node, Entry child,
              std::uint8_t Entry::*lane, Entry& best);

  const MeshTree& a_;
  const MeshTree& b_;
  Pose X_AB_;
  RelativePose ab_;
  RelativePose ba_;
  float pad_;  ///< covers the rounding of poses
  std::vector<Entry>& entries_;
  TurnedLeaf turned_;
};

template <class Visitor>
void TreePair::walk(Visitor& visitor) {
  const BoxTree& a = a_.boxes();
  const BoxTree& b = b_.boxes();
  if (a.leaves.empty() || b.leaves.empty()) return;
  Entry e{-std::numeric_limits<float>::max(), 0, 0, 0, 0};
  for (bool more = true; more; more = take(visitor, e)) {
    // Down to a pair of leaves by the best child each time, the others wait.
    do {
      if constexpr (requires { visitor.is_settled(a.nodes[0], 0, b.nodes[0], 0); }) {
        if (visitor.is_settled(a.nodes[e.node_a], e.lane_a, b.nodes[e.node_b], e.lane_b)) break;
      }
      const ChildRef child_a = a.nodes[e.node_a].child[e.lane_a];
      const ChildRef child_b = b.nodes[e.node_b].child[e.lane_b];
      const bool leaf_a = child_a & kLeafBit, leaf_b = child_b & kLeafBit;
      if (leaf_a && leaf_b) {
        if (visitor.visit(*this, a.leaves[child_a & ~kLeafBit], b.leaves[child_b & ~kLeafBit]))
          return;
        break;
      }
      // Open the larger of the two.
      const bool open_a = leaf_b || (!leaf_a && size(a.nodes[e.node_a], e.lane_a) >
                                                    size(b.nodes[e.node_b], e.lane_b));
      more = open_a ? expand(visitor, fix(b.nodes[e.node_b], e.lane_b, ba_, pad_), a.nodes[child_a],
                             {0, child_a, e.node_b, 0, e.lane_b}, &Entry::lane_a, e)
                    : expand(visitor, fix(a.nodes[e.node_a], e.lane_a, ab_, pad_), b.nodes[child_b],
                             {0, e.node_a, child_b, e.lane_a, 0}, &Entry::lane_b, e);
    } while (more);
  }
}

template <class Visitor>
bool TreePair::take(const Visitor& visitor, Entry& e) {
  while (!entries_.empty()) {
    if constexpr (Visitor::kNearestFirst) {
      e = pop_by_key(entries_);
    } else {
      e = entries_.back();
      entries_.pop_back();
    }
    if (!visitor.is_over(e.key)) return true;
    if constexpr (Visitor::kNearestFirst) return false;  // and so are all others
  }
  return false;
}

template <class Visitor>
bool TreePair::expand(Visitor& visitor, const FixedBox& box, const BoxNode& node, Entry child,
                      std::uint8_t Entry::*lane, Entry& best) {
  Float8 key;
  const unsigned open = visitor.test(box, node, key);
  if (open == 0) return false;
  int first = std::countr_zero(open);
  for (unsigned rest = open & (open - 1); rest != 0; rest &= rest - 1) {
    const int other = std::countr_zero(rest);
    const bool sooner = key[other] < key[first];
    const int later = sooner ? first : other;
    first = sooner ? other : first;
    child.key = key[later];
    child.*lane = static_cast<std::uint8_t>(later);
    if constexpr (Visitor::kNearestFirst) {
      push_by_key(entries_, child);
    } else {
      // The most promising on top.
      entries_.push_back(child);
    }
  }
  best = child;
  best.key = key[first];
  best.*lane = static_cast<std::uint8_t>(first);
  return true;
}

/// For visitors that want every pair of boxes that meet, deepest overlap first.
struct MeetingVisitor {
  static constexpr bool kNearestFirst = false;
  static bool is_over(float) { return false; }
  static unsigned test(const FixedBox& box, const BoxNode& node, Float8& key) {
    return find_meeting(box, node, key);
  }
};

/// Gives every pair of triangles that may touch to `add(triangle of A, triangle of B)`.
template <class Add>
class CandidateVisitor : public MeetingVisitor {
 public:
  explicit CandidateVisitor(Add add) : add_(std::move(add)) {}

  bool visit(TreePair& trees, const TriangleLeaf& a, const TriangleLeaf& b) {
    const LeafPair leaves = trees.pair(a, b, 0);
    if (!leaves.is_open()) return false;
    for (std::uint32_t i = 0; i < a.count; ++i) {
      unsigned maybe = leaves.find_touching(i).maybe;
      for (; maybe != 0; maybe &= maybe - 1)
        add_(TrianglePair{a.triangle[i], b.triangle[std::countr_zero(maybe)]});
    }
    return false;
  }

 private:
  Add add_;
};

}  // namespace geste::internal

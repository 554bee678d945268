#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "geste/geometry/internal/box_lanes.hpp"
#include "geste/geometry/internal/triangle_lanes.hpp"
#include "geste/geometry/internal/triangle_pair.hpp"
#include "geste/geometry/mesh_pair.hpp"

namespace geste::internal {

/// Two trees at a relative pose, walked together. A visitor says which boxes matter and what to do
/// with a pair of leaves:
///   static constexpr bool kNearestFirst;   a heap over all open pairs, or depth first
///   unsigned test(const FixedBox&, const BoxNode&, Float8& key)   lanes to go on with
///   bool is_over(float key)                a pair with this key is of no use any more
///   bool visit(TreePair&, const TriangleLeaf& a, const TriangleLeaf& b)   true: stop
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

  /// B's leaf about its own centre, in A's axes; kept while it stays.
  struct TurnedLeaf {
    const TriangleLeaf* leaf = nullptr;
    Triangle8 triangles;
    Vec3 centre;  ///< in A
  };
  const TurnedLeaf& turn(const TriangleLeaf& leaf);

 private:
  using Entry = QueryScratch::Entry;

  struct IsLater {
    bool operator()(const Entry& x, const Entry& y) const { return x.key > y.key; }
  };
  static float size(const BoxNode& n, int lane) {
    return n.half[0][lane] + n.half[1][lane] + n.half[2][lane];
  }
  template <class Visitor>
  Entry take();
  template <class Visitor, class Make>
  void expand(Visitor& visitor, const FixedBox& box, const BoxNode& node, Make make);

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
  if (a.leaves.empty()) return;  // an empty B has no lane to open
  expand(visitor, fix(a.nodes[0], 0, ab_, pad_), b.nodes[0], [](float key, std::uint8_t) {
    return Entry{key, 0, 0, 0, 0};
  });
  while (!entries_.empty()) {
    const Entry e = take<Visitor>();
    if (visitor.is_over(e.key)) {
      if constexpr (Visitor::kNearestFirst) return;  // and so are all others
      continue;
    }
    const ChildRef child_a = a.nodes[e.node_a].child[e.lane_a];
    const ChildRef child_b = b.nodes[e.node_b].child[e.lane_b];
    const bool leaf_a = child_a & kLeafBit, leaf_b = child_b & kLeafBit;
    if (leaf_a && leaf_b) {
      if (visitor.visit(*this, a.leaves[child_a & ~kLeafBit], b.leaves[child_b & ~kLeafBit]))
        return;
      continue;
    }
    // Open the larger of the two.
    const bool open_a = leaf_b || (!leaf_a && size(a.nodes[e.node_a], e.lane_a) >
                                                  size(b.nodes[e.node_b], e.lane_b));
    if (open_a) {
      expand(visitor, fix(b.nodes[e.node_b], e.lane_b, ba_, pad_), a.nodes[child_a],
             [&](float key, std::uint8_t lane) {
               return Entry{key, child_a, e.node_b, lane, e.lane_b};
             });
    } else {
      expand(visitor, fix(a.nodes[e.node_a], e.lane_a, ab_, pad_), b.nodes[child_b],
             [&](float key, std::uint8_t lane) {
               return Entry{key, e.node_a, child_b, e.lane_a, lane};
             });
    }
  }
}

template <class Visitor>
TreePair::Entry TreePair::take() {
  if constexpr (Visitor::kNearestFirst) std::pop_heap(entries_.begin(), entries_.end(), IsLater());
  const Entry e = entries_.back();
  entries_.pop_back();
  return e;
}

template <class Visitor, class Make>
void TreePair::expand(Visitor& visitor, const FixedBox& box, const BoxNode& node, Make make) {
  Float8 key;
  const std::size_t base = entries_.size();
  for (unsigned open = visitor.test(box, node, key); open != 0; open &= open - 1) {
    const int lane = std::countr_zero(open);
    Entry e = make(key[lane], static_cast<std::uint8_t>(lane));
    entries_.push_back(e);
    if constexpr (Visitor::kNearestFirst) {
      std::push_heap(entries_.begin(), entries_.end(), IsLater());
    } else {
      // The most promising on top.
      std::size_t i = entries_.size() - 1;
      for (; i > base && entries_[i - 1].key < e.key; --i) entries_[i] = entries_[i - 1];
      entries_[i] = e;
    }
  }
}

/// For visitors that want every pair of boxes that meet, deepest overlap first.
struct MeetingVisitor {
  static constexpr bool kNearestFirst = false;
  static bool is_over(float) { return false; }
  static unsigned test(const FixedBox& box, const BoxNode& node, Float8& key) {
    return find_meeting(box, node, key);
  }
};

/// A pair of leaves about the centre of A's: B's triangles as lanes, A's one by one.
class LeafPair {
 public:
  LeafPair(TreePair& pair, const TriangleLeaf& a, const TriangleLeaf& b);

  /// Which lanes touch triangle `i` of A: boxes first, then the triangles.
  [[nodiscard]] TouchLanes find_touching(std::uint32_t i) const;
  /// Lanes that are not farther than `limit` from the triangle by their boxes, nor along either
  /// normal.
  [[nodiscard]] unsigned find_within(std::uint32_t i, const Triangle1& t, float limit) const;

  const TriangleLeaf& a;
  const TriangleLeaf& b;
  Triangle8 triangles;

 private:
  struct Bounds {
    float low[3];
    float high[3];
  };
  [[nodiscard]] Bounds bound(std::uint32_t i) const;
  /// Lanes whose box meets that of triangle `i`, give or take rounding.
  [[nodiscard]] unsigned find_meeting(std::uint32_t i) const;

  Vec8 low_;
  Vec8 high_;
  unsigned lanes_;
};

}  // namespace geste::internal

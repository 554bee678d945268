#include "geste/geometry/mesh_query.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "geste/geometry/internal/box_lanes.hpp"
#include "geste/geometry/internal/triangle_lanes.hpp"
#include "geste/geometry/internal/triangle_pair.hpp"

namespace geste {
namespace {

using namespace internal;

Triangle3 corners(const TriangleMesh& mesh, std::uint32_t t) {
  const Triangle& v = mesh.triangles[t];
  return {{mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]}};
}

struct LeafFrame {
  ChildRef leaf = kNoChild;
  Triangle8 turned;  // B leaf turned into A axes, about its centre
  Vec8 edges[3];
  double centre[3];  // in A
};

inline bool later(const StackEntry& a, const StackEntry& b) { return a.key > b.key; }

class Pair {
 public:
  Pair(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch)
      : a_(a), b_(b), X_AB_(X_AB), ab_(make_relative(X_AB)), scratch_(scratch) {
    const Pose X_BA = X_AB.inverse();
    ba_ = make_relative(X_BA);
    pad_ = 1e-6f * (a.tree.scale + b.tree.scale +
                    static_cast<float>(X_AB.p.cwiseAbs().maxCoeff()));
    scratch.stack.clear();
  }

  template <class Policy>
  void run(Policy& policy) {
    push_root(policy);
    while (!scratch_.stack.empty()) {
      if constexpr (Policy::kBestFirst) std::pop_heap(scratch_.stack.begin(), scratch_.stack.end(), later);
      const StackEntry e = scratch_.stack.back();
      scratch_.stack.pop_back();
      if (policy.prune(e.key)) { if constexpr (Policy::kBestFirst) return; continue; }
      const ChildRef ra = a_.tree.nodes[e.node_a].child[e.lane_a];
      const ChildRef rb = b_.tree.nodes[e.node_b].child[e.lane_b];
      const bool leaf_a = ra & kLeafBit, leaf_b = rb & kLeafBit;
      if (leaf_a && leaf_b) {
        if (policy.leaves(*this, ra & ~kLeafBit, rb & ~kLeafBit)) return;
      } else if (leaf_b || (!leaf_a && size(a_.tree.nodes[e.node_a], e.lane_a) >
                                           size(b_.tree.nodes[e.node_b], e.lane_b))) {
        const FixedBox box = fix(b_.tree.nodes[e.node_b], e.lane_b, ba_, pad_);
        expand(policy, box, a_.tree.nodes[ra], [&](float key, unsigned lane) {
          return StackEntry{key, ra, e.node_b, static_cast<std::uint8_t>(lane), e.lane_b};
        });
      } else {
        const FixedBox box = fix(a_.tree.nodes[e.node_a], e.lane_a, ab_, pad_);
        expand(policy, box, b_.tree.nodes[rb], [&](float key, unsigned lane) {
          return StackEntry{key, e.node_a, rb, e.lane_a, static_cast<std::uint8_t>(lane)};
        });
      }
    }
  }

  /// B's leaf about its centre, in A's axes; kept while it stays.
  const LeafFrame& turn(ChildRef leaf) {
    if (frame_.leaf == leaf) return frame_;
    const TriangleLeaf& l = b_.tree.leaves[leaf];
    const float(&R)[9] = ab_.R;
    for (int k = 0; k < 3; ++k) {
      const Float8 x = load(l.vertex[3 * k]), y = load(l.vertex[3 * k + 1]),
                   z = load(l.vertex[3 * k + 2]);
      frame_.turned.p[k] = {R[0] * x + R[1] * y + R[2] * z, R[3] * x + R[4] * y + R[5] * z,
                            R[6] * x + R[7] * y + R[8] * z};
    }
    for (int k = 0; k < 3; ++k)
      frame_.edges[k] = frame_.turned.p[(k + 1) % 3] - frame_.turned.p[k];
    const Vec3 c = X_AB_ * Vec3::Map(l.centre);
    Vec3::Map(frame_.centre) = c;
    frame_.leaf = leaf;
    return frame_;
  }

  Triangle3 triangle_b(std::uint32_t t) const {
    Triangle3 out = corners(*b_.mesh, t);
    for (Vec3& p : out.p) p = X_AB_ * p;
    return out;
  }
  TriangleDistance exact(std::uint32_t ta, std::uint32_t tb) const {
    return compute_distance(corners(*a_.mesh, ta), triangle_b(tb));
  }

  const MeshTree& a_;
  const MeshTree& b_;
  const Pose& X_AB_;
  RelativePose ab_, ba_;
  float pad_;
  QueryScratch& scratch_;
  LeafFrame frame_;

 private:
  static float size(const BoxNode& n, int lane) {
    return n.half[0][lane] + n.half[1][lane] + n.half[2][lane];
  }

  template <class Policy>
  void push_root(Policy& policy) {
    const FixedBox box = fix(a_.tree.nodes[0], 0, ab_, pad_);
    expand(policy, box, b_.tree.nodes[0], [&](float key, unsigned) {
      return StackEntry{key, 0, 0, 0, 0};
    });
  }

  template <class Policy, class Make>
  void expand(Policy& policy, const FixedBox& box, const BoxNode& node, Make make) {
    ++scratch_.boxes;
    Float8 key;
    unsigned open = policy.test(box, node, key);
    auto& stack = scratch_.stack;
    const std::size_t base = stack.size();
    while (open) {
      const auto lane = static_cast<unsigned>(std::countr_zero(open));
      open &= open - 1;
      const float k = key[lane];
      // Sorted as they come: the most promising on top.
      stack.push_back(make(k, lane));
      if constexpr (Policy::kBestFirst) { std::push_heap(stack.begin(), stack.end(), later); continue; }
      std::size_t i = stack.size() - 1;
      const StackEntry e = stack[i];
      while (i > base && stack[i - 1].key < k) {
        stack[i] = stack[i - 1];
        --i;
      }
      stack[i] = e;
    }
  }
};

/// Calls test(one triangle of A, its lane) for each pair of leaves with B's triangles about A's
/// centre.
struct LeafPair {
  LeafPair(Pair& pair, ChildRef la, ChildRef lb)
      : a(pair.a_.tree.leaves[la]), b(pair.b_.tree.leaves[lb]) {
    const LeafFrame& f = pair.turn(lb);
    const Vec8 offset = splat(static_cast<float>(f.centre[0] - a.centre[0]),
                              static_cast<float>(f.centre[1] - a.centre[1]),
                              static_cast<float>(f.centre[2] - a.centre[2]));
    for (int k = 0; k < 3; ++k) {
      triangles.p[k] = f.turned.p[k] + offset;
      edges[k] = f.edges[k];
    }
    low = {min(min(triangles.p[0].x, triangles.p[1].x), triangles.p[2].x),
           min(min(triangles.p[0].y, triangles.p[1].y), triangles.p[2].y),
           min(min(triangles.p[0].z, triangles.p[1].z), triangles.p[2].z)};
    high = {max(max(triangles.p[0].x, triangles.p[1].x), triangles.p[2].x),
            max(max(triangles.p[0].y, triangles.p[1].y), triangles.p[2].y),
            max(max(triangles.p[0].z, triangles.p[1].z), triangles.p[2].z)};
    lanes = (1u << b.count) - 1;
    const float dx = offset.x[0], dy = offset.y[0], dz = offset.z[0];
    extent = std::max(a.extent, b.extent + std::sqrt(dx * dx + dy * dy + dz * dz));
  }

  /// Lanes whose box is nearer than `reach` to that of a triangle of A.
  unsigned near(std::uint32_t lane, float reach) const {
    float lo[3], hi[3];
    for (int i = 0; i < 3; ++i) {
      lo[i] = std::min({a.vertex[i][lane], a.vertex[3 + i][lane], a.vertex[6 + i][lane]}) - reach;
      hi[i] = std::max({a.vertex[i][lane], a.vertex[3 + i][lane], a.vertex[6 + i][lane]}) + reach;
    }
    const Int8 apart = (low.x > hi[0]) | (high.x < lo[0]) | (low.y > hi[1]) | (high.y < lo[1]) |
                       (low.z > hi[2]) | (high.z < lo[2]);
    return lanes & ~bits(apart);
  }

  /// Lanes that are not farther than `reach` from the triangle along either normal, nor by their
  /// boxes.
  unsigned within(std::uint32_t lane, const Triangle1& t, float reach) const {
    const Float8 zero{};
    const auto gap = [&](float lo, float hi, Float8 l, Float8 h) {
      return max(max(l - hi, lo - h), zero);
    };
    float lo[3], hi[3];
    for (int i = 0; i < 3; ++i) {
      lo[i] = std::min({a.vertex[i][lane], a.vertex[3 + i][lane], a.vertex[6 + i][lane]});
      hi[i] = std::max({a.vertex[i][lane], a.vertex[3 + i][lane], a.vertex[6 + i][lane]});
    }
    const Float8 gx = gap(lo[0], hi[0], low.x, high.x), gy = gap(lo[1], hi[1], low.y, high.y),
                 gz = gap(lo[2], hi[2], low.z, high.z);
    unsigned open = lanes & bits(gx * gx + gy * gy + gz * gz <= reach * reach);
    if (open == 0) return 0;
    const float margin = 4e-6f * extent * extent * extent;
    {
      const float length = std::sqrt(t.n[0] * t.n[0] + t.n[1] * t.n[1] + t.n[2] * t.n[2]);
      const float offset = t.n[0] * t.p[0][0] + t.n[1] * t.p[0][1] + t.n[2] * t.p[0][2];
      const Vec8 n = splat(t.n);
      const Float8 d0 = dot(n, triangles.p[0]) - offset, d1 = dot(n, triangles.p[1]) - offset,
                   d2 = dot(n, triangles.p[2]) - offset;
      open &= bits(max(min(min(d0, d1), d2), -max(max(d0, d1), d2)) <= reach * length + margin);
      if (open == 0) return 0;
    }
    const Vec8 n = cross(edges[0], edges[1]);
    const Float8 length = sqrt(dot(n, n)), offset = dot(n, triangles.p[0]);
    const Float8 d0 = dot(n, splat(t.p[0])) - offset, d1 = dot(n, splat(t.p[1])) - offset,
                 d2 = dot(n, splat(t.p[2])) - offset;
    return open & bits(max(min(min(d0, d1), d2), -max(max(d0, d1), d2)) <= reach * length + margin);
  }

  const TriangleLeaf& a;
  const TriangleLeaf& b;
  Triangle8 triangles;
  Vec8 edges[3];
  Vec8 low, high;
  unsigned lanes;
  float extent;
};

struct TouchPolicy {
  bool found = false;
  static constexpr bool kBestFirst = false;
  PairSeed hit;

  static bool prune(float) { return false; }
  static unsigned test(const FixedBox& box, const BoxNode& node, Float8& key) {
    return meet(box, node, key);
  }
  bool leaves(Pair& pair, ChildRef la, ChildRef lb) {
    ++pair.scratch_.leaves;
    const LeafPair p(pair, la, lb);
    const float margin = 4e-6f * p.extent * p.extent * p.extent;
    for (std::uint32_t i = 0; i < p.a.count; ++i) {
      const unsigned near = p.near(i, 1e-6f * p.extent);
      if (near == 0) continue;
      ++pair.scratch_.tris;
      TouchLanes t = touch(Triangle1(p.a, i), p.triangles, p.edges, near, margin);
      if (t.sure) {
        hit = {p.a.triangle[i], p.b.triangle[std::countr_zero(t.sure)]};
        return found = true;
      }
      for (; t.maybe; t.maybe &= t.maybe - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(t.maybe));
        ++pair.scratch_.exact;
        if (pair.exact(p.a.triangle[i], p.b.triangle[lane]).squared == 0) {
          hit = {p.a.triangle[i], p.b.triangle[lane]};
          return found = true;
        }
      }
    }
    return false;
  }
};

struct DistancePolicy {
  /// A pair that may be the nearest: float cannot tell it from the others here.
  struct Candidate {
    float least2;  // lower bound of its squared distance
    std::uint32_t a, b;
  };

  static constexpr bool kBestFirst = true;
  TriangleDistance best;
  double distance = std::numeric_limits<double>::infinity();
  float limit = std::numeric_limits<float>::max();
  PairSeed hit;
  Candidate candidates[32];
  int count = 0;

  bool prune(float key) const { return key >= limit; }
  unsigned test(const FixedBox& box, const BoxNode& node, Float8& key) const {
    return bound(box, node, limit, key);
  }
  void improve(const TriangleDistance& d, std::uint32_t ta, std::uint32_t tb) {
    if (!(d.squared < best.squared) && distance < std::numeric_limits<double>::infinity()) return;
    best = d;
    distance = std::sqrt(d.squared);
    limit = std::min(
        limit, std::nextafter(static_cast<float>(distance), std::numeric_limits<float>::max()));
    hit = {ta, tb};
  }
  void keep(Pair& pair, const Candidate& c) {
    if (count == 32) settle(pair);
    candidates[count++] = c;
  }
  /// Asks the double kernel about the candidates that are still in question.
  void settle(Pair& pair) {
    std::sort(candidates, candidates + count,
              [](const Candidate& a, const Candidate& b) { return a.least2 < b.least2; });
    for (int k = 0; k < count; ++k) {
      if (candidates[k].least2 > limit * limit) break;
      ++pair.scratch_.exact;
      improve(pair.exact(candidates[k].a, candidates[k].b), candidates[k].a, candidates[k].b);
    }
    count = 0;
  }
  bool leaves(Pair& pair, ChildRef la, ChildRef lb) {
    ++pair.scratch_.leaves;
    const LeafPair p(pair, la, lb);
    const float margin = 1e-5f * p.extent * p.extent;
    for (std::uint32_t i = 0; i < p.a.count; ++i) {
      const Triangle1 t(p.a, i);
      unsigned near = p.within(i, t, limit + 1e-6f * p.extent);
      if (near == 0) continue;
      ++pair.scratch_.tris;
      const Float8 d2 = distance2(t, p.triangles, p.edges);
      near &= bits(d2 - margin < limit * limit);
      for (; near; near &= near - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(near));
        const float least2 = d2[lane] - margin;
        if (least2 >= limit * limit) continue;
        if (least2 <= 0) {
          // Perhaps they touch: then the search is over.
          ++pair.scratch_.exact;
          improve(pair.exact(p.a.triangle[i], p.b.triangle[lane]), p.a.triangle[i],
                  p.b.triangle[lane]);
          if (distance == 0) return true;
          continue;
        }
        limit = std::min(limit, std::sqrt(d2[lane] + margin));
        keep(pair, {least2, p.a.triangle[i], p.b.triangle[lane]});
      }
    }
    return false;
  }
};

}  // namespace

bool touches(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch,
             PairSeed* seed) {
  if (a.mesh->triangles.size() > b.mesh->triangles.size()) {
    PairSeed other = seed ? PairSeed{seed->b, seed->a} : PairSeed{};
    const bool hit = touches(b, a, X_AB.inverse(), scratch, seed ? &other : nullptr);
    if (seed) *seed = {other.b, other.a};
    return hit;
  }
  Pair pair(a, b, X_AB, scratch);
  TouchPolicy policy;
  if (seed && seed->a != 0xffffffffu && pair.exact(seed->a, seed->b).squared == 0) return true;
  pair.run(policy);
  if (seed && policy.found) *seed = policy.hit;
  return policy.found;
}

MeshDistance distance(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch,
                      PairSeed* seed) {
  if (a.mesh->triangles.size() > b.mesh->triangles.size()) {
    PairSeed other = seed ? PairSeed{seed->b, seed->a} : PairSeed{};
    const MeshDistance d = distance(b, a, X_AB.inverse(), scratch, seed ? &other : nullptr);
    if (seed) *seed = {other.b, other.a};
    return {d.distance, X_AB * d.on_b, X_AB * d.on_a, d.triangle_b, d.triangle_a};
  }
  Pair pair(a, b, X_AB, scratch);
  DistancePolicy policy;
  const PairSeed first = seed && seed->a != 0xffffffffu ? *seed : PairSeed{0, 0};
  policy.improve(pair.exact(first.a, first.b), first.a, first.b);
  if (policy.distance > 0) pair.run(policy);
  policy.settle(pair);
  if (seed) *seed = policy.hit;
  return {policy.distance, policy.best.on_a, policy.best.on_b, policy.hit.a, policy.hit.b};
}

}  // namespace geste

#include "geste/geometry/internal/tree_pair.hpp"

namespace geste {
namespace {

using namespace internal;

/// Nearest boxes first. Float finds the candidates and shrinks the limit; the double kernel is
/// asked only about those that are still in question at the end.
class DistanceVisitor {
 public:
  static constexpr bool kNearestFirst = true;

  explicit DistanceVisitor(double limit) : best_squared_(limit * limit), limit_(round_up(limit)) {}

  [[nodiscard]] bool is_over(float key) const { return key >= limit_; }
  unsigned test(const FixedBox& box, const BoxNode& node, Float8& key) const {
    return find_nearer(box, node, limit_, key);
  }

  bool visit(TreePair& trees, const TriangleLeaf& a, const TriangleLeaf& b) {
    const LeafPair leaves = trees.pair(a, b, limit_);
    if (!leaves.is_open()) return false;
    const Float8 margin = kSquaredMargin * leaves.triangles.reach * leaves.triangles.reach;
    for (std::uint32_t i = 0; i < a.count; ++i) {
      unsigned near = leaves.find_within(i, limit_);
      if (near == 0) continue;
      const Triangle1 t(a, i);
      near = leaves.find_within(t, limit_, near);
      if (near == 0) continue;
      const SquaredDistances squared = compute_squared_distances(t, leaves.triangles);
      near &= bits(squared.least - margin < limit_ * limit_);
      for (; near != 0; near &= near - 1) {
        const int lane = std::countr_zero(near);
        const TrianglePair pair{a.triangle[i], b.triangle[lane]};
        if (consider(trees, pair, squared.least[lane] - margin[lane],
                     squared.most[lane] + margin[lane]))
          return true;
      }
    }
    return false;
  }

  /// Asks the double kernel about one pair.
  void measure(const TreePair& trees, const TrianglePair& pair) {
    const TriangleDistance d = trees.compute_distance(pair.a, pair.b);
    if (!(d.squared < best_squared_)) return;
    best_squared_ = d.squared;
    best_ = {std::sqrt(d.squared), d.on_a, d.on_b, pair};
    limit_ = std::min(limit_, round_up(best_.distance));
  }

  MeshDistance finish(const TreePair& trees) {
    settle(trees);
    return best_;
  }
  [[nodiscard]] bool touches() const { return best_.distance == 0; }

 private:
  struct Candidate {
    float least_squared;  ///< lower bound
    TrianglePair pair;
  };

  /// True when they touch: then the search is over.
  bool consider(TreePair& trees, const TrianglePair& pair, float least, float most) {
    if (least >= limit_ * limit_) return false;
    if (least <= 0) {
      measure(trees, pair);
      return touches();
    }
    limit_ = std::min(limit_, std::sqrt(most));
    if (count_ == kMost) settle(trees);
    candidates_[count_++] = {least, pair};
    return false;
  }

  void settle(const TreePair& trees) {
    std::sort(candidates_, candidates_ + count_, [](const Candidate& x, const Candidate& y) {
      return x.least_squared < y.least_squared;
    });
    for (int k = 0; k < count_; ++k) {
      if (candidates_[k].least_squared > limit_ * limit_) break;
      measure(trees, candidates_[k].pair);
    }
    count_ = 0;
  }

  static constexpr int kMost = 32;
  MeshDistance best_;
  double best_squared_;
  float limit_;  ///< nothing farther than this is of interest
  Candidate candidates_[kMost];
  int count_ = 0;
};

}  // namespace

MeshDistance compute_distance(const MeshTree& a, const MeshTree& b, const Pose& X_AB,
                              QueryScratch& scratch, TrianglePair* hint, double limit) {
  if (a.mesh().triangles.size() > b.mesh().triangles.size()) {
    // The larger mesh has the fuller leaves: those go into the lanes.
    TrianglePair turned = hint ? TrianglePair{hint->b, hint->a} : TrianglePair{};
    const MeshDistance d =
        compute_distance(b, a, X_AB.inverse(), scratch, hint ? &turned : nullptr, limit);
    if (hint) *hint = {turned.b, turned.a};
    if (!d.triangles.valid()) return d;
    return {d.distance, X_AB * d.on_b, X_AB * d.on_a, {d.triangles.b, d.triangles.a}};
  }
  TreePair trees(a, b, X_AB, scratch);
  DistanceVisitor visitor(limit);
  if (hint && hint->valid()) visitor.measure(trees, *hint);
  if (!visitor.touches()) trees.walk(visitor);
  const MeshDistance result = visitor.finish(trees);
  if (hint && result.triangles.valid()) *hint = result.triangles;
  return result;
}

}  // namespace geste

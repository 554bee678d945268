#include <algorithm>
#include <bit>
#include <cmath>

#include "geste/geometry/internal/box_lanes.hpp"
#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/internal/key_heap.hpp"
#include "geste/geometry/internal/triangle_lanes.hpp"
#include "geste/geometry/mesh_point.hpp"

namespace geste {
namespace {

using namespace internal;
using Entry = QueryScratch::Entry;

class Search {
 public:
  Search(const MeshTree& mesh, const Vec3& p, QueryScratch& scratch, double limit)
      : mesh_(mesh), p_(p), entries_(scratch.entries), best_squared_(limit * limit) {
    for (int k = 0; k < 3; ++k) q_[k] = static_cast<float>(p[k]);
    pad_ = 1e-6f * (mesh.boxes().scale + static_cast<float>(p.cwiseAbs().maxCoeff()));
    set_limit(limit);
  }

  void measure(std::uint32_t triangle) {
    const Triangle& v = mesh_.mesh().triangles[triangle];
    const auto& vertices = mesh_.mesh().vertices;
    const Vec3 foot =
        compute_closest_on_triangle(p_, vertices[v[0]], vertices[v[1]], vertices[v[2]]);
    const double squared = (foot - p_).squaredNorm();
    if (!(squared < best_squared_)) return;
    best_squared_ = squared;
    best_ = {std::sqrt(squared), foot, triangle};
    set_limit(best_.distance);
  }

  NearestPoint run() {
    entries_.clear();
    push(0);
    while (!entries_.empty()) {
      const Entry e = pop_by_key(entries_);
      if (e.key >= limit_) break;
      if (e.node_a & kLeafBit) {
        look(mesh_.boxes().leaves[e.node_a & ~kLeafBit]);
      } else {
        push(e.node_a);
      }
    }
    return best_;
  }

 private:
  void set_limit(double limit) { limit_ = std::min(round_up(limit), 1e38f) + pad_; }

  void push(std::uint32_t node) {
    const BoxNode& n = mesh_.boxes().nodes[node];
    Float8 key;
    for (unsigned open = find_nearer(q_, n, limit_, key); open != 0; open &= open - 1) {
      const int lane = std::countr_zero(open);
      push_by_key(entries_, {key[lane], n.child[lane], 0, 0, 0});
    }
  }

  void look(const TriangleLeaf& leaf) {
    const Eigen::Vector3f from = (p_ - Vec3::Map(leaf.centre)).cast<float>();
    const Float8 squared = compute_squared_distances({from.x(), from.y(), from.z()}, leaf);
    const float extent = std::max(leaf.extent, from.norm());
    const float margin = kSquaredMargin * extent * extent;
    unsigned near = bits(squared - margin < limit_ * limit_) & ((1u << leaf.count) - 1);
    for (; near != 0; near &= near - 1) {
      const int lane = std::countr_zero(near);
      if (squared[lane] - margin < limit_ * limit_) measure(leaf.triangle[lane]);
    }
  }

  const MeshTree& mesh_;
  const Vec3& p_;
  std::vector<Entry>& entries_;
  NearestPoint best_;
  double best_squared_;
  float q_[3];
  float pad_;
  float limit_;
};

}  // namespace

NearestPoint find_nearest(const MeshTree& mesh, const Vec3& p, QueryScratch& scratch,
                          std::uint32_t hint, double limit) {
  Search search(mesh, p, scratch, limit);
  if (hint != TrianglePair::kNone) search.measure(hint);
  return search.run();
}

}  // namespace geste

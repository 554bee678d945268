#include <algorithm>
#include <bit>
#include <cmath>

#include "geste/geometry/internal/box_lanes.hpp"
#include "geste/geometry/internal/triangle_pair.hpp"
#include "geste/geometry/mesh_point.hpp"

namespace geste {
namespace {

using namespace internal;
using Entry = QueryScratch::Entry;

bool is_later(const Entry& x, const Entry& y) { return x.key > y.key; }

/// Lower bounds of the distance from p to eight boxes.
Float8 bound(const BoxNode& n, const float (&p)[3]) {
  const Float8 x = p[0] - load(n.centre[0]), y = p[1] - load(n.centre[1]),
               z = p[2] - load(n.centre[2]);
  Float8 squared{};
  for (int j = 0; j < 3; ++j) {
    const Float8 along = x * load(n.axes[j]) + y * load(n.axes[3 + j]) + z * load(n.axes[6 + j]);
    const Float8 gap = max(abs(along) - load(n.half[j]), Float8{});
    squared += gap * gap;
  }
  return sqrt(squared) * 0.99999f;
}

/// Squared distance from the origin to eight triangles.
Float8 distance2(const TriangleLeaf& leaf, const Vec8& origin) {
  Vec8 p[3], e[3];
  for (int k = 0; k < 3; ++k)
    p[k] = Vec8{load(leaf.vertex[3 * k]), load(leaf.vertex[3 * k + 1]),
                load(leaf.vertex[3 * k + 2])} -
           origin;
  for (int k = 0; k < 3; ++k) e[k] = p[(k + 1) % 3] - p[k];
  const Float8 tiny = splat(1e-37f);
  Float8 best = splat(3e38f);
  const Vec8 n = cross(e[0], e[1]);
  const Float8 nn = dot(n, n);
  Int8 over = nn > tiny;
  for (int k = 0; k < 3; ++k) {
    const Float8 s = clamp01(-dot(p[k], e[k]) / max(dot(e[k], e[k]), tiny));
    const Vec8 foot = p[k] + s * e[k];
    best = min(best, dot(foot, foot));
    over &= dot(cross(n, e[k]), p[k]) <= 0;
  }
  const Float8 h = dot(n, p[0]);
  return over ? min(best, h * h / max(nn, tiny)) : best;
}

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
        find_nearest_on({{vertices[v[0]], vertices[v[1]], vertices[v[2]]}}, p_);
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
      std::pop_heap(entries_.begin(), entries_.end(), is_later);
      const Entry e = entries_.back();
      entries_.pop_back();
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
  void set_limit(double limit) {
    limit_ = limit < 1e37 ? std::nextafter(static_cast<float>(limit), 1e38f) + pad_ : 3e38f;
  }

  void push(std::uint32_t node) {
    const BoxNode& n = mesh_.boxes().nodes[node];
    const Float8 key = bound(n, q_);
    for (unsigned open = bits(key < limit_) & filled(n); open != 0; open &= open - 1) {
      const int lane = std::countr_zero(open);
      entries_.push_back({key[lane], n.child[lane], 0, 0, 0});
      std::push_heap(entries_.begin(), entries_.end(), is_later);
    }
  }

  void look(const TriangleLeaf& leaf) {
    const Eigen::Vector3f from = (p_ - Vec3::Map(leaf.centre)).cast<float>();
    const Float8 squared = distance2(leaf, splat(from.x(), from.y(), from.z()));
    const float extent = std::max(leaf.extent, from.norm());
    const float margin = kSquaredMarginOfPoint * extent * extent;
    unsigned near = bits(squared - margin < limit_ * limit_) & ((1u << leaf.count) - 1);
    for (; near != 0; near &= near - 1) {
      const int lane = std::countr_zero(near);
      if (squared[lane] - margin < limit_ * limit_) measure(leaf.triangle[lane]);
    }
  }

  static constexpr float kSquaredMarginOfPoint = 4e-6f;

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

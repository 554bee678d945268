#include "geste/geometry/internal/tree_pair.hpp"

#include <stdexcept>

namespace geste::internal {
namespace {

Float8 least(Float8 a, Float8 b, Float8 c) { return min(min(a, b), c); }
Float8 most(Float8 a, Float8 b, Float8 c) { return max(max(a, b), c); }

}  // namespace

TreePair::TreePair(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch)
    : a_(a),
      b_(b),
      X_AB_(X_AB),
      ab_(make_relative(X_AB)),
      ba_(make_relative(X_AB.inverse())),
      pad_(1e-6f *
           (a.boxes().scale + b.boxes().scale + static_cast<float>(X_AB.p.cwiseAbs().maxCoeff()))),
      entries_(scratch.entries) {
  if (!X_AB.p.allFinite() || !X_AB.R.allFinite())
    throw std::invalid_argument("mesh query: the pose is not finite");
  entries_.clear();
}

Triangle3 TreePair::triangle_a(std::uint32_t t) const { return get_corners(a_.mesh(), t); }

Triangle3 TreePair::triangle_b(std::uint32_t t) const {
  Triangle3 triangle = get_corners(b_.mesh(), t);
  for (Vec3& p : triangle.p) p = X_AB_ * p;
  return triangle;
}

const TreePair::TurnedLeaf& TreePair::turn(const TriangleLeaf& leaf) {
  if (turned_.leaf == &leaf) return turned_;
  const float(&R)[9] = ab_.R;
  for (int k = 0; k < 3; ++k) {
    const Float8 x = load(leaf.vertex[3 * k]), y = load(leaf.vertex[3 * k + 1]),
                 z = load(leaf.vertex[3 * k + 2]);
    turned_.triangles.p[k] = {R[0] * x + R[1] * y + R[2] * z, R[3] * x + R[4] * y + R[5] * z,
                              R[6] * x + R[7] * y + R[8] * z};
  }
  Float8 longest{};
  for (int k = 0; k < 3; ++k) {
    turned_.triangles.e[k] = turned_.triangles.p[(k + 1) % 3] - turned_.triangles.p[k];
    longest = max(longest, dot(turned_.triangles.e[k], turned_.triangles.e[k]));
  }
  turned_.triangles.length = sqrt(longest);
  turned_.centre = X_AB_ * Vec3::Map(leaf.centre);
  turned_.leaf = &leaf;
  return turned_;
}

LeafPair::LeafPair(TreePair& pair, const TriangleLeaf& leaf_a, const TriangleLeaf& leaf_b)
    : a(leaf_a), b(leaf_b), lanes_((1u << leaf_b.count) - 1) {
  const TreePair::TurnedLeaf& turned = pair.turn(leaf_b);
  // The difference of centres in double: what is left is small and keeps its digits in float.
  const Eigen::Vector3f offset = (turned.centre - Vec3::Map(a.centre)).cast<float>();
  const Vec8 shift = splat(offset.x(), offset.y(), offset.z());
  const Vec8(&p)[3] = triangles.p;
  Float8 farthest = splat(a.extent * a.extent);
  for (int k = 0; k < 3; ++k) {
    triangles.p[k] = turned.triangles.p[k] + shift;
    triangles.e[k] = turned.triangles.e[k];
    farthest = max(farthest, dot(p[k], p[k]));
  }
  triangles.reach = sqrt(farthest);
  triangles.length = turned.triangles.length;
  low_ = {least(p[0].x, p[1].x, p[2].x), least(p[0].y, p[1].y, p[2].y),
          least(p[0].z, p[1].z, p[2].z)};
  high_ = {most(p[0].x, p[1].x, p[2].x), most(p[0].y, p[1].y, p[2].y),
           most(p[0].z, p[1].z, p[2].z)};
}

LeafPair::Bounds LeafPair::bound(std::uint32_t i) const {
  Bounds box;
  for (int k = 0; k < 3; ++k) {
    box.low[k] = std::min({a.vertex[k][i], a.vertex[3 + k][i], a.vertex[6 + k][i]});
    box.high[k] = std::max({a.vertex[k][i], a.vertex[3 + k][i], a.vertex[6 + k][i]});
  }
  return box;
}

unsigned LeafPair::find_meeting(std::uint32_t i) const {
  const Bounds box = bound(i);
  const Float8 slack = 1e-6f * triangles.reach;
  const Int8 apart = (low_.x - slack > box.high[0]) | (high_.x + slack < box.low[0]) |
                     (low_.y - slack > box.high[1]) | (high_.y + slack < box.low[1]) |
                     (low_.z - slack > box.high[2]) | (high_.z + slack < box.low[2]);
  return lanes_ & ~bits(apart);
}

TouchLanes LeafPair::find_touching(std::uint32_t i) const {
  const unsigned near = find_meeting(i);
  if (near == 0) return {0, 0};
  return internal::find_touching(Triangle1(a, i), a.extent, triangles, near);
}

unsigned LeafPair::find_within(std::uint32_t i, const Triangle1& t, float limit) const {
  const Bounds box = bound(i);
  const Float8 reach = limit + 1e-6f * triangles.reach;
  const auto gap = [](float low, float high, Float8 l, Float8 h) {
    return max(max(l - high, low - h), Float8{});
  };
  const Float8 x = gap(box.low[0], box.high[0], low_.x, high_.x),
               y = gap(box.low[1], box.high[1], low_.y, high_.y),
               z = gap(box.low[2], box.high[2], low_.z, high_.z);
  unsigned open = lanes_ & bits(x * x + y * y + z * z <= reach * reach);
  if (open == 0) return 0;
  // How far all corners of one lie on one side of the other's plane, times the normal's length.
  Float8 margin = kTripleProductMargin * a.extent * a.extent * triangles.reach;
  const auto beyond = [](Float8 d0, Float8 d1, Float8 d2) {
    return max(least(d0, d1, d2), -most(d0, d1, d2));
  };
  const Vec8 n = splat(t.n), corner = splat(t.p[0]);
  open &= bits(beyond(dot(n, triangles.p[0] - corner), dot(n, triangles.p[1] - corner),
                      dot(n, triangles.p[2] - corner)) <= reach * sqrt(dot(n, n)) + margin);
  if (open == 0) return 0;
  margin = kTripleProductMargin * triangles.length * triangles.reach * triangles.reach;
  const Vec8 m = cross(triangles.e[0], triangles.e[1]);
  return open &
         bits(beyond(dot(m, splat(t.p[0]) - triangles.p[0]), dot(m, splat(t.p[1]) - triangles.p[0]),
                     dot(m, splat(t.p[2]) - triangles.p[0])) <= reach * sqrt(dot(m, m)) + margin);
}

}  // namespace geste::internal

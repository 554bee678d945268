#include "geste/geometry/internal/leaf_lanes.hpp"

namespace geste::internal {
namespace {

Float8 least(Float8 a, Float8 b, Float8 c) { return min(min(a, b), c); }
Float8 most(Float8 a, Float8 b, Float8 c) { return max(max(a, b), c); }

/// How far all three heights lie on one side of zero.
Float8 beyond(Float8 d0, Float8 d1, Float8 d2) { return max(least(d0, d1, d2), -most(d0, d1, d2)); }

/// How far the intervals of each lane lie from one interval.
Float8 gap(float low, float high, Float8 lane_low, Float8 lane_high) {
  return max(max(lane_low - high, low - lane_high), Float8{});
}

}  // namespace

void turn(const TriangleLeaf& leaf, const Pose& X_AB, const RelativePose& ab, TurnedLeaf& turned) {
  const Float4(&R)[3] = ab.row;
  for (int k = 0; k < 3; ++k) {
    const Float8 x = load(leaf.vertex[3 * k]), y = load(leaf.vertex[3 * k + 1]),
                 z = load(leaf.vertex[3 * k + 2]);
    turned.triangles.p[k] = {R[0][0] * x + R[0][1] * y + R[0][2] * z,
                             R[1][0] * x + R[1][1] * y + R[1][2] * z,
                             R[2][0] * x + R[2][1] * y + R[2][2] * z};
  }
  Float8 longest{}, farthest{};
  for (int k = 0; k < 3; ++k) {
    farthest = max(farthest, dot(turned.triangles.p[k], turned.triangles.p[k]));
    turned.triangles.e[k] = turned.triangles.p[(k + 1) % 3] - turned.triangles.p[k];
    longest = max(longest, dot(turned.triangles.e[k], turned.triangles.e[k]));
  }
  turned.triangles.length = sqrt(longest);
  turned.triangles.reach = sqrt(farthest);
  turned.centre = X_AB * Vec3::Map(leaf.centre);
  turned.leaf = &leaf;
}

LeafPair::LeafPair(const TriangleLeaf& leaf_a, const TurnedLeaf& turned, float limit)
    : a(leaf_a), b(*turned.leaf) {
  // The difference of centres in double: what is left is small and keeps its digits in float.
  const Eigen::Vector3f offset = (turned.centre - Vec3::Map(a.centre)).cast<float>();
  const Vec8 shift = splat(offset.x(), offset.y(), offset.z());
  const Vec8(&p)[3] = triangles.p;
  // Rounding goes by the longest lever: before the shift, or after it.
  Float8 farthest =
      max(splat(a.extent * a.extent), turned.triangles.reach * turned.triangles.reach);
  for (int k = 0; k < 3; ++k) {
    triangles.p[k] = turned.triangles.p[k] + shift;
    farthest = max(farthest, dot(p[k], p[k]));
  }
  triangles.reach = sqrt(farthest);
  low_ = {least(p[0].x, p[1].x, p[2].x), least(p[0].y, p[1].y, p[2].y),
          least(p[0].z, p[1].z, p[2].z)};
  high_ = {most(p[0].x, p[1].x, p[2].x), most(p[0].y, p[1].y, p[2].y),
           most(p[0].z, p[1].z, p[2].z)};
  // The lanes against the whole of A's leaf.
  const Float8 x = gap(-a.half[0], a.half[0], low_.x, high_.x),
               y = gap(-a.half[1], a.half[1], low_.y, high_.y),
               z = gap(-a.half[2], a.half[2], low_.z, high_.z);
  const Float8 reach = limit + 1e-6f * triangles.reach;
  lanes_ = bits(x * x + y * y + z * z <= reach * reach) & ((1u << b.count) - 1);
  if (lanes_ == 0) return;
  for (int k = 0; k < 3; ++k) triangles.e[k] = turned.triangles.e[k];
  triangles.length = turned.triangles.length;
  for (int k = 0; k < 3; ++k) {
    const Float8 v[3] = {load(a.vertex[k]), load(a.vertex[3 + k]), load(a.vertex[6 + k])};
    store(a_low_[k], least(v[0], v[1], v[2]));
    store(a_high_[k], most(v[0], v[1], v[2]));
  }
}

unsigned LeafPair::find_within(std::uint32_t i, float limit) const {
  const Float8 x = gap(a_low_[0][i], a_high_[0][i], low_.x, high_.x),
               y = gap(a_low_[1][i], a_high_[1][i], low_.y, high_.y),
               z = gap(a_low_[2][i], a_high_[2][i], low_.z, high_.z);
  const Float8 reach = limit + 1e-6f * triangles.reach;
  return lanes_ & bits(x * x + y * y + z * z <= reach * reach);
}

TouchLanes LeafPair::find_touching(std::uint32_t i) const {
  const unsigned near = find_within(i, 0);
  if (near == 0) return {0, 0};
  return internal::find_touching(Triangle1(a, i), a.extent, triangles, near);
}

unsigned LeafPair::find_within(const Triangle1& t, float limit, unsigned open) const {
  // Heights over a plane are times its normal's length.
  const Float8 reach = limit + 1e-6f * triangles.reach;
  Float8 margin = kTripleProductMargin * a.extent * a.extent * triangles.reach;
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

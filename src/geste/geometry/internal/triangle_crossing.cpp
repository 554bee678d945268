#include "geste/geometry/internal/triangle_crossing.hpp"

#include <cmath>

namespace geste::internal {
namespace {

/// Where the edges of `t` cross the plane of heights `h`; false when it lies on one side.
bool cut(const Triangle3& t, const double (&h)[3], bool is_a, CrossingEnd (&ends)[2]) {
  int count = 0;
  for (int k = 0; k < 3 && count < 2; ++k) {
    const int next = (k + 1) % 3;
    if ((h[k] >= 0) == (h[next] >= 0)) continue;
    // From the corner below to the one above, so that the neighbour finds the same point.
    const int low = h[k] >= 0 ? next : k, high = h[k] >= 0 ? k : next;
    const double s = h[low] / (h[low] - h[high]);
    ends[count++] = {t.p[low] + s * (t.p[high] - t.p[low]), is_a, k};
  }
  return count == 2;
}

}  // namespace

std::optional<TriangleCrossing> find_crossing(const Triangle3& a, const Triangle3& b) {
  const Vec3 na = (a.p[1] - a.p[0]).cross(a.p[2] - a.p[0]);
  const Vec3 nb = (b.p[1] - b.p[0]).cross(b.p[2] - b.p[0]);
  double ha[3], hb[3];
  for (int k = 0; k < 3; ++k) {
    ha[k] = nb.dot(a.p[k] - b.p[0]);
    hb[k] = na.dot(b.p[k] - a.p[0]);
  }
  CrossingEnd on_a[2], on_b[2];
  if (!cut(a, ha, true, on_a) || !cut(b, hb, false, on_b)) return std::nullopt;
  // Both pieces lie on the line of the two planes: what they have in common.
  const Vec3 line = na.cross(nb);
  const auto order = [&](CrossingEnd(&ends)[2], double(&at)[2]) {
    at[0] = line.dot(ends[0].p);
    at[1] = line.dot(ends[1].p);
    if (at[0] <= at[1]) return;
    std::swap(at[0], at[1]);
    std::swap(ends[0], ends[1]);
  };
  double at_a[2], at_b[2];
  order(on_a, at_a);
  order(on_b, at_b);
  if (at_a[0] > at_b[1] || at_b[0] > at_a[1]) return std::nullopt;
  return TriangleCrossing{
      {at_a[0] >= at_b[0] ? on_a[0] : on_b[0], at_a[1] <= at_b[1] ? on_a[1] : on_b[1]}};
}

}  // namespace geste::internal

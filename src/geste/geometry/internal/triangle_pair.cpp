#include "geste/geometry/internal/triangle_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geste/geometry/internal/closest.hpp"

namespace geste::internal {
namespace {

/// A sliver's normal is rounding error; its edges say all there is to say. One of this height has a
/// normal good to 1e-6, which leaves 1e-12 in a distance; a thinner one is its edges to 1e-10.
bool has_normal(const Vec3 (&edge)[3], double normal_squared) {
  const double longest =
      std::max({edge[0].squaredNorm(), edge[1].squaredNorm(), edge[2].squaredNorm()});
  return normal_squared > 1e-20 * longest * longest;
}

void take(TriangleDistance& best, const Vec3& on_a, const Vec3& on_b) {
  const double squared = (on_a - on_b).squaredNorm();
  if (squared < best.squared) best = {squared, on_a, on_b};
}

/// Corners of `point` over the face of `face`, and edges of `point` through it; `swap` tells which
/// of the two is a.
void face(const Triangle3& face, const Triangle3& point, bool swap, TriangleDistance& best) {
  const Vec3 edge[3] = {face.p[1] - face.p[0], face.p[2] - face.p[1], face.p[0] - face.p[2]};
  const Vec3 n = edge[0].cross(edge[1]);
  const double nn = n.squaredNorm();
  if (!has_normal(edge, nn)) return;
  const Vec3 inward[3] = {n.cross(edge[0]), n.cross(edge[1]), n.cross(edge[2])};
  double h[3], E[3][3];
  for (int k = 0; k < 3; ++k) {
    h[k] = n.dot(point.p[k] - face.p[0]);
    bool inside = true;
    for (int l = 0; l < 3; ++l) {
      E[k][l] = inward[l].dot(point.p[k] - face.p[l]);
      inside = inside && E[k][l] >= 0;
    }
    if (!inside) continue;
    const Vec3 foot = point.p[k] - h[k] / nn * n;
    swap ? take(best, point.p[k], foot) : take(best, foot, point.p[k]);
  }
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if (!(h[k] < 0 && h[next] > 0) && !(h[k] > 0 && h[next] < 0)) continue;
    const double w0 = std::abs(h[next]), w1 = std::abs(h[k]);
    bool inside = true;
    for (int l = 0; l < 3; ++l) inside = inside && E[k][l] * w0 + E[next][l] * w1 >= 0;
    if (!inside) continue;
    const Vec3 crossing = (point.p[k] * w0 + point.p[next] * w1) / (w0 + w1);
    best = {0, crossing, crossing};
    return;
  }
}

}  // namespace

TriangleDistance compute_distance(const Triangle3& a, const Triangle3& b) {
  TriangleDistance best;
  best.squared = std::numeric_limits<double>::infinity();
  face(a, b, false, best);
  if (best.squared > 0) face(b, a, true, best);
  if (best.squared == 0) return best;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const ClosestPair c =
          compute_closest_segments(a.p[i], a.p[(i + 1) % 3], b.p[j], b.p[(j + 1) % 3]);
      if (c.squared < best.squared) best = {c.squared, c.on_a, c.on_b};
    }
  }
  return best;
}

}  // namespace geste::internal

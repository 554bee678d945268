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

/// Four doubles as one value: the three edges of a triangle, and the last again.
typedef double Double4 __attribute__((vector_size(32)));

struct Vec4 {
  Double4 x, y, z;
};
Vec4 operator-(const Vec4& a, const Vec4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec4 operator+(const Vec4& a, const Vec4& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec4 operator*(const Double4& s, const Vec4& a) { return {s * a.x, s * a.y, s * a.z}; }
Double4 dot(const Vec4& a, const Vec4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec4 cross(const Vec4& a, const Vec4& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Double4 splat(double x) { return Double4{x, x, x, x}; }
Vec4 splat(const Vec3& v) { return {splat(v.x()), splat(v.y()), splat(v.z())}; }
Vec4 gather(const Vec3& a, const Vec3& b, const Vec3& c) {
  return {Double4{a.x(), b.x(), c.x(), c.x()}, Double4{a.y(), b.y(), c.y(), c.y()},
          Double4{a.z(), b.z(), c.z(), c.z()}};
}

struct Segment4 {
  Vec4 from, to, along;
  Double4 squared;  ///< length

  /// As compute_closest_on_segment.
  [[nodiscard]] Vec4 find_closest(const Vec4& p) const {
    const Double4 t = dot(along, p - from) / squared;
    const Vec4 foot = from + t * along;
    const auto first = !(t > 0), last = t >= 1;
    const auto pick = [&](const Double4& at, const Double4& begin, const Double4& end) {
      const Double4 capped = last ? end : at;
      return first ? begin : capped;
    };
    return {pick(foot.x, from.x, to.x), pick(foot.y, from.y, to.y), pick(foot.z, from.z, to.z)};
  }
};

Segment4 make_segments(const Vec4& from, const Vec4& to) {
  const Vec4 along = to - from;
  return {from, to, along, dot(along, along)};
}

/// Squared distances of four pairs of segments, by the steps of compute_closest_segments.
Double4 compute_squared(const Segment4& p, const Segment4& q) {
  const Vec4 n = cross(p.along, q.along);
  const Double4 nn = dot(n, n);
  Double4 s = dot(cross(q.along, p.from - q.from), n) / nn;
  s = s > 0 ? s : splat(0);
  s = s < 1 ? s : splat(1);
  s = nn > 1e-30 * p.squared * q.squared ? s : splat(0.5);
  const Vec4 on_p = p.find_closest(q.find_closest(p.from + s * p.along));
  const Vec4 apart = on_p - q.find_closest(on_p);
  return dot(apart, apart);
}

/// The nearest of the nine pairs of edges.
ClosestPair compute_closest_edges(const Triangle3& a, const Triangle3& b) {
  const Segment4 q = make_segments(gather(b.p[0], b.p[1], b.p[2]), gather(b.p[1], b.p[2], b.p[0]));
  double least = std::numeric_limits<double>::infinity();
  int edge_a = 0, edge_b = 0;
  for (int i = 0; i < 3; ++i) {
    const Double4 squared =
        compute_squared(make_segments(splat(a.p[i]), splat(a.p[(i + 1) % 3])), q);
    for (int j = 0; j < 3; ++j) {
      if (!(squared[j] < least)) continue;
      least = squared[j];
      edge_a = i;
      edge_b = j;
    }
  }
  return compute_closest_segments(a.p[edge_a], a.p[(edge_a + 1) % 3], b.p[edge_b],
                                  b.p[(edge_b + 1) % 3]);
}

}  // namespace

TriangleDistance compute_distance(const Triangle3& a, const Triangle3& b) {
  TriangleDistance best;
  best.squared = std::numeric_limits<double>::infinity();
  face(a, b, false, best);
  if (best.squared > 0) face(b, a, true, best);
  if (best.squared == 0) return best;
  const ClosestPair edges = compute_closest_edges(a, b);
  if (edges.squared < best.squared) best = {edges.squared, edges.on_a, edges.on_b};
  return best;
}

}  // namespace geste::internal

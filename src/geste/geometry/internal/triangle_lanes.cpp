#include "geste/geometry/internal/triangle_lanes.hpp"

namespace geste::internal {
namespace {

/// Squared distance between segments p + s u and q + t v, s and t from 0 to 1 (C. Ericson,
/// "Real-Time Collision Detection", 5.1.9), without branches.
[[gnu::always_inline]] inline Float8 segment_distance2(const Vec8& u, Float8 uu, Float8 inverse_uu,
                                                       const Vec8& v, Float8 vv, Float8 inverse_vv,
                                                       const Vec8& r) {
  const Float8 b = dot(u, v), c = dot(u, r), f = dot(v, r);
  const Float8 denominator = uu * vv - b * b;
  const Float8 s0 = clamp01((b * f - c * vv) / max(denominator, 1e-12f * uu * vv + 1e-37f));
  const Float8 t = clamp01((b * s0 + f) * inverse_vv);
  const Float8 s = clamp01((b * t - c) * inverse_uu);
  const Vec8 d = r + s * u - t * v;
  return dot(d, d);
}

}  // namespace

// Separating axes: both normals, then the nine products of edges.
TouchLanes find_touching(const Triangle1& a, float extent, const Triangle8& b, unsigned lanes) {
  const Vec8 p[3] = {splat(a.p[0]), splat(a.p[1]), splat(a.p[2])};
  const auto beyond = [](Float8 d0, Float8 d1, Float8 d2) {
    return max(min(min(d0, d1), d2), -max(max(d0, d1), d2));
  };
  // How much rounding may have added to a gap, or taken from it.
  Float8 margin = kTripleProductMargin * extent * extent * b.reach;
  const Vec8 n = splat(a.n);
  Float8 gap = beyond(dot(n, b.p[0] - p[0]), dot(n, b.p[1] - p[0]), dot(n, b.p[2] - p[0]));
  Float8 least = gap - margin, most = gap + margin;
  lanes &= bits(least <= 0);
  if (lanes == 0) return {0, 0};
  const auto take = [&](Float8 g) {
    least = max(least, g - margin);
    most = max(most, g + margin);
  };
  margin = kTripleProductMargin * b.length * b.reach * b.reach;
  const Vec8 m = cross(b.e[0], b.e[1]);
  take(beyond(dot(m, p[0] - b.p[0]), dot(m, p[1] - b.p[0]), dot(m, p[2] - b.p[0])));
  lanes &= bits(least <= 0);
  if (lanes == 0) return {0, 0};
  margin = kTripleProductMargin * extent * b.reach * (b.length + b.reach);
  for (int i = 0; i < 3; ++i) {
    const Vec8 e = splat(a.e[i]);
    for (int j = 0; j < 3; ++j) {
      const Vec8 x = cross(e, b.e[j]);
      // Both ends of an edge project alike: two values for each triangle.
      const Float8 u0 = dot(x, p[i]), u1 = dot(x, p[(i + 2) % 3]);
      const Float8 v0 = dot(x, b.p[j]), v1 = dot(x, b.p[(j + 2) % 3]);
      take(max(min(v0, v1) - max(u0, u1), min(u0, u1) - max(v0, v1)));
    }
  }
  return {lanes & bits(least <= 0), lanes & bits(most < 0)};
}

SquaredDistances compute_squared_distances(const Triangle1& a, const Triangle8& b) {
  const Vec8(&f)[3] = b.e;
  const Float8 tiny = splat(1e-37f);
  Float8 best = splat(3e38f);
  Float8 ff[3], inverse_ff[3];
  for (int j = 0; j < 3; ++j) {
    ff[j] = dot(f[j], f[j]);
    inverse_ff[j] = 1 / max(ff[j], tiny);
  }
  for (int i = 0; i < 3; ++i) {
    const Vec8 e = splat(a.e[i]), p = splat(a.p[i]);
    const Float8 ee = dot(e, e), inverse_ee = 1 / max(ee, tiny);
    for (int j = 0; j < 3; ++j) {
      best =
          min(best, segment_distance2(e, ee, inverse_ee, f[j], ff[j], inverse_ff[j], p - b.p[j]));
    }
  }
  Float8 sure = best;
  // Corners over faces, and edges through faces: height h over the plane, and which side of each
  // edge, E >= 0 inside. The normal of a sliver is rounding: good for a lower bound only.
  const auto faces = [&](const Vec8& n, const Vec8(&corner)[3], const Vec8(&edge)[3],
                         const Vec8(&point)[3]) __attribute__((always_inline)) {
    const Float8 nn = dot(n, n);
    const Float8 inverse_nn = 1 / max(nn, tiny);
    const Float8 longest =
        max(max(dot(edge[0], edge[0]), dot(edge[1], edge[1])), dot(edge[2], edge[2]));
    const Float8 short_one = kSoundNormal * b.reach;
    const Int8 sound = nn > short_one * short_one * longest;
    Float8 h[3], scaled[3], E[3][3];  // h / nn keeps products within float
    Vec8 m[3];
    for (int k = 0; k < 3; ++k) m[k] = cross(n, edge[k]);
    for (int k = 0; k < 3; ++k) {
      h[k] = dot(n, point[k] - corner[0]);
      scaled[k] = h[k] * inverse_nn;
      Int8 inside = nn > tiny;
      for (int l = 0; l < 3; ++l) {
        E[k][l] = dot(m[l], point[k] - corner[l]);
        inside &= E[k][l] >= 0;
      }
      const Float8 over = h[k] * scaled[k];
      best = inside ? min(best, over) : best;
      sure = (inside & sound) ? min(sure, over) : sure;
    }
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      const Float8 w0 = abs(scaled[next]), w1 = abs(scaled[k]);
      Int8 pierced = (h[k] < 0) != (h[next] < 0);
      for (int l = 0; l < 3; ++l) pierced &= E[k][l] * w0 + E[next][l] * w1 >= 0;
      best = pierced ? Float8{} : best;
    }
  };
  const Vec8 ap[3] = {splat(a.p[0]), splat(a.p[1]), splat(a.p[2])};
  const Vec8 ae[3] = {splat(a.e[0]), splat(a.e[1]), splat(a.e[2])};
  faces(splat(a.n), ap, ae, b.p);
  faces(cross(f[0], f[1]), b.p, f, ap);
  return {best, sure};
}

Float8 compute_squared_distances(const float (&point)[3], const TriangleLeaf& leaf) {
  const Vec8 origin = splat(point);
  Vec8 p[3], e[3];
  for (int k = 0; k < 3; ++k)
    p[k] =
        Vec8{load(leaf.vertex[3 * k]), load(leaf.vertex[3 * k + 1]), load(leaf.vertex[3 * k + 2])} -
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
  return over ? min(best, h * (h / max(nn, tiny))) : best;
}

}  // namespace geste::internal

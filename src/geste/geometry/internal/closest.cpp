#include "geste/geometry/internal/closest.hpp"

#include <algorithm>
#include <cmath>

namespace geste::internal {
namespace {

void take(ClosestPair& best, const ClosestPair& other) {
  if (other.squared < best.squared) best = other;
}

ClosestPair make_pair(const Vec3& on_a, const Vec3& on_b) {
  return {on_a, on_b, (on_a - on_b).squaredNorm()};
}

/// For triangles whose normal is rounding error: their edges say all there is to say.
Vec3 compute_closest_on_edges(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 candidates[3] = {compute_closest_on_segment(p, a, b),
                              compute_closest_on_segment(p, b, c),
                              compute_closest_on_segment(p, c, a)};
  return *std::min_element(candidates, candidates + 3, [&](const Vec3& x, const Vec3& y) {
    return (x - p).squaredNorm() < (y - p).squaredNorm();
  });
}

bool is_sliver(const Vec3& ab, const Vec3& ac, const Vec3& n) {
  const double longest = std::max(ab.squaredNorm(), ac.squaredNorm());
  return !(n.squaredNorm() > 1e-20 * longest * longest);
}

}  // namespace

Vec3 compute_perpendicular(const Vec3& v) {
  int smallest = 0;
  v.cwiseAbs().minCoeff(&smallest);
  const Vec3 cross = v.cross(Vec3::Unit(smallest));
  const double norm = cross.norm();
  return norm > 0 ? Vec3(cross / norm) : Vec3(Vec3::UnitX());
}

Vec3 compute_closest_on_segment(const Vec3& p, const Vec3& from, const Vec3& to) {
  const Vec3 u = to - from;
  const double uu = u.squaredNorm();
  if (!(uu > 0)) return from;
  const double t = u.dot(p - from) / uu;
  return t <= 0 ? from : (t >= 1 ? to : Vec3(from + t * u));
}

Vec3 compute_closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const Vec3 n = ab.cross(ac);
  if (is_sliver(ab, ac, n)) return compute_closest_on_edges(p, a, b, c);
  const Vec3 bp = p - b, cp = p - c;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return b;
  if (n.cross(ab).dot(ap) <= 0 && d1 >= 0 && d3 <= 0) return a + d1 / (d1 - d3) * ab;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return c;
  if (ac.cross(n).dot(ap) <= 0 && d2 >= 0 && d6 <= 0) return a + d2 / (d2 - d6) * ac;
  const double along = d4 - d3, back = d5 - d6;
  if (n.cross(c - b).dot(bp) <= 0 && along >= 0 && back >= 0) {
    return b + along / (along + back) * (c - b);
  }
  return p - n.dot(ap) / n.squaredNorm() * n;
}

ClosestPair compute_closest_segments(const Vec3& p0, const Vec3& p1, const Vec3& q0,
                                     const Vec3& q1) {
  const Vec3 u = p1 - p0, v = q1 - q0, r = p0 - q0;
  const double uu = u.squaredNorm(), vv = v.squaredNorm();
  if (!(uu > 0)) return make_pair(p0, compute_closest_on_segment(p0, q0, q1));
  if (!(vv > 0)) return make_pair(compute_closest_on_segment(q0, p0, p1), q0);
  // The lines' common perpendicular, from cross products: uu vv - (u v)^2 would cancel.
  const Vec3 n = u.cross(v);
  const double nn = n.squaredNorm();
  double s = 0.5;
  if (nn > 1e-30 * uu * vv) s = std::clamp(v.cross(r).dot(n) / nn, 0.0, 1.0);
  const Vec3 on_q = compute_closest_on_segment(p0 + s * u, q0, q1);
  const Vec3 on_p = compute_closest_on_segment(on_q, p0, p1);
  return make_pair(on_p, compute_closest_on_segment(on_p, q0, q1));
}

ClosestPair compute_closest_segment_triangle(const Vec3& p0, const Vec3& p1, const Vec3& a,
                                             const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const double h0 = n.dot(p0 - a), h1 = n.dot(p1 - a);
  if ((h0 < 0) != (h1 < 0) && h0 != h1 && !is_sliver(b - a, c - a, n)) {
    const Vec3 x = p0 + h0 / (h0 - h1) * (p1 - p0);
    if (n.cross(b - a).dot(x - a) >= 0 && n.cross(c - b).dot(x - b) >= 0 &&
        n.cross(a - c).dot(x - c) >= 0) {
      return {x, x, 0};
    }
  }
  ClosestPair best = make_pair(p0, compute_closest_on_triangle(p0, a, b, c));
  take(best, make_pair(p1, compute_closest_on_triangle(p1, a, b, c)));
  take(best, compute_closest_segments(p0, p1, a, b));
  take(best, compute_closest_segments(p0, p1, b, c));
  take(best, compute_closest_segments(p0, p1, c, a));
  return best;
}

}  // namespace geste::internal

#include "geste/geometry/internal/simplex.hpp"

#include <algorithm>

namespace geste::internal {
namespace {

SimplexPoint make_corner(const Simplex& s, int i) {
  SimplexPoint result;
  result.v = s.p[i].w;
  result.weight[0] = 1;
  result.index[0] = i;
  result.size = 1;
  return result;
}

/// t in 0..1 from corner i along u to corner j.
SimplexPoint make_edge(const Simplex& s, int i, int j, const Vec3& u, double t) {
  SimplexPoint result;
  result.v = s.p[i].w + t * u;
  result.weight[0] = 1 - t;
  result.weight[1] = t;
  result.index[0] = i;
  result.index[1] = j;
  result.size = 2;
  return result;
}

void take_nearer(SimplexPoint& best, const SimplexPoint& other) {
  if (best.size == 0 || other.v.squaredNorm() < best.v.squaredNorm()) best = other;
}

SimplexPoint compute_nearest_on_edges(const Simplex& s, int i, int j, int k) {
  SimplexPoint best = compute_nearest_on_segment(s, i, j);
  take_nearer(best, compute_nearest_on_segment(s, j, k));
  take_nearer(best, compute_nearest_on_segment(s, k, i));
  return best;
}

/// The triangles that hold the last point and have the origin on their outer side. None: it lies
/// inside. A flat tetrahedron has no trustworthy sides: all its triangles are asked.
SimplexPoint compute_nearest_on_tetrahedron(const Simplex& s) {
  SimplexPoint best;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Vec3 &p = s.p[3].w, u = s.p[i].w - p, v = s.p[j].w - p, opposite = s.p[k].w - p;
    const Vec3 n = u.cross(v);
    const double inner = n.dot(opposite), origin = -n.dot(p);
    const bool is_flat =
        std::abs(inner) <= 1e-14 * std::sqrt(n.squaredNorm() * opposite.squaredNorm());
    if (is_flat || (origin > 0) != (inner > 0)) {
      take_nearer(best, compute_nearest_on_triangle(s, 3, i, j));
    }
  }
  return best;
}

}  // namespace

SimplexPoint compute_nearest_on_segment(const Simplex& s, int i, int j) {
  const Vec3 u = s.p[j].w - s.p[i].w;
  const double t = -s.p[i].w.dot(u), uu = u.squaredNorm();
  if (!(t > 0)) return make_corner(s, i);
  if (t >= uu) return make_corner(s, j);
  return make_edge(s, i, j, u, t / uu);
}

// Regions as in C. Ericson, "Real-Time Collision Detection", 5.1.5; the edges' sides by n x edge,
// which loses fewer digits than products of dot products when the origin is far.
SimplexPoint compute_nearest_on_triangle(const Simplex& s, int i, int j, int k) {
  const Vec3 &a = s.p[i].w, &b = s.p[j].w, &c = s.p[k].w;
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = -ab.dot(a), d2 = -ac.dot(a);
  if (d1 <= 0 && d2 <= 0) return make_corner(s, i);
  const Vec3 n = ab.cross(ac);
  const double nn = n.squaredNorm(), longest = std::max(ab.squaredNorm(), ac.squaredNorm());
  if (!(nn > 1e-26 * longest * longest)) return compute_nearest_on_edges(s, i, j, k);
  const double d3 = -ab.dot(b), d4 = -ac.dot(b);
  if (d3 >= 0 && d4 <= d3) return make_corner(s, j);
  const double over_ab = -n.cross(ab).dot(a);
  if (over_ab <= 0 && d1 >= 0 && d3 <= 0) return make_edge(s, i, j, ab, d1 / (d1 - d3));
  const double d5 = -ab.dot(c), d6 = -ac.dot(c);
  if (d6 >= 0 && d5 <= d6) return make_corner(s, k);
  const double over_ac = -ac.cross(n).dot(a);
  if (over_ac <= 0 && d2 >= 0 && d6 <= 0) return make_edge(s, i, k, ac, d2 / (d2 - d6));
  const double over_bc = nn - over_ab - over_ac;
  if (over_bc <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return make_edge(s, j, k, c - b, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
  }
  SimplexPoint result;
  result.v = n.dot(a) / nn * n;
  result.weight[0] = over_bc / nn;
  result.weight[1] = over_ac / nn;
  result.weight[2] = over_ab / nn;
  result.index[0] = i;
  result.index[1] = j;
  result.index[2] = k;
  result.size = 3;
  return result;
}

bool reduce(const Simplex& s, Simplex& reduced, Vec3& v) {
  SimplexPoint nearest;
  switch (s.size) {
    case 1:
      nearest = make_corner(s, 0);
      break;
    case 2:
      nearest = compute_nearest_on_segment(s, 1, 0);
      break;
    case 3:
      nearest = compute_nearest_on_triangle(s, 2, 1, 0);
      break;
    default:
      nearest = compute_nearest_on_tetrahedron(s);
      break;
  }
  if (nearest.size == 0) return false;
  for (int m = 0; m < nearest.size; ++m) {
    reduced.p[m] = s.p[nearest.index[m]];
    reduced.weight[m] = nearest.weight[m];
  }
  reduced.size = nearest.size;
  v = nearest.v;
  return true;
}

}  // namespace geste::internal

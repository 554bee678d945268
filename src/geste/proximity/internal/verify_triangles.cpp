#include <algorithm>
#include <cmath>
#include <numbers>

#include "geste/proximity/internal/verify_distance.hpp"

namespace geste::internal {
namespace {

constexpr int kLeaf = 4;

/// `distance` is squared until the end.
void keep_nearer(const Vec3& on_a, const Vec3& on_b, NearestPoints& best) {
  const double squared = (on_b - on_a).squaredNorm();
  if (squared < best.distance) best = {squared, on_a, on_b};
}

double clamp_share(double part, double whole) {
  return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0.0;
}

/// Segments p + s d and q + t e. The squared distance is convex in (s, t): the lines' nearest s,
/// held to the segment, then t for it; where that must be held too, s again for that end.
void add_segments(const Vec3& p, const Vec3& d, const Vec3& q, const Vec3& e, NearestPoints& best) {
  const Vec3 r = q - p;
  const double a = d.squaredNorm(), b = d.dot(e), c = e.squaredNorm();
  const double dr = d.dot(r), er = e.dot(r);
  double s = clamp_share(c * dr - b * er, a * c - b * b);
  const double free = c > 0 ? (b * s - er) / c : 0;
  const double t = std::clamp(free, 0.0, 1.0);
  if (t != free || !(c > 0)) s = clamp_share(dr + b * t, a);
  keep_nearer(p + s * d, q + t * e, best);
}

/// A triangle's plane with the question whether a point of it lies between the edges.
struct Face {
  explicit Face(const Corners& t) : corners(t), normal((t[1] - t[0]).cross(t[2] - t[0])) {}

  [[nodiscard]] double height(const Vec3& p) const { return normal.dot(p - corners[0]); }
  [[nodiscard]] bool covers(const Vec3& p) const {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 edge = corners[(k + 1) % 3] - corners[k];
      if (normal.dot(edge.cross(p - corners[k])) < 0) return false;
    }
    return normal.squaredNorm() > 0;
  }

  const Corners& corners;
  Vec3 normal;
};

/// Corners of `t` above the face, and edges of `t` through it: keep(point on face, point on t).
template <class Keep>
void add_face(const Face& face, const Corners& t, Keep keep) {
  const double nn = face.normal.squaredNorm();
  if (!(nn > 0)) return;
  double height[3];
  for (std::size_t k = 0; k < 3; ++k) {
    height[k] = face.height(t[k]);
    const Vec3 foot = t[k] - height[k] / nn * face.normal;
    if (face.covers(foot)) keep(foot, t[k]);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const double from = height[k], to = height[(k + 1) % 3];
    if (!(from < 0 && to > 0) && !(from > 0 && to < 0)) continue;
    const Vec3 through = t[k] + from / (from - to) * (t[(k + 1) % 3] - t[k]);
    if (face.covers(through)) keep(through, through);
  }
}

/// Zero for slivers, whose cross product is made of rounding errors. Of others the corners lie in
/// the plane across it to within 1e-9 of the triangle's size.
Vec3 compute_normal(const Corners& t) {
  constexpr double kSliver = 1e-6;
  const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double longest = std::max(
      {(t[1] - t[0]).squaredNorm(), (t[2] - t[1]).squaredNorm(), (t[0] - t[2]).squaredNorm()});
  const double length = normal.norm();
  return length > kSliver * longest ? Vec3(normal / length) : Vec3::Zero();
}

}  // namespace

NearestPoints compute_triangle_distance(const Corners& a, const Corners& b) {
  NearestPoints best{std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      add_segments(a[i], a[(i + 1) % 3] - a[i], b[j], b[(j + 1) % 3] - b[j], best);
  }
  add_face(Face(a), b, [&](const Vec3& on_a, const Vec3& on_b) { keep_nearer(on_a, on_b, best); });
  add_face(Face(b), a, [&](const Vec3& on_b, const Vec3& on_a) { keep_nearer(on_a, on_b, best); });
  best.distance = std::sqrt(best.distance);
  return best;
}

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
  for (const Triangle& t : mesh.triangles)
    triangles_.push_back({mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]});
  if (triangles_.empty()) return;
  nodes_.push_back({.begin = 0, .end = static_cast<int>(triangles_.size())});
  for (std::size_t i = 0; i < nodes_.size(); ++i) split(i);
  for (const Corners& t : triangles_) {
    const Vec3 centre = (t[0] + t[1] + t[2]) / 3;
    const auto far = [&](const Vec3& p) { return (p - centre).norm(); };
    balls_.push_back({centre, std::max({far(t[0]), far(t[1]), far(t[2])})});
    normals_.push_back(compute_normal(t));
  }
}

TriangleTree::TriangleTree(const AxisBox& box) {
  nodes_.push_back({.centre = box.centre(), .half = box.size() / 2, .begin = 0, .end = 1});
}

void TriangleTree::split(std::size_t node) {
  const int begin = nodes_[node].begin, end = nodes_[node].end;
  AxisBox box, middles;
  const auto middle = [](const Corners& t) { return Vec3(t[0] + t[1] + t[2]); };
  for (int i = begin; i < end; ++i) {
    for (const Vec3& p : triangle(i)) box.add(p);
    middles.add(middle(triangle(i)));
  }
  nodes_[node].centre = box.centre();
  nodes_[node].half = box.size() / 2;
  if (end - begin <= kLeaf) return;
  int axis = 0;
  middles.size().maxCoeff(&axis);
  const int half = begin + (end - begin) / 2;
  std::nth_element(
      triangles_.begin() + begin, triangles_.begin() + half, triangles_.begin() + end,
      [&](const Corners& x, const Corners& y) { return middle(x)[axis] < middle(y)[axis]; });
  nodes_[node].child = static_cast<int>(nodes_.size());
  nodes_.push_back({.begin = begin, .end = half});
  nodes_.push_back({.begin = half, .end = end});
}

/// A. van Oosterom, J. Strackee, "The solid angle of a plane triangle", IEEE Trans. Biomed. Eng.
/// 30(2), 1983, eq. 8.
bool TriangleTree::winds_around(const Vec3& p) const {
  double angle = 0;
  for (const Corners& t : triangles_) {
    const Vec3 a = t[0] - p, b = t[1] - p, c = t[2] - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle += 2 * std::atan2(a.dot(b.cross(c)),
                            la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return std::abs(angle) > 2 * std::numbers::pi;
}

}  // namespace geste::internal

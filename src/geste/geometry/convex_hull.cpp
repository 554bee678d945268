#include "geste/geometry/convex_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geste/geometry/box.hpp"
#include "geste/geometry/internal/exact_side.hpp"

namespace geste {
namespace {

constexpr double kFlat = 1e-12;  ///< thickness, of the extent, below which points have no inside
constexpr double kLargestCoordinate = 1e90;  ///< keeps the exact side from overflowing
constexpr std::uint32_t kNone = ~std::uint32_t{0};

struct HullFace {
  Triangle vertex{};
  std::array<std::uint32_t, 3>
      beyond{};                        ///< the face across the edge from vertex[i] to vertex[i+1]
  std::vector<std::uint32_t> outside;  ///< points that see this face and wait for their turn
  bool is_removed = false;
};

struct HorizonEdge {
  std::uint32_t from, to;  ///< as the removed face runs along it
  std::uint32_t beyond;    ///< the face that stays
};

std::uint32_t find_farthest(std::span<const Vec3> points, auto&& measure) {
  std::uint32_t best = 0;
  double farthest = -1;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const double value = measure(points[i]);
    if (value > farthest) farthest = value, best = i;
  }
  return best;
}

/// Four points that span space, counter-clockwise from outside as 0 1 2; nothing if there are none.
std::optional<std::array<std::uint32_t, 4>> find_first_corners(std::span<const Vec3> points) {
  const AxisBox box = [&] {
    AxisBox b;
    for (const Vec3& p : points) b.add(p);
    return b;
  }();
  const double extent = box.extent();
  int axis = 0;
  box.size().maxCoeff(&axis);
  const auto i0 = find_farthest(points, [&](const Vec3& p) { return box.max[axis] - p[axis]; });
  const Vec3 p0 = points[i0];
  const auto i1 = find_farthest(points, [&](const Vec3& p) { return (p - p0).norm(); });
  const Vec3 along = (points[i1] - p0) / std::max((points[i1] - p0).norm(), 1e-300);
  const auto from_line = [&](const Vec3& p) { return along.cross(p - p0).norm(); };
  const auto i2 = find_farthest(points, from_line);
  if (!(from_line(points[i2]) > kFlat * extent)) return std::nullopt;
  const Vec3 normal = along.cross(points[i2] - p0).normalized();
  const auto from_plane = [&](const Vec3& p) { return std::abs(normal.dot(p - p0)); };
  const auto i3 = find_farthest(points, from_plane);
  if (!(from_plane(points[i3]) > kFlat * extent)) return std::nullopt;
  const int side = internal::compute_side(p0, points[i1], points[i2], points[i3]);
  if (side == 0) return std::nullopt;
  if (side > 0) return std::array{i0, i2, i1, i3};
  return std::array{i0, i1, i2, i3};
}

/// Grows a tetrahedron by the farthest waiting point until nobody waits.
class Quickhull {
 public:
  Quickhull(std::span<const Vec3> points, const std::array<std::uint32_t, 4>& corners)
      : points_(points), face_from_(points.size(), kNone) {
    const auto [a, b, c, d] = corners;
    faces_ = {{{a, b, c}, {3, 1, 2}, {}},
              {{c, b, d}, {0, 3, 2}, {}},
              {{a, c, d}, {0, 1, 3}, {}},
              {{b, a, d}, {0, 2, 1}, {}}};
    std::vector<std::uint32_t> all(points.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    assign(all, 0);
    // New faces are appended, so one pass meets every face.
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      if (!faces_[f].is_removed && !faces_[f].outside.empty()) add_farthest(f);
    }
  }

  [[nodiscard]] const std::vector<HullFace>& faces() const { return faces_; }

 private:
  [[nodiscard]] bool sees(std::uint32_t point, std::uint32_t face) const {
    const Triangle& v = faces_[face].vertex;
    return internal::compute_side(points_[v[0]], points_[v[1]], points_[v[2]], points_[point]) > 0;
  }

  /// Gives each point to one face, among those from `first` on, that it sees; the rest lie inside.
  void assign(const std::vector<std::uint32_t>& points, std::uint32_t first) {
    for (const std::uint32_t p : points) {
      for (std::uint32_t f = first; f < faces_.size(); ++f) {
        if (!sees(p, f)) continue;
        faces_[f].outside.push_back(p);
        break;
      }
    }
  }

  void add_farthest(std::uint32_t face) {
    const Triangle& v = faces_[face].vertex;
    const Vec3 normal = (points_[v[1]] - points_[v[0]]).cross(points_[v[2]] - points_[v[0]]);
    const auto height = [&](std::uint32_t p) { return normal.dot(points_[p] - points_[v[0]]); };
    const std::uint32_t apex =
        *std::max_element(faces_[face].outside.begin(), faces_[face].outside.end(),
                          [&](std::uint32_t p, std::uint32_t q) { return height(p) < height(q); });
    remove_seen(apex, face);
    const auto first = static_cast<std::uint32_t>(faces_.size());
    for (const HorizonEdge& edge : horizon_) add_face(edge, apex);
    for (std::uint32_t f = first; f < faces_.size(); ++f) {
      const std::uint32_t next = face_from_[faces_[f].vertex[1]];
      faces_[f].beyond[1] = next;
      faces_[next].beyond[2] = f;
    }
    assign(waiting_, first);
  }

  /// Removes what the apex sees, which is connected; keeps its rim and who waited there.
  void remove_seen(std::uint32_t apex, std::uint32_t face) {
    horizon_.clear();
    waiting_.clear();
    stack_ = {face};
    faces_[face].is_removed = true;
    while (!stack_.empty()) {
      const std::uint32_t f = stack_.back();
      stack_.pop_back();
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t g = faces_[f].beyond[i];
        if (faces_[g].is_removed) continue;
        if (sees(apex, g)) {
          faces_[g].is_removed = true;
          stack_.push_back(g);
        } else {
          horizon_.push_back({faces_[f].vertex[i], faces_[f].vertex[(i + 1) % 3], g});
        }
      }
      for (const std::uint32_t p : faces_[f].outside) {
        if (p != apex) waiting_.push_back(p);
      }
      faces_[f].outside = {};
    }
  }

  void add_face(const HorizonEdge& edge, std::uint32_t apex) {
    const auto f = static_cast<std::uint32_t>(faces_.size());
    face_from_[edge.from] = f;
    faces_.push_back({{edge.from, edge.to, apex}, {edge.beyond, kNone, kNone}, {}});
    HullFace& other = faces_[edge.beyond];
    for (std::size_t i = 0; i < 3; ++i) {
      if (other.vertex[i] == edge.to && other.vertex[(i + 1) % 3] == edge.from) other.beyond[i] = f;
    }
  }

  std::span<const Vec3> points_;
  std::vector<HullFace> faces_;
  std::vector<HorizonEdge> horizon_;
  std::vector<std::uint32_t> waiting_, stack_;
  std::vector<std::uint32_t> face_from_;  ///< the newest face whose first edge starts at a point
};

void add_neighbours(ConvexHull& hull) {
  // On a closed surface every edge runs once in each direction: the starts give each neighbour
  // once.
  const std::size_t n = hull.vertices.size();
  hull.neighbour_begin.assign(n + 1, 0);
  for (const Triangle& t : hull.faces) {
    for (const std::uint32_t v : t) ++hull.neighbour_begin[v + 1];
  }
  for (std::size_t i = 0; i < n; ++i) hull.neighbour_begin[i + 1] += hull.neighbour_begin[i];
  hull.neighbours.resize(hull.neighbour_begin[n]);
  std::vector<std::uint32_t> next(hull.neighbour_begin.begin(), hull.neighbour_begin.end() - 1);
  for (const Triangle& t : hull.faces) {
    for (std::size_t i = 0; i < 3; ++i) hull.neighbours[next[t[i]]++] = t[(i + 1) % 3];
  }
}

void add_planes(ConvexHull& hull) {
  for (const Triangle& t : hull.faces) {
    const Vec3& p = hull.vertices[t[0]];
    const Vec3 cross = (hull.vertices[t[1]] - p).cross(hull.vertices[t[2]] - p);
    const double norm = cross.norm();
    const Vec3 normal = norm > 0 ? Vec3(cross / norm) : Vec3((p - hull.centre).normalized());
    hull.normals.push_back(normal);
    // A sliver's normal is inexact; with the support as its offset the plane never cuts the hull.
    const std::uint32_t top = find_farthest_vertex(hull, normal, t[0]);
    hull.offsets.push_back(normal.dot(hull.vertices[top]));
  }
}

/// Patches of directions, as in ConvexHull::starts: side of the cube, then place on it.
constexpr std::size_t kPatches = 3;

std::size_t find_patch(const Vec3& d) {
  int axis = 0;
  const double largest = d.cwiseAbs().maxCoeff(&axis);
  if (!(largest > 0)) return 0;
  const auto cell = [&](double x) -> std::size_t {
    return x > largest / kPatches ? 2 : x > -largest / kPatches ? 1 : 0;
  };
  const std::size_t side = 2 * static_cast<std::size_t>(axis) + (d[axis] < 0);
  return (side * kPatches + cell(d[(axis + 1) % 3])) * kPatches + cell(d[(axis + 2) % 3]);
}

void add_starts(ConvexHull& hull) {
  std::uint32_t vertex = 0;
  for (std::size_t patch = 0; patch < hull.starts.size(); ++patch) {
    const auto axis = static_cast<int>(patch / (2 * kPatches * kPatches));
    const auto middle = [](std::size_t cell) {
      return (2.0 * static_cast<double>(cell) + 1) / kPatches - 1;
    };
    Vec3 d;
    d[axis] = patch / (kPatches * kPatches) % 2 == 0 ? 1 : -1;
    d[(axis + 1) % 3] = middle(patch / kPatches % kPatches);
    d[(axis + 2) % 3] = middle(patch % kPatches);
    vertex = hull.starts[patch] = find_farthest_vertex(hull, d, vertex);
  }
}

ConvexHull make_hull(std::span<const Vec3> points, const std::vector<HullFace>& faces) {
  ConvexHull hull;
  std::vector<std::uint32_t> number(points.size(), kNone);
  for (const HullFace& face : faces) {
    if (face.is_removed) continue;
    Triangle triangle{};
    for (std::size_t i = 0; i < 3; ++i) {
      std::uint32_t& n = number[face.vertex[i]];
      if (n == kNone) {
        n = static_cast<std::uint32_t>(hull.vertices.size());
        hull.vertices.push_back(points[face.vertex[i]]);
        hull.centre += points[face.vertex[i]];
      }
      triangle[i] = n;
    }
    hull.faces.push_back(triangle);
  }
  hull.centre /= static_cast<double>(hull.vertices.size());
  for (const Vec3& v : hull.vertices) hull.radius = std::max(hull.radius, (v - hull.centre).norm());
  add_neighbours(hull);
  add_starts(hull);
  add_planes(hull);
  return hull;
}

}  // namespace

std::optional<ConvexHull> make_convex_hull(std::span<const Vec3> points) {
  if (points.size() < 4 || points.size() >= kNone) return std::nullopt;
  for (const Vec3& p : points) {
    if (!(p.cwiseAbs().maxCoeff() < kLargestCoordinate) || p.hasNaN()) return std::nullopt;
  }
  const auto corners = find_first_corners(points);
  if (!corners) return std::nullopt;
  return make_hull(points, Quickhull(points, *corners).faces());
}

std::uint32_t find_farthest_vertex(const ConvexHull& hull, const Vec3& direction,
                                   std::uint32_t start) {
  std::uint32_t best = start == kNoVertex ? hull.starts[find_patch(direction)] : start;
  double farthest = direction.dot(hull.vertices[best]);
  for (bool moved = true; moved;) {
    moved = false;
    const std::uint32_t end = hull.neighbour_begin[best + 1];
    for (std::uint32_t i = hull.neighbour_begin[best]; i < end; ++i) {
      const double value = direction.dot(hull.vertices[hull.neighbours[i]]);
      if (value > farthest) farthest = value, best = hull.neighbours[i], moved = true;
    }
  }
  return best;
}

}  // namespace geste

#include "geste/geometry/mesh_depth.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "geste/geometry/internal/box_tree.hpp"
#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/internal/inside_parts.hpp"
#include "geste/geometry/mesh_point.hpp"

namespace geste {
namespace {

using namespace internal;

/// The deepest point of one surface in a solid, all in the solid's frame. Pieces are convex
/// polygons in the planes of triangles.
class DepthSearch {
 public:
  /// `find_part`: what InsideParts says of a triangle of the surface, with points at X_TP.
  using FindPart = std::function<InsideParts::Part(std::uint32_t)>;
  DepthSearch(const MeshTree& surface, const MeshTree& solid, const Pose& X_TS, FindPart find_part,
              const Pose& X_TP, QueryScratch& scratch, const DepthOptions& options)
      : surface_(surface),
        solid_(solid),
        X_TS_(X_TS),
        find_part_(std::move(find_part)),
        X_TP_(X_TP),
        scratch_(scratch),
        options_(options) {}

  struct Answer {
    double depth = 0;
    double upper = 0;  ///< nowhere deeper than this
    Vec3 deepest = Vec3::Zero();
    Vec3 nearest = Vec3::Zero();  ///< on the solid's surface
  };

  Answer run() {
    open_node(0);
    while (!items_.empty()) {
      std::pop_heap(items_.begin(), items_.end(), is_less_promising);
      const Item item = items_.back();
      items_.pop_back();
      if (item.upper <= enough()) break;
      answer_.upper = item.upper;
      if (points_ > options_.max_points) return answer_;
      if (item.is_piece) {
        split(item);
      } else if (item.child & kLeafBit) {
        open_leaf(surface_.boxes().leaves[item.child & ~kLeafBit]);
      } else {
        open_node(item.child);
      }
    }
    answer_.upper = enough();
    return answer_;
  }

 private:
  struct Item {
    double upper = 0;
    ChildRef child = kNoChild;
    bool is_piece = false;
    std::size_t first = 0;  ///< of its corners
    std::size_t count = 0;
    std::uint32_t near = 0;  ///< triangle of the solid that the bound is from
  };
  static bool is_less_promising(const Item& x, const Item& y) { return x.upper < y.upper; }

  struct Sounding {
    double depth;  ///< negative outside
    NearestPoint nearest;
  };

  [[nodiscard]] double enough() const {
    return answer_.depth + std::max(options_.absolute, options_.relative * answer_.depth);
  }

  Sounding sound(const Vec3& p) {
    ++points_;
    const NearestPoint near = find_nearest(solid_, p, scratch_, hint_);
    hint_ = near.triangle;
    return {is_inside(solid_, p, scratch_) ? near.distance : -near.distance, near};
  }

  void push(Item item) {
    if (item.upper <= enough()) return;
    items_.push_back(std::move(item));
    std::push_heap(items_.begin(), items_.end(), is_less_promising);
  }

  void open_node(std::uint32_t index) {
    const BoxNode& n = surface_.boxes().nodes[index];
    for (int lane = 0; lane < kLanes; ++lane) {
      if (n.child[lane] == kNoChild) continue;
      const Vec3 centre = X_TS_ * Vec3(n.centre[0][lane], n.centre[1][lane], n.centre[2][lane]);
      const double radius = Vec3(n.half[0][lane], n.half[1][lane], n.half[2][lane]).norm();
      if (is_beyond(centre, radius)) continue;
      push({sound(centre).depth + radius, n.child[lane], false, 0, 0, 0});
    }
  }

  /// Farther from the solid's box than the radius: no part of the ball is inside.
  [[nodiscard]] bool is_beyond(const Vec3& centre, double radius) const {
    const AxisBox& box = solid_.box();
    return (centre.array() < box.min.array() - radius).any() ||
           (centre.array() > box.max.array() + radius).any();
  }

  void open_leaf(const TriangleLeaf& leaf) {
    for (std::uint32_t k = 0; k < leaf.count; ++k) {
      Triangle3 t = get_corners(surface_.mesh(), leaf.triangle[k]);
      for (Vec3& p : t.p) p = X_TS_ * p;
      open_triangle(t, find_part_(leaf.triangle[k]));
    }
  }

  void open_triangle(const Triangle3& t, const InsideParts::Part& part) {
    using Kind = InsideParts::Kind;
    polygon_.clear();
    for (const Vec3& p : t.p) {
      const Sounding s = sound(p);
      // The deepest point is mostly a corner.
      take(p, s);
      if (part.kind == Kind::apart && s.depth < 0) return;  // and so is all of it
      if (part.kind != Kind::crossed || s.depth >= 0) polygon_.push_back(p);
    }
    for (const Vec3& p : part.points) polygon_.push_back(X_TP_ * p);
    if (part.kind == Kind::crossed) compute_planar_hull(t, polygon_);
    look(polygon_);
  }

  void take(const Vec3& p, const Sounding& s) {
    if (s.depth <= answer_.depth) return;
    answer_.depth = s.depth;
    answer_.deepest = p;
    answer_.nearest = s.nearest.point;
  }

  void look(std::span<const Vec3> polygon) {
    if (polygon.empty()) return;
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : polygon) middle += p / static_cast<double>(polygon.size());
    double radius = 0;
    for (const Vec3& p : polygon) radius = std::max(radius, (p - middle).norm());
    if (is_beyond(middle, radius)) return;
    const Sounding s = sound(middle);
    take(middle, s);
    double upper = s.depth + radius;
    if (upper <= enough()) return;
    // Distance to one triangle is convex: over a polygon it is largest at a corner.
    const Triangle3 near = get_corners(solid_.mesh(), s.nearest.triangle);
    double farthest = 0;
    for (const Vec3& p : polygon) {
      const Vec3 foot = compute_closest_on_triangle(p, near.p[0], near.p[1], near.p[2]);
      farthest = std::max(farthest, (foot - p).norm());
    }
    upper = std::min(upper, farthest);
    if (upper <= enough()) return;
    push({upper, kNoChild, true, corners_.size(), polygon.size(), s.nearest.triangle});
    corners_.insert(corners_.end(), polygon.begin(), polygon.end());
  }

  /// A line across a polygon: where it is, and what is across it.
  struct Cut {
    Vec3 at;
    Vec3 normal;
  };

  /// Along an edge of the triangle that the bound is from, where the polygon reaches over it: what
  /// lies over the triangle is settled then. Else across the middle of the longest diagonal.
  [[nodiscard]] Cut find_cut(std::span<const Vec3> p, const Triangle3& near) const {
    Cut diagonal{p[0], Vec3::Zero()};
    for (std::size_t i = 0; i < p.size(); ++i) {
      for (std::size_t j = i + 1; j < p.size(); ++j) {
        if ((p[j] - p[i]).squaredNorm() > diagonal.normal.squaredNorm())
          diagonal = {(p[i] + p[j]) / 2, p[j] - p[i]};
      }
    }
    const double least = 1e-3 * diagonal.normal.norm();  // no slivers
    double farthest = least;
    Cut cut = diagonal;
    const Vec3 n = (near.p[1] - near.p[0]).cross(near.p[2] - near.p[0]);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 outward = (near.p[(k + 1) % 3] - near.p[k]).cross(n).normalized();
      double out = 0, in = 0;
      for (const Vec3& q : p) {
        const double h = outward.dot(q - near.p[k]);
        out = std::max(out, h);
        in = std::max(in, -h);
      }
      if (!(in > least && out > farthest)) continue;
      farthest = out;
      cut = {near.p[k], outward};
    }
    return cut;
  }

  void split(const Item& item) {
    const auto begin = corners_.begin() + static_cast<std::ptrdiff_t>(item.first);
    const std::vector<Vec3> p(begin, begin + static_cast<std::ptrdiff_t>(item.count));
    const Cut cut = find_cut(p, get_corners(solid_.mesh(), item.near));
    for (const double side : {1.0, -1.0}) {
      polygon_.clear();
      for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3& q = p[(i + 1) % p.size()];
        const double h0 = side * cut.normal.dot(p[i] - cut.at),
                     h1 = side * cut.normal.dot(q - cut.at);
        if (h0 >= 0) polygon_.push_back(p[i]);
        if ((h0 < 0 && h1 > 0) || (h0 > 0 && h1 < 0))
          polygon_.push_back(p[i] + h0 / (h0 - h1) * (q - p[i]));
      }
      look(polygon_);
    }
  }

  const MeshTree& surface_;
  const MeshTree& solid_;
  Pose X_TS_;
  FindPart find_part_;
  Pose X_TP_;
  QueryScratch& scratch_;
  DepthOptions options_;
  std::vector<Item> items_;
  std::vector<Vec3> corners_;  ///< of the polygons that wait
  std::vector<Vec3> polygon_;
  Answer answer_;
  std::uint32_t hint_ = TrianglePair::kNone;
  int points_ = 0;
};

/// Where surfaces do not meet, each piece of one is wholly inside the other or outside.
bool contains_piece(const MeshTree& solid, const MeshTree& other, const Pose& X_TS,
                    QueryScratch& scratch) {
  if (!solid.is_closed()) return false;
  for (std::uint32_t v : other.pieces()) {
    if (is_inside(solid, X_TS * other.mesh().vertices[v], scratch)) return true;
  }
  return false;
}

/// What touches is of interest whatever the limit; its square is still a number.
constexpr double kLeastLimit = 1e-150;

Separation make_apart(const MeshDistance& d) {
  Separation s;
  s.distance = d.distance;
  s.on_a = d.on_a;
  s.on_b = d.on_b;
  if (d.distance > 0 && std::isfinite(d.distance)) s.normal = (d.on_b - d.on_a) / d.distance;
  return s;
}

/// Normals of the two triangles that touch say where to go when there is no depth to tell.
Vec3 find_contact_normal(const MeshTree& a, const MeshTree& b, const Pose& X_AB,
                         const TrianglePair& pair) {
  const auto normal = [](const Triangle3& t) {
    return Vec3((t.p[1] - t.p[0]).cross(t.p[2] - t.p[0]));
  };
  const Vec3 na = normal(get_corners(a.mesh(), pair.a));
  const Vec3 nb = X_AB.R * normal(get_corners(b.mesh(), pair.b));
  const Vec3 n = na.norm() > 0 ? na : Vec3(-nb);
  return n.norm() > 0 ? Vec3(n.normalized()) : Vec3(Vec3::UnitZ());
}

Separation make_deep(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch,
                     const DepthOptions& options, Separation s) {
  s.distance = 0;
  double upper = 0;
  const auto take = [&](const DepthSearch::Answer& found, bool of_a, const Pose& X_AT) {
    upper = std::max(upper, found.upper);
    if (found.depth <= -s.distance) return;
    s.distance = -found.depth;
    const Vec3 deepest = X_AT * found.deepest, nearest = X_AT * found.nearest;
    s.on_a = of_a ? deepest : nearest;
    s.on_b = of_a ? nearest : deepest;
    s.normal = (s.on_a - s.on_b).normalized();
  };
  const InsideParts parts(a, b, X_AB, scratch);
  const Pose X_BA = X_AB.inverse();
  if (b.is_closed()) {
    const auto find = [&](std::uint32_t t) { return parts.find_a(t); };
    take(DepthSearch(a, b, X_BA, find, X_BA, scratch, options).run(), true, X_AB);
  }
  if (a.is_closed()) {
    const auto find = [&](std::uint32_t t) { return parts.find_b(t); };
    take(DepthSearch(b, a, X_AB, find, Pose(), scratch, options).run(), false, Pose());
  }
  s.error = std::max(0.0, upper + s.distance);
  return s;
}

}  // namespace

bool overlap(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch,
             TrianglePair* hint) {
  return touches(a, b, X_AB, scratch, hint) || contains_piece(a, b, X_AB, scratch) ||
         contains_piece(b, a, X_AB.inverse(), scratch);
}

Separation compute_separation(const MeshTree& a, const MeshTree& b, const Pose& X_AB,
                              QueryScratch& scratch, TrianglePair* hint,
                              const DepthOptions& options) {
  const MeshDistance d =
      compute_distance(a, b, X_AB, scratch, hint, std::max(options.limit, kLeastLimit));
  Separation s = make_apart(d);
  if (d.distance > 0) {
    if (contains_piece(a, b, X_AB, scratch) || contains_piece(b, a, X_AB.inverse(), scratch))
      return make_deep(a, b, X_AB, scratch, options, s);
    return s;
  }
  s.normal = find_contact_normal(a, b, X_AB, d.triangles);
  return make_deep(a, b, X_AB, scratch, options, s);
}

}  // namespace geste

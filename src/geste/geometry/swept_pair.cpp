#include "geste/geometry/swept_pair.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "geste/geometry/internal/hull_gap.hpp"
#include "geste/geometry/internal/support.hpp"
#include "geste/geometry/internal/tree_pair.hpp"
#include "geste/geometry/internal/triangle_walk.hpp"

namespace geste {
namespace {

using namespace internal;

/// m; covers the rounding of poses, heights and distances, for shapes up to some tens of metres.
constexpr double kRounding = 1e-8;
/// Pairs of pieces, of those that would be far apart in half the motion, that are looked at before
/// it is rather cut in two.
constexpr int kMostPieces = 64;

/// A point's height along a direction that moves with it: n . p + offset, in its body's frame.
struct HeightBound {
  Vec3 n;
  double offset = 0;
};

/// B moves along chords: heights are highest or lowest where it begins or ends.
class ChordMotion {
 public:
  static constexpr double kLongest = 1;  ///< of HeightBound::n
  static constexpr bool kSeeksTouch = true;
  struct Direction {
    std::array<HeightBound, 1> a;
    std::array<HeightBound, 2> b;
  };

  explicit ChordMotion(const PairSweep& sweep) : sweep_(sweep) {}
  [[nodiscard]] const Pose& X_AB() const { return sweep_.X_AB_middle; }
  [[nodiscard]] double reach() const { return sweep_.reach; }
  [[nodiscard]] double sag() const { return sweep_.sag; }
  [[nodiscard]] Direction make_direction(const Vec3& n) const {
    const Pose &begin = sweep_.X_AB_begin, &end = sweep_.X_AB_end;
    return {{{{n, 0}}},
            {{{begin.R.transpose() * n, n.dot(begin.p)}, {end.R.transpose() * n, n.dot(end.p)}}}};
  }

 private:
  const PairSweep& sweep_;
};

/// Either of the two turns or slides within a range. Turning a body by t is the same to heights as
/// turning the direction by -t: it goes on an arc, and what is linear on each body's points is at
/// most what it is at a corner of a polygon around the arc.
class RangeMotion {
 public:
  static constexpr double kLongest = 1.1;  ///< of a corner, for turns of kWidestTurn
  static constexpr bool kSeeksTouch = false;
  struct Bounds {
    std::array<HeightBound, 4> of;
    std::size_t count = 0;
    [[nodiscard]] const HeightBound* begin() const { return of.data(); }
    [[nodiscard]] const HeightBound* end() const { return of.data() + count; }
  };
  struct Direction {
    Bounds a, b;
  };

  explicit RangeMotion(const PairRange& range) : range_(range) {}
  [[nodiscard]] const Pose& X_AB() const { return range_.X_AB; }
  [[nodiscard]] double reach() const { return range_.reach; }
  [[nodiscard]] static double sag() { return 0; }
  [[nodiscard]] Direction make_direction(const Vec3& n) const {
    Direction d{bound(range_.a, n, 1), bound(range_.b, n, -1)};
    for (std::size_t k = 0; k < d.b.count; ++k) {
      HeightBound& h = d.b.of[k];
      h = {range_.X_AB.R.transpose() * h.n, h.offset + h.n.dot(range_.X_AB.p)};
    }
    return d;
  }

 private:
  /// In A's frame. `sign`: 1 for the highest, -1 for the lowest height.
  static Bounds bound(const JointRange& joint, const Vec3& n, double sign) {
    Bounds out;
    const double along = n.dot(joint.axis);
    const auto add = [&](const Vec3& d, double offset) { out.of[out.count++] = {d, offset}; };
    if (joint.turn == 0) {
      add(n, sign * joint.slide * std::abs(along));
      return out;
    }
    const Vec3 parallel = along * joint.axis, across = n - parallel, side = joint.axis.cross(n);
    const double c = std::cos(joint.turn), s = std::sin(joint.turn), t = std::tan(joint.turn / 2);
    for (const auto& [x, y] : {std::pair(c, s), {c, -s}, {1.0, t}, {1.0, -t}}) {
      const Vec3 d = parallel + x * across + y * side;
      add(d, (n - d).dot(joint.origin) + sign * joint.slide * std::abs(along));
    }
    return out;
  }

  const PairRange& range_;
};

/// Judges pairs of convex pieces one by one.
template <class Motion>
class Judge {
 public:
  Judge(const Motion& motion, double clearance, double touch)
      : motion_(motion),
        touching_(clearance + touch),
        near_(clearance + motion.reach() + kRounding),
        near_in_half_(clearance + motion.reach() / 2 + kRounding),
        needed_(clearance + motion.sag() + kRounding) {}

  [[nodiscard]] const Motion& motion() const { return motion_; }
  /// Pieces farther apart than this in the middle never come too near.
  [[nodiscard]] double near() const { return near_; }
  [[nodiscard]] SweepAnswer answer() const { return answer_; }

  /// What is_separated tries next time.
  void set_direction(const Vec3& n) {
    last_ = (last_ + 1) % kDirections;
    count_ = std::min(count_ + 1, kDirections);
    directions_[last_] = motion_.make_direction(n);
  }

  /// Whether a direction that served before separates these two as well. `top` and `low` give
  /// heights: of the first in its frame, of the second in its own, with what is round about them.
  template <class Top, class Low>
  bool is_separated(Top top, Low low) const {
    for (int k = 0; k < count_; ++k) {
      if (is_separated(directions_[(last_ + kDirections - k) % kDirections], top, low)) return true;
    }
    return false;
  }

  /// Two pieces, `distance` apart in the middle along the unit vector n. True when the question is
  /// settled.
  template <class Top, class Low>
  bool take(double distance, const Vec3& n, Top top, Low low) {
    if (distance >= near_) return false;
    if (distance <= touching_) return settle(SweepAnswer::touching);
    if (distance >= near_in_half_ && ++pieces_ > kMostPieces) return settle(SweepAnswer::open);
    const int before = last_;
    set_direction(n);
    if (is_separated(directions_[last_], top, low)) return false;
    if constexpr (!Motion::kSeeksTouch) return settle(SweepAnswer::open);
    last_ = before;
    count_ = std::max(0, count_ - 1);
    // What touches elsewhere in the middle is worth knowing: it ends the search for good.
    answer_ = SweepAnswer::open;
    near_ = std::min(near_, touching_);
    return false;
  }

 private:
  using Direction = typename Motion::Direction;
  static constexpr int kDirections = 3;

  template <class Top, class Low>
  bool is_separated(const Direction& d, Top top, Low low) const {
    double above = -kInfinity;
    for (const HeightBound& h : d.a) above = std::max(above, top(h.n) + h.offset);
    above += needed_;
    return std::all_of(d.b.begin(), d.b.end(),
                       [&](const HeightBound& h) { return low(h.n) + h.offset > above; });
  }

  bool settle(SweepAnswer answer) {
    answer_ = answer;
    return true;
  }

  const Motion& motion_;
  double touching_;
  double near_;
  double near_in_half_;
  double needed_;
  int pieces_ = 0;
  SweepAnswer answer_ = SweepAnswer::apart;
  int count_ = 0;
  int last_ = 0;
  std::array<Direction, kDirections> directions_;
};

double find_top(const TriangleMesh& mesh, std::uint32_t t, const Vec3& n) {
  const Triangle& v = mesh.triangles[t];
  return std::max(
      {n.dot(mesh.vertices[v[0]]), n.dot(mesh.vertices[v[1]]), n.dot(mesh.vertices[v[2]])});
}
double find_low(const TriangleMesh& mesh, std::uint32_t t, const Vec3& n) {
  const Triangle& v = mesh.triangles[t];
  return std::min(
      {n.dot(mesh.vertices[v[0]]), n.dot(mesh.vertices[v[1]]), n.dot(mesh.vertices[v[2]])});
}

/// Every pair of triangles that is near in the middle.
template <class Motion>
class SweepVisitor {
 public:
  static constexpr bool kNearestFirst = true;

  SweepVisitor(const MeshTree& a, const MeshTree& b, Judge<Motion>& judge)
      : a_(a.mesh()),
        b_(b.mesh()),
        pad_a_(2e-6 * Motion::kLongest * a.boxes().scale),
        pad_b_(2e-6 * Motion::kLongest * b.boxes().scale),
        judge_(judge) {}

  [[nodiscard]] bool is_over(float key) const { return key >= limit(); }
  unsigned test(const FixedBox& box, const BoxNode& node, Float8& key) const {
    return find_nearer(box, node, limit(), key);
  }

  [[nodiscard]] bool is_settled(const BoxNode& a, int lane_a, const BoxNode& b, int lane_b) const {
    return judge_.is_separated([&](const Vec3& n) { return find_height(a, lane_a, n) + pad_a_; },
                               [&](const Vec3& n) { return -find_height(b, lane_b, -n) - pad_b_; });
  }

  bool visit(TreePair& trees, const TriangleLeaf& a, const TriangleLeaf& b) {
    if (is_separated(a, b)) return false;
    const LeafPair leaves = trees.pair(a, b, limit());
    if (!leaves.is_open()) return false;
    const Float8 margin = kSquaredMargin * leaves.triangles.reach * leaves.triangles.reach;
    for (std::uint32_t i = 0; i < a.count; ++i) {
      unsigned near = leaves.find_within(i, limit());
      if (near == 0) continue;
      const Triangle1 t(a, i);
      near = leaves.find_within(t, limit(), near);
      if (near == 0) continue;
      near &=
          bits(compute_squared_distances(t, leaves.triangles).least - margin < limit() * limit());
      for (; near != 0; near &= near - 1) {
        if (judge(trees, a.triangle[i], b.triangle[std::countr_zero(near)])) return true;
      }
    }
    return false;
  }

 private:
  [[nodiscard]] float limit() const { return round_up(judge_.near()); }

  /// Of a box's highest corner.
  static double find_height(const BoxNode& node, int lane, const Vec3& n) {
    double height = 0;
    for (int i = 0; i < 3; ++i) height += n[i] * node.centre[i][lane];
    for (int j = 0; j < 3; ++j) {
      const double along =
          n[0] * node.axes[j][lane] + n[1] * node.axes[3 + j][lane] + n[2] * node.axes[6 + j][lane];
      height += std::abs(along) * node.half[j][lane];
    }
    return height;
  }

  /// All triangles of two leaves.
  [[nodiscard]] bool is_separated(const TriangleLeaf& a, const TriangleLeaf& b) const {
    return judge_.is_separated(
        [&](const Vec3& n) {
          double top = find_top(a_, a.triangle[0], n);
          for (std::uint32_t i = 1; i < a.count; ++i)
            top = std::max(top, find_top(a_, a.triangle[i], n));
          return top;
        },
        [&](const Vec3& n) {
          double low = find_low(b_, b.triangle[0], n);
          for (std::uint32_t i = 1; i < b.count; ++i)
            low = std::min(low, find_low(b_, b.triangle[i], n));
          return low;
        });
  }

  bool judge(const TreePair& trees, std::uint32_t a, std::uint32_t b) {
    const auto top = [&](const Vec3& n) { return find_top(a_, a, n); };
    const auto low = [&](const Vec3& n) { return find_low(b_, b, n); };
    if (judge_.is_separated(top, low)) return false;
    const TriangleDistance d = trees.compute_distance(a, b);
    const double distance = std::sqrt(d.squared);
    return judge_.take(distance, (d.on_b - d.on_a) / distance, top, low);
  }

  const TriangleMesh& a_;
  const TriangleMesh& b_;
  double pad_a_;  ///< boxes are floats
  double pad_b_;
  Judge<Motion>& judge_;
};

template <class Motion>
SweepAnswer sweep_meshes(const MeshTree& a, const MeshTree& b, Judge<Motion>& judge,
                         QueryScratch& scratch) {
  SweepVisitor<Motion> visitor(a, b, judge);
  TreePair(a, b, judge.motion().X_AB(), scratch).walk(visitor);
  return judge.answer();
}

double find_top(const ConvexShape& s, const Vec3& n) {
  std::uint32_t hint = kNoVertex;
  return n.dot(compute_support(s, n, hint)) + (s.radius > 0 ? s.radius * n.norm() : 0);
}
double find_low(const ConvexShape& s, const Vec3& n) { return -find_top(s, -n); }

template <class Motion>
bool is_separated(const Judge<Motion>& judge, const ConvexShape& a, const ConvexShape& b) {
  return judge.is_separated([&](const Vec3& n) { return find_top(a, n); },
                            [&](const Vec3& n) { return find_low(b, n); });
}

template <class Motion>
bool judge_convex(Judge<Motion>& judge, const ConvexShape& a, const ConvexShape& b,
                  ConvexWarmStart* warm_start) {
  if (is_separated(judge, a, b)) return false;
  const Separation s = compute_convex_separation(a, b, judge.motion().X_AB(), warm_start);
  return judge.take(
      s.distance, s.normal, [&](const Vec3& n) { return find_top(a, n); },
      [&](const Vec3& n) { return find_low(b, n); });
}

ConvexShape get_triangle(const TriangleMesh& mesh, std::uint32_t t) {
  const Triangle3 corners = get_corners(mesh, t);
  return {corners.p[0], corners.p[1], corners.p[2]};
}

/// The mesh's triangles against the primitive, which may be on either side.
template <class Motion>
SweepAnswer sweep_mesh_convex(const MeshTree& mesh, const Collider& primitive, bool mesh_first,
                              Judge<Motion>& judge, QueryScratch& scratch) {
  const ConvexShape convex = view_convex(*primitive.primitive());
  const Pose& X_AB = judge.motion().X_AB();
  const Pose X_MC = mesh_first ? X_AB : X_AB.inverse();
  TriangleWalk(mesh, primitive.box(), X_MC, scratch)
      .find_nearer(judge.near(), [&](std::uint32_t t) {
        const ConvexShape triangle = get_triangle(mesh.mesh(), t);
        const bool settled = mesh_first ? judge_convex(judge, triangle, convex, nullptr)
                                        : judge_convex(judge, convex, triangle, nullptr);
        return settled ? -1.0 : judge.near();
      });
  return judge.answer();
}

/// By the distance in the middle alone.
template <class Motion>
SweepAnswer sweep_by_distance(const Collider& a, const Collider& b, const Motion& motion,
                              double clearance, double touch, QueryScratch& scratch,
                              PairHint* hint) {
  const double limit = clearance + std::max(motion.reach(), touch) + 2 * kRounding;
  const double distance = compute_gap(a, b, motion.X_AB(), scratch, hint, limit);
  if (distance > clearance + motion.reach() + kRounding) return SweepAnswer::apart;
  return distance <= clearance + touch ? SweepAnswer::touching : SweepAnswer::open;
}

/// Whether already what holds them stays apart: one direction for all triangles. Those given are
/// tried first.
template <class Motion>
bool keep_hulls_apart(const Collider& a, const Collider& b, const Motion& motion, double clearance,
                      std::span<const Vec3> directions = {}) {
  const auto hull_a = view_hull(a), hull_b = view_hull(b);
  if (!hull_a || !hull_b) return false;
  Judge<Motion> judge(motion, clearance, 0);
  for (const Vec3& n : directions) {
    judge.set_direction(n);
    if (is_separated(judge, *hull_a, *hull_b)) return true;
  }
  const auto gap = find_hull_gap(*hull_a, *hull_b, motion.X_AB(), judge.near());
  if (!gap) return false;
  if (gap->distance >= judge.near()) return true;
  judge.set_direction(gap->n);
  return is_separated(judge, *hull_a, *hull_b);
}

/// Any two but tori, of which no hull told enough.
template <class Motion>
SweepAnswer sweep_surfaces(const Collider& a, const Collider& b, Judge<Motion>& judge,
                           QueryScratch& scratch, PairHint* hint) {
  if (!a.mesh() && !b.mesh()) {
    judge_convex(judge, view_convex(*a.primitive()), view_convex(*b.primitive()),
                 hint ? &hint->convex : nullptr);
    return judge.answer();
  }
  const MeshTree *surface_a = get_flat_surface(a), *surface_b = get_flat_surface(b);
  if (surface_a && surface_b) return sweep_meshes(*surface_a, *surface_b, judge, scratch);
  return a.mesh() ? sweep_mesh_convex(*a.mesh(), b, true, judge, scratch)
                  : sweep_mesh_convex(*b.mesh(), a, false, judge, scratch);
}

}  // namespace

SweepAnswer sweep_apart(const Collider& a, const Collider& b, const PairSweep& sweep,
                        double clearance, double touch, QueryScratch& scratch, PairHint* hint) {
  const ChordMotion motion(sweep);
  if (get_torus(a) || get_torus(b))
    return sweep_by_distance(a, b, motion, clearance, touch, scratch, hint);
  if ((a.mesh() || b.mesh()) && keep_hulls_apart(a, b, motion, clearance))
    return SweepAnswer::apart;
  Judge<ChordMotion> judge(motion, clearance, touch);
  return sweep_surfaces(a, b, judge, scratch, hint);
}

bool range_apart(const Collider& a, const Collider& b, const PairRange& range, double clearance,
                 QueryScratch& scratch) {
  if (!(std::max(range.a.turn, range.b.turn) <= kWidestTurn)) return false;
  const RangeMotion motion(range);
  if (get_torus(a) || get_torus(b))
    return sweep_by_distance(a, b, motion, clearance, 0, scratch, nullptr) == SweepAnswer::apart &&
           !touches(a, b, range.X_AB, scratch);
  const std::array<Vec3, 4> along{range.a.axis, -range.a.axis, range.b.axis, -range.b.axis};
  if (keep_hulls_apart(a, b, motion, clearance, along)) return true;
  Judge<RangeMotion> judge(motion, clearance, 0);
  return sweep_surfaces(a, b, judge, scratch, nullptr) == SweepAnswer::apart &&
         !touches(a, b, range.X_AB, scratch);
}

}  // namespace geste

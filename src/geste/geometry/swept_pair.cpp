#include "geste/geometry/swept_pair.hpp"

#include <array>

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

/// Judges pairs of convex pieces one by one.
class Judge {
 public:
  Judge(const PairSweep& sweep, double clearance, double touch)
      : sweep_(sweep),
        touching_(clearance + touch),
        near_(clearance + sweep.reach + kRounding),
        near_in_half_(clearance + sweep.reach / 2 + kRounding),
        needed_(clearance + sweep.sag + kRounding) {}

  /// Pieces farther apart than this in the middle never come too near.
  [[nodiscard]] double near() const { return near_; }
  [[nodiscard]] SweepAnswer answer() const { return answer_; }

  /// What is_separated tries next time.
  void set_direction(const Vec3& n) {
    last_ = (last_ + 1) % kDirections;
    count_ = std::min(count_ + 1, kDirections);
    directions_[last_] = {n, sweep_.X_AB_begin.R.transpose() * n, sweep_.X_AB_end.R.transpose() * n,
                          n.dot(sweep_.X_AB_begin.p), n.dot(sweep_.X_AB_end.p)};
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
    last_ = before;
    count_ = std::max(0, count_ - 1);
    // What touches elsewhere in the middle is worth knowing: it ends the search for good.
    answer_ = SweepAnswer::open;
    near_ = std::min(near_, touching_);
    return false;
  }

 private:
  /// In A's frame, and in B's at both ends.
  struct Direction {
    Vec3 n, n_begin, n_end;
    double offset_begin = 0, offset_end = 0;
  };
  static constexpr int kDirections = 3;

  template <class Top, class Low>
  bool is_separated(const Direction& d, Top top, Low low) const {
    const double above = top(d.n) + needed_;
    return low(d.n_begin) + d.offset_begin > above && low(d.n_end) + d.offset_end > above;
  }

  bool settle(SweepAnswer answer) {
    answer_ = answer;
    return true;
  }

  const PairSweep& sweep_;
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
class SweepVisitor {
 public:
  static constexpr bool kNearestFirst = true;

  SweepVisitor(const MeshTree& a, const MeshTree& b, Judge& judge)
      : a_(a.mesh()),
        b_(b.mesh()),
        pad_a_(2e-6 * a.boxes().scale),
        pad_b_(2e-6 * b.boxes().scale),
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
  Judge& judge_;
};

SweepAnswer sweep_meshes(const MeshTree& a, const MeshTree& b, const PairSweep& sweep,
                         double clearance, double touch, QueryScratch& scratch) {
  Judge judge(sweep, clearance, touch);
  SweepVisitor visitor(a, b, judge);
  TreePair(a, b, sweep.X_AB_middle, scratch).walk(visitor);
  return judge.answer();
}

double find_top(const ConvexShape& s, const Vec3& n) {
  std::uint32_t hint = kNoVertex;
  return n.dot(compute_support(s, n, hint)) + s.radius;
}
double find_low(const ConvexShape& s, const Vec3& n) { return -find_top(s, -n); }

bool is_separated(const Judge& judge, const ConvexShape& a, const ConvexShape& b) {
  return judge.is_separated([&](const Vec3& n) { return find_top(a, n); },
                            [&](const Vec3& n) { return find_low(b, n); });
}

bool judge_convex(Judge& judge, const ConvexShape& a, const ConvexShape& b, const PairSweep& sweep,
                  ConvexWarmStart* warm_start) {
  if (is_separated(judge, a, b)) return false;
  const Separation s = compute_convex_separation(a, b, sweep.X_AB_middle, warm_start);
  return judge.take(
      s.distance, s.normal, [&](const Vec3& n) { return find_top(a, n); },
      [&](const Vec3& n) { return find_low(b, n); });
}

ConvexShape get_triangle(const TriangleMesh& mesh, std::uint32_t t) {
  const Triangle3 corners = get_corners(mesh, t);
  return {corners.p[0], corners.p[1], corners.p[2]};
}

/// The mesh's triangles against the primitive, which may be on either side.
SweepAnswer sweep_mesh_convex(const MeshTree& mesh, const ConvexShape& convex, const AxisBox& box,
                              bool mesh_first, const PairSweep& sweep, double clearance,
                              double touch, QueryScratch& scratch) {
  Judge judge(sweep, clearance, touch);
  const Pose X_MC = mesh_first ? sweep.X_AB_middle : sweep.X_AB_middle.inverse();
  TriangleWalk(mesh, box, X_MC, scratch).find_nearer(judge.near(), [&](std::uint32_t t) {
    const ConvexShape triangle = get_triangle(mesh.mesh(), t);
    const bool settled = mesh_first ? judge_convex(judge, triangle, convex, sweep, nullptr)
                                    : judge_convex(judge, convex, triangle, sweep, nullptr);
    return settled ? -1.0 : judge.near();
  });
  return judge.answer();
}

/// By the distance in the middle alone.
SweepAnswer sweep_by_distance(double distance, const PairSweep& sweep, double clearance,
                              double touch) {
  if (distance > clearance + sweep.reach + kRounding) return SweepAnswer::apart;
  return distance <= clearance + touch ? SweepAnswer::touching : SweepAnswer::open;
}

/// Whether already what holds them stays apart: one direction for all triangles.
bool keep_hulls_apart(const Collider& a, const Collider& b, const PairSweep& sweep,
                      double clearance) {
  const auto hull_a = view_hull(a), hull_b = view_hull(b);
  if (!hull_a || !hull_b) return false;
  Judge judge(sweep, clearance, 0);
  const auto gap = find_hull_gap(*hull_a, *hull_b, sweep.X_AB_middle, judge.near());
  if (!gap) return false;
  if (gap->distance >= judge.near()) return true;
  judge.set_direction(gap->n);
  return is_separated(judge, *hull_a, *hull_b);
}

}  // namespace

SweepAnswer sweep_apart(const Collider& a, const Collider& b, const PairSweep& sweep,
                        double clearance, double touch, QueryScratch& scratch, PairHint* hint) {
  if (get_torus(a) || get_torus(b)) {
    const double limit = clearance + std::max(sweep.reach, touch) + 2 * kRounding;
    return sweep_by_distance(compute_gap(a, b, sweep.X_AB_middle, scratch, hint, limit), sweep,
                             clearance, touch);
  }
  if (!a.mesh() && !b.mesh()) {
    Judge judge(sweep, clearance, touch);
    judge_convex(judge, view_convex(*a.primitive()), view_convex(*b.primitive()), sweep,
                 hint ? &hint->convex : nullptr);
    return judge.answer();
  }
  if (keep_hulls_apart(a, b, sweep, clearance)) return SweepAnswer::apart;
  const MeshTree *surface_a = get_flat_surface(a), *surface_b = get_flat_surface(b);
  if (surface_a && surface_b)
    return sweep_meshes(*surface_a, *surface_b, sweep, clearance, touch, scratch);
  if (a.mesh())
    return sweep_mesh_convex(*a.mesh(), view_convex(*b.primitive()), b.box(), true, sweep,
                             clearance, touch, scratch);
  return sweep_mesh_convex(*b.mesh(), view_convex(*a.primitive()), a.box(), false, sweep, clearance,
                           touch, scratch);
}

}  // namespace geste

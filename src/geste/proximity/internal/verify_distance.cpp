#include "geste/proximity/internal/verify_distance.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "geste/core/overloaded.hpp"
#include "geste/geometry/placed_box.hpp"
#include "geste/geometry/primitive_pair.hpp"
#include "geste/geometry/torus_pair.hpp"

namespace geste::internal {
namespace {

/// The share of the way down to what is kept that a search need not settle.
constexpr double kSlack = 0.25;

/// Every primitive but the torus.
ConvexShape view_convex(const PrimitiveShape& shape) {
  return std::visit(Overloaded{[](const Torus&) -> ConvexShape {
                                 throw std::logic_error("view_convex: a torus is not convex");
                               },
                               [](const HullShape& hull) { return ConvexShape(*hull); },
                               [](const auto& convex) { return ConvexShape(convex); }},
                    shape);
}

/// The best so far of a search by branch and bound, and what need not be looked at any more.
class GapSearch {
 public:
  explicit GapSearch(const GapUse& use) : use_(use) {
    best_.upper = use.limit;
    update_cutoff();
  }

  [[nodiscard]] bool is_settled(double bound) const { return bound >= cutoff_; }

  bool offer(double distance, const Vec3& on_a, const Vec3& on_b) {
    if (!(distance < best_.upper)) return false;
    best_ = {0, distance, on_a, on_b};
    found_ = true;
    update_cutoff();
    return true;
  }

  [[nodiscard]] Gap finish() const {
    Gap gap = best_;
    gap.lower = cutoff_;
    if (!found_) gap.upper = std::numeric_limits<double>::infinity();
    return gap;
  }

 private:
  void update_cutoff() {
    cutoff_ = best_.upper - kSlack * std::max(best_.upper - use_.keep(best_.upper), 0.0);
  }

  GapUse use_;
  double cutoff_ = 0;
  bool found_ = false;
  Gap best_;
};

/// How far a triangle lies from the plane through p, on one side of it; 0 where it lies on both.
/// What is in the plane is at least as far from it.
double measure_above(const Vec3& normal, const Vec3& p, const Corners& t) {
  const double h0 = normal.dot(t[0] - p), h1 = normal.dot(t[1] - p), h2 = normal.dot(t[2] - p);
  return std::max({std::min({h0, h1, h2}), -std::max({h0, h1, h2}), 0.0});
}

class MeshPairSearch {
 public:
  MeshPairSearch(const TriangleTree& a, const TriangleTree& b, const Pose& X_AB, const GapUse& use,
                 NearestHint& hint)
      : a_(a), b_(b), X_AB_(X_AB), turn_(X_AB.R.cwiseAbs()), hint_(hint), search_(use) {}

  Gap run() {
    if (hint_.a >= 0) look(hint_.a, hint_.b, place(hint_.b));
    visit(0, 0, bound(0, 0));
    return search_.finish();
  }

 private:
  using Node = TriangleTree::Node;

  static const Node& at(const TriangleTree& tree, int i) {
    return tree.nodes()[static_cast<std::size_t>(i)];
  }

  [[nodiscard]] double bound(int i, int j) const {
    const Node &a = at(a_, i), &b = at(b_, j);
    const Vec3 between = (X_AB_ * b.centre - a.centre).cwiseAbs();
    return (between - a.half - turn_ * b.half).cwiseMax(Vec3::Zero()).norm();
  }

  void visit(int i, int j, double nearest) {
    if (search_.is_settled(nearest)) return;
    const Node &a = at(a_, i), &b = at(b_, j);
    if (a.child == 0 && b.child == 0) return look_at_leaves(a, b);
    const bool split_a =
        b.child == 0 || (a.child != 0 && a.half.squaredNorm() > b.half.squaredNorm());
    int i0 = split_a ? a.child : i, j0 = split_a ? j : b.child;
    int i1 = split_a ? i0 + 1 : i, j1 = split_a ? j : j0 + 1;
    double first = bound(i0, j0), second = bound(i1, j1);
    if (second < first) {
      std::swap(first, second);
      std::swap(i0, i1);
      std::swap(j0, j1);
    }
    visit(i0, j0, first);
    visit(i1, j1, second);
  }

  /// Balls first, then the triangles' planes: where surfaces lie along each other, as a pin in its
  /// hole, these tell all but the nearest apart.
  void look_at_leaves(const Node& a, const Node& b) {
    for (int j = b.begin; j < b.end; ++j) {
      const Corners t = place(j);
      const Vec3 centre = X_AB_ * b_.ball(j).centre, normal = X_AB_.R * b_.normal(j);
      for (int i = a.begin; i < a.end; ++i) {
        const double apart = (centre - a_.ball(i).centre).norm();
        if (search_.is_settled(apart - a_.ball(i).radius - b_.ball(j).radius)) continue;
        const Corners& s = a_.triangle(i);
        if (search_.is_settled(measure_above(a_.normal(i), s[0], t)) ||
            search_.is_settled(measure_above(normal, t[0], s)))
          continue;
        look(i, j, t);
      }
    }
  }

  [[nodiscard]] Corners place(int j) const {
    const Corners& t = b_.triangle(j);
    return {X_AB_ * t[0], X_AB_ * t[1], X_AB_ * t[2]};
  }

  void look(int i, int j, const Corners& t) {
    const NearestPoints found = compute_triangle_distance(a_.triangle(i), t);
    if (search_.offer(found.distance, found.on_a, found.on_b)) hint_ = {i, j};
  }

  const TriangleTree& a_;
  const TriangleTree& b_;
  const Pose& X_AB_;
  const Mat3 turn_;
  NearestHint& hint_;
  GapSearch search_;
};

/// In the primitive's frame.
class MeshPrimitiveSearch {
 public:
  MeshPrimitiveSearch(const PrimitiveShape& primitive, const AxisBox& box, const TriangleTree& mesh,
                      const Pose& X_PM, const GapUse& use, NearestHint& hint)
      : torus_(std::get_if<Torus>(&primitive)),
        mesh_(mesh),
        box_(box),
        X_PM_(X_PM),
        turn_(X_PM.R.cwiseAbs()),
        hint_(hint),
        search_(use) {
    if (!torus_) convex_.emplace(view_convex(primitive));
  }

  Gap run() {
    if (hint_.b >= 0) look(hint_.b);
    visit(0, bound(0));
    return search_.finish();
  }

 private:
  [[nodiscard]] const TriangleTree::Node& at(int i) const {
    return mesh_.nodes()[static_cast<std::size_t>(i)];
  }

  [[nodiscard]] double bound(int i) const {
    const Vec3 centre = X_PM_ * at(i).centre, half = turn_ * at(i).half;
    return compute_gap(box_, {centre - half, centre + half});
  }

  void visit(int i, double nearest) {
    if (search_.is_settled(nearest)) return;
    const TriangleTree::Node& node = at(i);
    if (node.child == 0) {
      for (int k = node.begin; k < node.end; ++k) look(k);
      return;
    }
    const double first = bound(node.child), second = bound(node.child + 1);
    const int swap = second < first ? 1 : 0;
    visit(node.child + swap, swap ? second : first);
    visit(node.child + 1 - swap, swap ? first : second);
  }

  void look(int k) {
    const Corners& t = mesh_.triangle(k);
    const ConvexShape triangle(X_PM_ * t[0], X_PM_ * t[1], X_PM_ * t[2]);
    const Separation s = torus_ ? compute_torus_separation(*torus_, triangle, Pose())
                                : compute_convex_separation(*convex_, triangle, Pose());
    if (search_.offer(s.distance, s.on_a, s.on_b)) hint_ = {0, k};
  }

  const Torus* torus_;
  std::optional<ConvexShape> convex_;
  const TriangleTree& mesh_;
  const AxisBox& box_;
  const Pose& X_PM_;
  const Mat3 turn_;
  NearestHint& hint_;
  GapSearch search_;
};

/// The answer of the pair the other way round, in the frame that X leads to.
Gap swap_sides(const Pose& X, const Gap& gap) {
  return {gap.lower, gap.upper, X * gap.on_b, X * gap.on_a};
}

bool holds_piece(const VerifyShape& outer, const VerifyShape& inner, const Pose& X_OI) {
  if (!outer.is_closed) return false;
  return std::any_of(inner.piece_points.begin(), inner.piece_points.end(), [&](const Vec3& p) {
    const Vec3 at = X_OI * p;
    return compute_gap(outer.box, {at, at}) <= 0 && outer.triangles->winds_around(at);
  });
}

}  // namespace

VerifyShape::VerifyShape(const Collider& collider, std::shared_ptr<const TriangleTree> tree)
    : primitive(collider.primitive()), triangles(std::move(tree)), box(collider.box()) {
  if (const MeshTree* mesh = collider.mesh()) {
    is_closed = mesh->is_closed();
    if (is_empty()) return;
    for (const std::uint32_t v : mesh->pieces()) piece_points.push_back(mesh->mesh().vertices[v]);
    centre = box.centre();
    for (const Vec3& v : mesh->mesh().vertices) radius = std::max(radius, (v - centre).norm());
  } else if (const auto* torus = std::get_if<Torus>(primitive)) {
    piece_points = {Vec3(torus->radius, 0, 0)};
    radius = torus->radius + torus->tube_radius;
  } else {
    const ConvexShape convex = view_convex(*primitive);
    centre = convex.centre;
    radius = convex.extent + convex.radius;
    piece_points = {centre};
  }
}

double bound_gap(const VerifyShape& a, const VerifyShape& b, const Pose& X_AB) {
  const double balls = (X_AB * b.centre - a.centre).norm() - a.radius - b.radius;
  return std::max({balls, compute_gap(a.box, place_box(X_AB, b.box)),
                   compute_gap(place_box(X_AB.inverse(), a.box), b.box)});
}

Gap measure_gap(const VerifyShape& a, const VerifyShape& b, const Pose& X_AB, const GapUse& use,
                NearestHint& hint) {
  if (a.primitive && b.primitive) {
    const Separation s = compute_primitive_separation(*a.primitive, *b.primitive, X_AB);
    return {s.distance, s.distance, s.on_a, s.on_b};
  }
  if (a.primitive) {
    return MeshPrimitiveSearch(*a.primitive, a.box, *b.triangles, X_AB, use, hint).run();
  }
  if (b.primitive) {
    const Pose X_BA = X_AB.inverse();
    return swap_sides(
        X_AB, MeshPrimitiveSearch(*b.primitive, b.box, *a.triangles, X_BA, use, hint).run());
  }
  return MeshPairSearch(*a.triangles, *b.triangles, X_AB, use, hint).run();
}

bool lies_inside(const VerifyShape& a, const VerifyShape& b, const Pose& X_AB) {
  return holds_piece(a, b, X_AB) || holds_piece(b, a, X_AB.inverse());
}

}  // namespace geste::internal

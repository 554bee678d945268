#include "geste/proximity/internal/verify_sweep.hpp"

#include <algorithm>
#include <cmath>

#include "geste/geometry/primitive_pair.hpp"
#include "geste/geometry/torus_pair.hpp"

namespace geste::internal {
namespace {

/// A stretch of a line.
struct Extent {
  double low = kInfinity;
  double high = -kInfinity;

  void add(double x) { add(x, x); }
  void add(double least, double most) {
    low = std::min(low, least);
    high = std::max(high, most);
  }
};

double compute_gap(const Extent& a, const Extent& b) {
  return std::max(b.low - a.high, a.low - b.high);
}

Extent project(const Corners& t, const Vec3& n) {
  Extent extent;
  for (const Vec3& p : t) extent.add(n.dot(p));
  return extent;
}

/// Of corners that are displaced by up to d either way.
Extent project(const Corners& t, const Corners& d, const Vec3& n) {
  Extent extent;
  for (std::size_t k = 0; k < 3; ++k) {
    const double x = n.dot(t[k]), far = std::abs(n.dot(d[k]));
    extent.add(x - far, x + far);
  }
  return extent;
}

/// How far a core reaches along n, from its frame's origin.
double find_support(const ConvexShape& s, const Vec3& n) {
  const double across = std::hypot(n.x(), n.y());
  switch (s.core) {
    case ConvexShape::Core::point:
      return 0;
    case ConvexShape::Core::segment:
      return std::abs(n.z()) * s.half.z();
    case ConvexShape::Core::box:
      return n.cwiseAbs().dot(s.half);
    case ConvexShape::Core::cylinder:
      return across * s.half.x() + std::abs(n.z()) * s.half.z();
    case ConvexShape::Core::cone:  // the apex, or the rim below
      return std::max(n.z() * s.half.z(), across * s.half.x() - n.z() * s.half.z());
    case ConvexShape::Core::triangle:
      return project(s.corners, n).high;
    case ConvexShape::Core::hull:
      break;
  }
  double most = -kInfinity;
  for (const Vec3& v : s.hull->vertices) most = std::max(most, n.dot(v));
  return most;
}

/// Of a convex shape in the frame that n is given in.
Extent project(const ConvexShape& s, const Vec3& n) {
  return {-find_support(s, -n) - s.radius, find_support(s, n) + s.radius};
}

}  // namespace

void ShapeSweep::begin(const RelativeSweep& sweep) {
  sweep_ = &sweep;
  turn_ = sweep.X_AB.R.cwiseAbs();
  contact_ = {kInfinity};
}

void ShapeSweep::run(NodePair nodes, std::vector<NodePair>& open) { visit(nodes.a, nodes.b, open); }

void ShapeSweep::visit(int i, int j, std::vector<NodePair>& open) {
  const Node& a = a_.tree->nodes()[static_cast<std::size_t>(i)];
  const Node& b = b_.tree->nodes()[static_cast<std::size_t>(j)];
  if (are_apart(a, b)) return;
  if (a.child == 0 && b.child == 0) {
    if (!are_leaves_apart(a, b)) open.push_back({i, j});
  } else if (is_motion_large(a, b)) {
    open.push_back({i, j});
  } else if (b.child == 0 || (a.child != 0 && a.half.squaredNorm() > b.half.squaredNorm())) {
    visit(a.child, j, open);
    visit(a.child + 1, j, open);
  } else {
    visit(i, b.child, open);
    visit(i, b.child + 1, open);
  }
}

/// By their boxes, along the line between these.
bool ShapeSweep::are_apart(const Node& a, const Node& b) const {
  const Vec3 between = sweep_->X_AB * b.centre - a.centre;
  const Vec3 gaps = (between.cwiseAbs() - a.half - turn_ * b.half).cwiseMax(Vec3::Zero());
  const double gap = gaps.norm();
  const double wanted = keep() + sweep_->deviation;
  if (gap <= wanted) return false;
  const Vec3 n = gaps.cwiseProduct(between.cwiseSign()) / gap;
  const double way = std::abs(n.dot(sweep_->displacement(b.centre))) +
                     (sweep_->half_turn.transpose() * n).cwiseAbs().dot(b.half);
  return gap - way > wanted;
}

/// Whether a shorter interval helps more than smaller boxes.
bool ShapeSweep::is_motion_large(const Node& a, const Node& b) const {
  const double size = std::max(a.half.norm(), b.half.norm());
  return sweep_->displacement(b.centre).norm() + sweep_->deviation > 2 * size;
}

bool ShapeSweep::are_leaves_apart(const Node& a, const Node& b) {
  bool apart = true;
  for (int j = b.begin; j < b.end; ++j) {
    if (a_.primitive || b_.primitive) {
      for (int i = a.begin; i < a.end; ++i) apart = is_primitive_apart(i, j) && apart;
      continue;
    }
    const PlacedTriangle t = place(j);
    for (int i = a.begin; i < a.end; ++i) apart = are_triangles_apart(i, j, t) && apart;
  }
  return apart;
}

/// Balls first, then along the triangles' normals: where surfaces lie along each other, as a pin in
/// its hole, these tell nearly all apart. The line of the nearest points last.
bool ShapeSweep::are_triangles_apart(int i, int j, const PlacedTriangle& t) {
  const double wanted = keep() + sweep_->deviation;
  const TriangleTree::TriangleBall &ball_a = a_.tree->ball(i), &ball_b = b_.tree->ball(j);
  const Vec3 between = sweep_->X_AB * ball_b.centre - ball_a.centre;
  const double far = sweep_->displacement(ball_b.centre).norm() +
                     sweep_->half_turn.norm() * ball_b.radius + ball_a.radius + ball_b.radius;
  if (between.norm() - far > wanted) return true;
  const Corners& s = a_.tree->triangle(i);
  const auto is_apart_along = [&](const Vec3& n) {
    return compute_gap(project(s, n), project(t.corners, t.displacements, n)) > wanted;
  };
  if (is_apart_along(a_.tree->normal(i))) return true;
  if (is_apart_along(sweep_->X_AB.R * b_.tree->normal(j))) return true;
  const NearestPoints found = compute_triangle_distance(s, t.corners);
  note(found.distance, found.on_a, found.on_b);
  return found.distance > 0 && is_apart_along((found.on_b - found.on_a) / found.distance);
}

/// Where one of the two is a primitive.
bool ShapeSweep::is_primitive_apart(int i, int j) {
  const Pose& X_AB = sweep_->X_AB;
  const auto* torus_a = a_.primitive ? std::get_if<Torus>(a_.primitive) : nullptr;
  const auto* torus_b = b_.primitive ? std::get_if<Torus>(b_.primitive) : nullptr;
  const auto view = [](const VerifyShape& shape, int k) {
    if (shape.primitive) return view_primitive(*shape.primitive);
    const Corners& t = shape.tree->triangle(k);
    return ConvexShape(t[0], t[1], t[2]);
  };
  // Of a torus every direction counts: it is not convex.
  const double any_way = sweep_->displacement(b_.centre).norm() +
                         sweep_->half_turn.norm() * b_.radius + sweep_->deviation;
  if (torus_a || torus_b) {
    const Pose X_BA = X_AB.inverse();
    const Separation s = torus_a && torus_b ? compute_torus_separation(*torus_a, *torus_b, X_AB)
                         : torus_a
                             ? compute_torus_separation(*torus_a, view(b_, j), X_AB)
                             : swapped(compute_torus_separation(*torus_b, view(a_, i), X_BA), X_AB);
    note(s.distance, s.on_a, s.on_b);
    return s.distance - any_way > keep();
  }
  const ConvexShape a = view(a_, i), b = view(b_, j);
  const Separation s = compute_convex_separation(a, b, X_AB);
  note(s.distance, s.on_a, s.on_b);
  if (!(s.distance > 0)) return false;
  // How near a search came to the true direction does not matter: the gap along this one is exact.
  const Vec3 n = s.normal, n_B = X_AB.R.transpose() * n;
  Extent of_b = project(b, n_B);
  const double at = n.dot(X_AB.p);
  const double way = std::abs(n.dot(sweep_->displacement(b_.centre))) +
                     (sweep_->half_turn.transpose() * n).norm() * b_.radius;
  of_b = {of_b.low + at - way, of_b.high + at + way};
  return compute_gap(project(a, n), of_b) > keep() + sweep_->deviation;
}

ShapeSweep::PlacedTriangle ShapeSweep::place(int j) const {
  const Corners& t = b_.tree->triangle(j);
  PlacedTriangle placed;
  for (std::size_t k = 0; k < 3; ++k) {
    placed.corners[k] = sweep_->X_AB * t[k];
    placed.displacements[k] = sweep_->displacement(t[k]);
  }
  return placed;
}

void ShapeSweep::note(double distance, const Vec3& on_a, const Vec3& on_b) {
  ++queries_;
  if (distance < nearest_.distance) nearest_ = {distance, on_a, on_b};
  if (distance <= goal_.refuse && distance < contact_.distance) contact_ = {distance, on_a, on_b};
}

NearestPoints compute_surface_distance(const VerifyShape& a, const VerifyShape& b,
                                       const Pose& X_AB) {
  ShapeSweep search(a, b, {.floor = 0, .refuse = 0, .target = kInfinity, .share = 1});
  std::vector<NodePair> open;
  const RelativeSweep rest(X_AB);
  search.begin(rest);
  search.run({0, 0}, open);
  return search.nearest();
}

}  // namespace geste::internal

#include "geste/geometry/internal/face_overlap.hpp"

#include "geste/geometry/internal/closest.hpp"

namespace geste::internal {
namespace {

constexpr std::uint32_t kNothing = 0xffffffffu;
using Corner = OverlapMemory::Corner;

double cross2(const Vec2& u, const Vec2& v) { return u.x() * v.y() - u.y() * v.x(); }

/// The plane across the direction of view.
struct View {
  explicit View(const Vec3& along) : n(along), u(compute_perpendicular(along)), w(along.cross(u)) {}
  [[nodiscard]] Vec2 project(const Vec3& p) const { return {u.dot(p), w.dot(p)}; }
  Vec3 n, u, w;
};

double compute_area(const SupportFeature& f, const View& view) {
  double area = 0;
  const std::size_t count = f.corners.size();
  for (std::size_t i = 0; i < count; ++i)
    area += cross2(view.project(f.corners[i].p - f.corners[0].p),
                   view.project(f.corners[(i + 1) % count].p - f.corners[0].p));
  return area / 2;
}

/// Cuts a subject (line or polygon) by the sides of a polygon.
/// I. E. Sutherland, G. W. Hodgman, "Reentrant polygon clipping", CACM 17(1), 1974.
class Clipper {
 public:
  Clipper(const SupportFeature& subject, const SupportFeature& reference, const View& view,
          double slack, OverlapMemory& memory)
      : subject_(subject), reference_(reference), view_(view), slack_(slack), memory_(memory) {
    memory.outline.clear();
    for (const auto& c : reference.corners) memory.outline.push_back(view.project(c.p));
    turn_ = compute_area(reference, view) > 0 ? 1 : -1;
    memory.corners.clear();
    for (const auto& c : subject.corners)
      memory.corners.push_back({c.p, view.project(c.p), c.vertex, kNothing, 0, true, c.edge});
  }

  void run() {
    for (std::uint32_t side = 0; side < memory_.outline.size(); ++side) {
      cut(side);
      if (memory_.corners.empty()) return;
    }
  }

  /// Over the reference's plane.
  [[nodiscard]] Vec3 drop(const Vec3& p) const {
    const double across = view_.n.dot(reference_.normal);
    return p + view_.n * (reference_.normal.dot(reference_.corners[0].p - p) / across);
  }

 private:
  [[nodiscard]] double measure(std::uint32_t side, const Vec2& q) const {
    const Vec2& from = memory_.outline[side];
    const Vec2 e = memory_.outline[(side + 1) % memory_.outline.size()] - from;
    const double length = e.norm();
    return length > 0 ? turn_ * cross2(e, q - from) / length : 1;
  }

  void cut(std::uint32_t side) {
    auto& next = memory_.next;
    next.clear();
    const auto& now = memory_.corners;
    const std::size_t count = now.size();
    const bool is_line = subject_.corners.size() == 2;
    for (std::size_t i = 0; i < count; ++i) {
      const Corner& from = now[i];
      const Corner& to = now[(i + 1) % count];
      const double h0 = measure(side, from.q), h1 = measure(side, to.q);
      if (h0 >= -slack_) next.push_back(from);
      if (is_line && i + 1 == count) continue;
      if ((h0 >= -slack_) == (h1 >= -slack_)) continue;
      Corner c = from;
      const double s = std::clamp(h0 / (h0 - h1), 0.0, 1.0);
      c.p = from.p + s * (to.p - from.p);
      c.q = from.q + s * (to.q - from.q);
      c.vertex = kNothing;
      c.own = from.is_own ? from.edge : kNothing;
      c.other = from.is_own ? reference_.corners[side].edge : find_shared(from.edge, side);
      // On leaving, the outline goes on along the side; on entering, the way it came.
      if (h0 >= -slack_) c.is_own = false, c.edge = side;
      next.push_back(c);
    }
    std::swap(memory_.corners, memory_.next);
  }

  /// The reference's corner between two of its sides.
  [[nodiscard]] std::uint32_t find_shared(std::uint32_t i, std::uint32_t j) const {
    const auto count = static_cast<std::uint32_t>(memory_.outline.size());
    return reference_.corners[(j + 1) % count == i ? i : j].vertex;
  }

  const SupportFeature& subject_;
  const SupportFeature& reference_;
  const View& view_;
  double slack_;
  OverlapMemory& memory_;
  double turn_ = 1;
};

/// Lines: where they cross, or the ends of what parallel ones share.
void overlap_lines(const SupportFeature& a, const SupportFeature& b, const View& view, double slack,
                   std::vector<OverlapCorner>& out) {
  const Vec2 p0 = view.project(a.corners[0].p), p1 = view.project(a.corners[1].p),
             q0 = view.project(b.corners[0].p), q1 = view.project(b.corners[1].p);
  const Vec2 u = p1 - p0, v = q1 - q0;
  const double across = cross2(u, v);
  const auto on = [](const SupportFeature& f, double s) {
    return Vec3(f.corners[0].p + s * (f.corners[1].p - f.corners[0].p));
  };
  if (std::abs(across) > 0.02 * u.norm() * v.norm()) {
    const double s = cross2(q0 - p0, v) / across, t = cross2(q0 - p0, u) / across;
    const double ds = slack / u.norm(), dt = slack / v.norm();
    if (s < -ds || s > 1 + ds || t < -dt || t > 1 + dt) return;
    out.push_back({on(a, s), on(b, t), a.corners[0].edge, b.corners[0].edge});
    return;
  }
  const auto add_ends = [&](const SupportFeature& f, const Vec2* ends, const SupportFeature& g,
                            const Vec2& from, const Vec2& along, bool is_a) {
    const double squared = along.squaredNorm();
    if (!(squared > 0)) return;
    for (int i = 0; i < 2; ++i) {
      const double t = along.dot(ends[i] - from) / squared;
      const double dt = slack / std::sqrt(squared);
      if (t < -dt || t > 1 + dt) continue;
      const auto& corner = f.corners[static_cast<std::size_t>(i)];
      const Vec3 other = on(g, t);
      // Along the view, not across it: what they are apart sideways is no depth.
      const Vec3 over = corner.p + view.n * view.n.dot(other - corner.p);
      if (is_a) {
        out.push_back({corner.p, over, corner.vertex, g.corners[0].edge});
      } else {
        out.push_back({over, corner.p, g.corners[0].edge, corner.vertex});
      }
    }
  };
  const Vec2 p[2] = {p0, p1}, q[2] = {q0, q1};
  add_ends(a, p, b, q0, v, true);
  add_ends(b, q, a, p0, u, false);
}

/// Of corners in one place the one of lowest names, seen from either side, stays.
void merge_close(double slack, std::vector<OverlapCorner>& corners) {
  const auto key = [](const OverlapCorner& c) {
    return std::pair(std::min(c.a, c.b), std::max(c.a, c.b));
  };
  std::sort(corners.begin(), corners.end(),
            [&](const OverlapCorner& x, const OverlapCorner& y) { return key(x) < key(y); });
  std::size_t kept = 0;
  for (const OverlapCorner& c : corners) {
    const bool is_known =
        std::any_of(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(kept),
                    [&](const OverlapCorner& k) { return (k.on_a - c.on_a).norm() < slack; });
    if (!is_known) corners[kept++] = c;
  }
  corners.resize(kept);
}

}  // namespace

void compute_overlap(const SupportFeature& a, const SupportFeature& b, const Vec3& n, double slack,
                     OverlapMemory& memory, std::vector<OverlapCorner>& out) {
  out.clear();
  if (a.corners.size() < 2 || b.corners.size() < 2) return;
  const View view(n);
  if (!a.is_polygon() && !b.is_polygon()) {
    overlap_lines(a, b, view, slack, out);
    return merge_close(2 * slack, out);
  }
  // The larger one cuts: it decides the same whichever comes first.
  const bool cut_by_b =
      !a.is_polygon() || (b.is_polygon() && std::abs(compute_area(b, view)) >
                                                std::abs(compute_area(a, view)) * (1 + 1e-9));
  const SupportFeature& subject = cut_by_b ? a : b;
  const SupportFeature& reference = cut_by_b ? b : a;
  Clipper clipper(subject, reference, view, slack, memory);
  clipper.run();
  for (const Corner& c : memory.corners) {
    const std::uint32_t own = c.vertex != kNothing ? c.vertex
                              : c.own != kNothing  ? c.own
                                                   : subject.face;
    const std::uint32_t other = c.vertex != kNothing ? reference.face : c.other;
    const Vec3 dropped = clipper.drop(c.p);
    out.push_back(cut_by_b ? OverlapCorner{c.p, dropped, own, other}
                           : OverlapCorner{dropped, c.p, other, own});
  }
  merge_close(2 * slack, out);
}

void include_deepest(const Separation& s, double slack, double reach, std::uint32_t a,
                     std::uint32_t b, std::vector<OverlapCorner>& corners) {
  OverlapCorner* nearest = nullptr;
  double deepest = -std::numeric_limits<double>::infinity(), least = reach * reach;
  for (OverlapCorner& c : corners) {
    deepest = std::max(deepest, s.normal.dot(c.on_a - c.on_b));
    const double squared = (c.on_a - s.on_a).squaredNorm();
    if (squared < least) least = squared, nearest = &c;
  }
  if (deepest >= -s.distance - slack) return;
  if (nearest) {
    *nearest = {s.on_a, s.on_b, nearest->a == 0 ? a : nearest->a, nearest->b};
  } else {
    corners.push_back({s.on_a, s.on_b, a, b});
  }
}

}  // namespace geste::internal

#include "geste/geometry/collision_line.hpp"

#include "geste/geometry/internal/tree_pair.hpp"
#include "geste/geometry/internal/triangle_crossing.hpp"

namespace geste {
namespace {

using namespace internal;
using LineEnd = QueryScratch::LineEnd;

/// Collects every pair of triangles that cross.
class CrossingCollector {
 public:
  CrossingCollector(const MeshTree& a, const MeshTree& b, std::vector<LineEnd>& ends,
                    CollisionLine& line)
      : a_(a.mesh()), b_(b.mesh()), ends_(ends), line_(line) {}

  void add(const TreePair& trees, const TrianglePair& pair) {
    const Triangle3 ta = trees.triangle_a(pair.a), tb = trees.triangle_b(pair.b);
    const auto crossing = find_crossing(ta, tb);
    if (!crossing) return;
    const auto& [p, q] = crossing->ends;
    const std::uint64_t slot = 2 * line_.segments.size();
    line_.segments.push_back({p.p, q.p, pair});
    ends_.push_back(make_end(p, pair, slot));
    ends_.push_back(make_end(q, pair, slot + 1));
    const double length = (q.p - p.p).norm();
    if (!(length > 0)) return;
    line_.length += length;
    const Vec3 direction = (q.p - p.p) / length;
    add_slope(q, ta, tb, direction, 1);
    add_slope(p, ta, tb, direction, -1);
  }

 private:
  [[nodiscard]] LineEnd make_end(const CrossingEnd& end, const TrianglePair& pair,
                                 std::uint64_t slot) const {
    const Triangle& t = end.on_a ? a_.triangles[pair.a] : b_.triangles[pair.b];
    const auto k = static_cast<std::size_t>(end.edge);
    const std::uint64_t v0 = t[k], v1 = t[(k + 1) % 3];
    const std::uint64_t triangle = end.on_a ? pair.b : pair.a;
    return {std::min(v0, v1) << 32 | std::max(v0, v1),
            triangle << 33 | (end.on_a ? 1ull << 32 : 0) | slot};
  }

  /// With u = v + w x p the velocity of B's matter at the end: an edge e of A slides in the plane n
  /// of B by e (n.u)/(n.e); an edge of B goes with u less what takes it out of A's plane,
  /// u - e (n.u)/(n.e). Along the segment that is c.u = c.v + (p x c).w.
  void add_slope(const CrossingEnd& end, const Triangle3& a, const Triangle3& b,
                 const Vec3& direction, double sign) {
    const Triangle3& edged = end.on_a ? a : b;
    const Triangle3& plane = end.on_a ? b : a;
    const Vec3 e = edged.p[(end.edge + 1) % 3] - edged.p[end.edge];
    const Vec3 n = (plane.p[1] - plane.p[0]).cross(plane.p[2] - plane.p[0]);
    const double across = n.dot(e);
    if (across == 0) return;
    const Vec3 slide = n * (direction.dot(e) / across);
    const Vec3 c = sign * (end.on_a ? slide : Vec3(direction - slide));
    line_.gradient.head<3>() += c;
    line_.gradient.tail<3>() += end.p.cross(c);
  }

  const TriangleMesh& a_;
  const TriangleMesh& b_;
  std::vector<LineEnd>& ends_;
  CollisionLine& line_;
};

/// Puts segments that share an end behind each other. Slot 2 s is the p of segment s, 2 s + 1 its
/// q.
class Chainer {
 public:
  Chainer(CollisionLine& line, QueryScratch& scratch)
      : line_(line), partner_(scratch.links), count_(line.segments.size()) {
    std::vector<LineEnd>& ends = scratch.ends;
    std::sort(ends.begin(), ends.end());
    partner_.assign(2 * count_, kNone);
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      if (!is_same_point(ends[i], ends[i + 1])) continue;
      const std::uint32_t x = slot(ends[i]), y = slot(ends[i + 1]);
      partner_[x] = y;
      partner_[y] = x;
      ++i;  // a third end at an edge of three triangles begins a line of its own
    }
  }

  void chain() {
    line_.segments.reserve(2 * count_);
    // Open lines from their ends, then rings from anywhere.
    for (std::uint32_t s = 0; s < count_; ++s) {
      if (partner_[2 * s] == kNone) follow(2 * s);
      if (partner_[2 * s + 1] == kNone) follow(2 * s + 1);
    }
    for (std::uint32_t s = 0; s < count_; ++s) follow(2 * s);
    line_.segments.erase(line_.segments.begin(),
                         line_.segments.begin() + static_cast<std::ptrdiff_t>(count_));
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint32_t kDone = 0xfffffffeu;  ///< in the slot that was entered by

  static bool is_same_point(const LineEnd& x, const LineEnd& y) {
    return x.edge == y.edge && x.triangle_and_slot >> 32 == y.triangle_and_slot >> 32;
  }
  static std::uint32_t slot(const LineEnd& end) {
    return static_cast<std::uint32_t>(end.triangle_and_slot);
  }
  [[nodiscard]] bool is_done(std::uint32_t at) const {
    return partner_[at] == kDone || partner_[at ^ 1u] == kDone;
  }

  /// From the end in slot `from` on, until there is no next or it is done already. Behind the
  /// segments as they were found comes their copy in order.
  void follow(std::uint32_t from) {
    if (is_done(from)) return;
    const std::size_t first = line_.segments.size();
    std::uint32_t at = from;
    while (at != kNone && !is_done(at)) {
      const std::uint32_t next = partner_[at ^ 1u];
      partner_[at] = kDone;
      CollisionLine::Segment s = line_.segments[at / 2];
      if (at % 2 == 1) std::swap(s.p, s.q);
      line_.segments.push_back(s);
      at = next;
    }
    line_.polylines.push_back({static_cast<std::uint32_t>(first - count_),
                               static_cast<std::uint32_t>(line_.segments.size() - first),
                               at == from});
  }

  CollisionLine& line_;
  std::vector<std::uint32_t>& partner_;
  std::size_t count_;
};

/// The same line for whoever calls A what was B.
void swap_meshes(const Pose& X_AB, CollisionLine& line) {
  for (CollisionLine::Segment& s : line.segments) {
    s.p = X_AB * s.p;
    s.q = X_AB * s.q;
    std::swap(s.triangles.a, s.triangles.b);
  }
  // A moves against B as B does against A, the other way round; seen from A's origin.
  const Vec3 linear = -(X_AB.R * line.gradient.head<3>());
  const Vec3 angular = -(X_AB.R * line.gradient.tail<3>()) + X_AB.p.cross(linear);
  line.gradient << linear, angular;
}

}  // namespace

void compute_collision_line(const MeshTree& a, const MeshTree& b, const Pose& X_AB,
                            QueryScratch& scratch, CollisionLine& line) {
  if (a.mesh().triangles.size() > b.mesh().triangles.size()) {
    // The larger mesh has the fuller leaves: those go into the lanes.
    compute_collision_line(b, a, X_AB.inverse(), scratch, line);
    swap_meshes(X_AB, line);
    return;
  }
  line.segments.clear();
  line.polylines.clear();
  line.length = 0;
  line.gradient.setZero();
  scratch.ends.clear();
  TreePair trees(a, b, X_AB, scratch);
  CrossingCollector crossings(a, b, scratch.ends, line);
  CandidateVisitor visitor([&](const TrianglePair& pair) { crossings.add(trees, pair); });
  trees.walk(visitor);
  Chainer(line, scratch).chain();
}

}  // namespace geste

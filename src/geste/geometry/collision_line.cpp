#include "geste/geometry/collision_line.hpp"

#include "geste/geometry/internal/tree_pair.hpp"
#include "geste/geometry/internal/triangle_crossing.hpp"

namespace geste {
namespace {

using namespace internal;

/// What an end of a segment is known by: an edge of one mesh, a triangle of the other. The segment
/// on the other side of the edge has the same.
struct EndKey {
  std::uint32_t low;
  std::uint32_t high;
  std::uint32_t triangle;
  bool on_a;
  friend auto operator<=>(const EndKey&, const EndKey&) = default;
};

struct End {
  EndKey key;
  std::uint32_t segment;
  std::uint32_t side;  ///< 0: its p, 1: its q
};

/// Collects every pair of triangles that cross.
class CrossingVisitor : public MeetingVisitor {
 public:
  CrossingVisitor(const MeshTree& a, const MeshTree& b, CollisionLine& line)
      : a_(a.mesh()), b_(b.mesh()), line_(line) {}

  bool visit(TreePair& trees, const TriangleLeaf& a, const TriangleLeaf& b) {
    const LeafPair leaves(trees, a, b);
    for (std::uint32_t i = 0; i < a.count; ++i) {
      unsigned maybe = leaves.find_touching(i).maybe;
      for (; maybe != 0; maybe &= maybe - 1)
        add(trees, {a.triangle[i], b.triangle[std::countr_zero(maybe)]});
    }
    return false;
  }

  std::vector<End> ends;

 private:
  void add(const TreePair& trees, const TrianglePair& pair) {
    const Triangle3 ta = trees.triangle_a(pair.a), tb = trees.triangle_b(pair.b);
    const auto crossing = find_crossing(ta, tb);
    if (!crossing) return;
    const auto& [p, q] = crossing->ends;
    const auto segment = static_cast<std::uint32_t>(line_.segments.size());
    line_.segments.push_back({p.p, q.p, pair});
    ends.push_back({make_key(p, pair), segment, 0});
    ends.push_back({make_key(q, pair), segment, 1});
    const double length = (q.p - p.p).norm();
    if (!(length > 0)) return;
    line_.length += length;
    const Vec3 direction = (q.p - p.p) / length;
    add_slope(q, ta, tb, direction, 1);
    add_slope(p, ta, tb, direction, -1);
  }

  [[nodiscard]] EndKey make_key(const CrossingEnd& end, const TrianglePair& pair) const {
    const Triangle& t = end.on_a ? a_.triangles[pair.a] : b_.triangles[pair.b];
    const auto k = static_cast<std::size_t>(end.edge);
    const std::uint32_t v0 = t[k], v1 = t[(k + 1) % 3];
    return {std::min(v0, v1), std::max(v0, v1), end.on_a ? pair.b : pair.a, end.on_a};
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
  CollisionLine& line_;
};

/// Puts segments that share an end behind each other.
class Chainer {
 public:
  Chainer(CollisionLine& line, std::vector<End> ends)
      : line_(line), partner_(2 * line.segments.size(), kNone), done_(line.segments.size(), 0) {
    std::sort(ends.begin(), ends.end(), [](const End& x, const End& y) {
      return std::tie(x.key, x.segment, x.side) < std::tie(y.key, y.segment, y.side);
    });
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      if (ends[i].key != ends[i + 1].key) continue;
      const std::uint32_t x = slot(ends[i]), y = slot(ends[i + 1]);
      partner_[x] = y;
      partner_[y] = x;
      ++i;  // a third end at an edge of three triangles begins a line of its own
    }
  }

  void chain() {
    // Open lines from their ends, then rings from anywhere.
    for (std::uint32_t s = 0; s < done_.size(); ++s) {
      if (partner_[2 * s] == kNone) follow(2 * s);
      if (partner_[2 * s + 1] == kNone) follow(2 * s + 1);
    }
    for (std::uint32_t s = 0; s < done_.size(); ++s) follow(2 * s);
    line_.segments = std::move(ordered_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static std::uint32_t slot(const End& end) { return 2 * end.segment + end.side; }

  /// From the end in `from` on, until there is no next or it is done already.
  void follow(std::uint32_t from) {
    if (done_[from / 2]) return;
    const auto first = static_cast<std::uint32_t>(ordered_.size());
    const std::uint32_t start = from;
    std::uint32_t at = from;
    while (at != kNone && !done_[at / 2]) {
      done_[at / 2] = 1;
      CollisionLine::Segment s = line_.segments[at / 2];
      if (at % 2 == 1) std::swap(s.p, s.q);
      ordered_.push_back(s);
      at = partner_[at ^ 1u];
    }
    line_.polylines.push_back(
        {first, static_cast<std::uint32_t>(ordered_.size()) - first, at == start});
  }

  CollisionLine& line_;
  std::vector<std::uint32_t> partner_;
  std::vector<char> done_;
  std::vector<CollisionLine::Segment> ordered_;
};

}  // namespace

void compute_collision_line(const MeshTree& a, const MeshTree& b, const Pose& X_AB,
                            QueryScratch& scratch, CollisionLine& line) {
  line.segments.clear();
  line.polylines.clear();
  line.length = 0;
  line.gradient.setZero();
  TreePair trees(a, b, X_AB, scratch);
  CrossingVisitor visitor(a, b, line);
  trees.walk(visitor);
  Chainer(line, std::move(visitor.ends)).chain();
}

}  // namespace geste

#include <algorithm>
#include <bit>
#include <cmath>

#include "geste/geometry/internal/closest.hpp"
#include "geste/geometry/internal/contact_pairs.hpp"
#include "geste/geometry/internal/surface_probe.hpp"
#include "geste/geometry/internal/tree_pair.hpp"

// Contacts of two meshes: pairs of triangles within the margin propose corners and edges; corners
// that may be inside are sounded, and from those that are, their neighbours.

namespace geste::internal {
namespace {

constexpr double kBetween = 0.1;      // sine: how far an edge's contact may lean out of its facets
constexpr double kParallel = 1e-3;    // sine: edges closer than this do not cross
constexpr std::size_t kAsked = 2048;  // slots for corners that were looked at, a power of two

/// Gives every pair of triangles nearer than a limit to `pairs`, and some that are not.
template <class Pairs>
class NearVisitor {
 public:
  static constexpr bool kNearestFirst = false;
  NearVisitor(float limit, Pairs& pairs) : limit_(limit), pairs_(pairs) {}

  [[nodiscard]] bool is_over(float) const { return false; }
  unsigned test(const FixedBox& box, const BoxNode& node, Float8& key) const {
    return find_nearer(box, node, limit_, key);
  }
  bool visit(TreePair& trees, const TriangleLeaf& a, const TriangleLeaf& b) {
    const LeafPair leaves = trees.pair(a, b, limit_);
    if (!leaves.is_open()) return false;
    for (std::uint32_t i = 0; i < a.count; ++i) {
      unsigned near = leaves.find_within(i, limit_);
      if (near != 0) near = leaves.find_within(Triangle1(a, i), limit_, near);
      for (; near != 0; near &= near - 1)
        pairs_.add({a.triangle[i], b.triangle[std::countr_zero(near)]});
    }
    return false;
  }

 private:
  float limit_;
  Pairs& pairs_;
};

class MeshContacts {
 public:
  MeshContacts(const Collider& a, const Collider& b, const Pose& X_AB,
               ContactScratch::Memory& memory, ContactSink& sink)
      : sides_{{SurfaceProbe(a, sink.margin(), memory.points), Pose(), X_AB.inverse()},
               {SurfaceProbe(b, sink.margin(), memory.points), X_AB, X_AB}},
        memory_(memory),
        sink_(sink) {
    ++memory.query_number;
    for (int i = 0; i < 2; ++i) {
      auto& seen = memory.seen[i];
      const std::size_t count = sides_[i].probe.mesh().vertices.size();
      if (seen.size() < count) seen.resize(count, 0);
    }
    memory.waiting.clear();
    memory.asked.resize(kAsked);
  }

  void add(const TrianglePair& pair) {
    has_pairs_ = true;
    ++memory_.tests;
    const std::uint32_t t[2] = {pair.a, pair.b};
    for (int s = 0; s < 2; ++s) {
      for (std::uint32_t k = 0; k < 3; ++k) look(s, 3 * t[s] + k, t[1 - s]);
    }
    Triangle3 tb = get_corners(sides_[1].probe.mesh(), t[1]);
    for (Vec3& p : tb.p) p = sides_[1].X_AS * p;
    for (std::uint32_t i = 3 * t[0]; i < 3 * t[0] + 3; ++i) {
      if (!sides_[0].probe.is_exposed(i)) continue;
      for (std::uint32_t k = 0; k < 3; ++k) {
        const std::uint32_t j = 3 * t[1] + k;
        if (sides_[1].probe.is_exposed(j)) cross(i, j, tb.p[k], tb.p[(k + 1) % 3]);
      }
    }
  }

  void sound_waiting() {
    for (std::size_t i = 0; i < memory_.waiting.size(); ++i) {
      const int s = static_cast<int>(memory_.waiting[i] >> 31);
      sound(s, memory_.waiting[i] & 0x7fffffffu);
    }
  }

  /// Puts a corner on the list of those that may be inside.
  void suspect(int s, std::uint32_t v) {
    std::uint64_t& seen = memory_.seen[s][v];
    if (seen == memory_.query_number) return;
    seen = memory_.query_number;
    memory_.waiting.push_back(v | (s == 1 ? 0x80000000u : 0u));
  }

  [[nodiscard]] bool has_pairs() const { return has_pairs_; }
  [[nodiscard]] double flush() const {
    return std::max(sides_[0].probe.flush(), sides_[1].probe.flush());
  }

 private:
  struct Side {
    SurfaceProbe probe;
    Pose X_AS;  ///< into A
    Pose X_OS;  ///< into the other's frame
  };

  /// A hit of side s's vertex on the other, which is where `hit` is given.
  void take(int s, std::uint32_t v, const SurfaceProbe::Hit& hit, const Vec3& p_O) {
    const Side& own = sides_[s];
    const Side& other = sides_[1 - s];
    const Vec3 towards = -(own.X_OS.R.transpose() * hit.normal);
    if (!own.probe.faces(v, towards, !hit.is_face)) return;
    sink_.set_frame(other.X_AS, s == 1);
    sink_.add(p_O, hit.on, -hit.normal, hit.depth, name_vertex(v), hit.name);
  }

  void look(int s, std::uint32_t half_edge, std::uint32_t triangle) {
    const Side& own = sides_[s];
    const std::uint32_t v = own.probe.get_corner(half_edge);
    if (!own.probe.features().is_corner[v] || was_asked(s, v, triangle)) return;
    const Vec3 p = own.X_OS * own.probe.mesh().vertices[v];
    SurfaceProbe::Hit hit;
    const auto side = sides_[1 - s].probe.look(p, triangle, hit);
    if (side == SurfaceProbe::Side::near) take(s, v, hit, p);
    if (side == SurfaceProbe::Side::behind) suspect(s, v);
  }

  bool was_asked(int s, std::uint32_t v, std::uint32_t triangle) {
    const std::uint64_t what = (std::uint64_t{v} << 32 | triangle) * 2 + static_cast<unsigned>(s);
    auto& slot = memory_.asked[what * 0x9e3779b97f4a7c15u >> (64 - std::bit_width(kAsked - 1))];
    if (slot.query == memory_.query_number && slot.what == what) return true;
    slot = {memory_.query_number, what};
    return false;
  }

  void sound(int s, std::uint32_t v) {
    ++memory_.tests;
    const Side& own = sides_[s];
    const Vec3 p = own.X_OS * own.probe.mesh().vertices[v];
    const bool is_corner = own.probe.features().is_corner[v];
    const bool is_in = sides_[1 - s].probe.sound(p, [&](const SurfaceProbe::Hit& hit) {
      if (is_corner) take(s, v, hit, p);
    });
    if (!is_in) return;
    for (const std::uint32_t t : own.probe.features().get_around(v)) {
      for (std::uint32_t h = 3 * t; h < 3 * t + 3; ++h) suspect(s, own.probe.get_corner(h));
    }
  }

  /// Two edges, each past the other, along their common perpendicular. The second one's ends are
  /// given in A.
  void cross(std::uint32_t i, std::uint32_t j, const Vec3& q0, const Vec3& q1) {
    const SurfaceProbe& a = sides_[0].probe;
    const SurfaceProbe& b = sides_[1].probe;
    const Pose& X_AB = sides_[1].X_AS;
    const Vec3 p0 = a.at(i), u = a.get_end(i) - p0, v = q1 - q0;
    Vec3 n = u.cross(v);
    const double squared = n.squaredNorm();
    if (!(squared > kParallel * kParallel * u.squaredNorm() * v.squaredNorm())) return;
    const Vec3 r = q0 - p0;
    const double s = r.cross(v).dot(n) / squared, t = r.cross(u).dot(n) / squared;
    if (s < 0 || s > 1 || t < 0 || t > 1) return;
    n /= std::sqrt(squared);
    const Vec3 on_a = p0 + s * u, on_b = q0 + t * v;
    if (is_turned(i, j, n, n.dot(on_b - on_a))) n = -n;
    if (!a.is_between(i, n, kBetween)) return;
    if (!b.is_between(j, -(X_AB.R.transpose() * n), kBetween)) return;
    const double depth = n.dot(on_a - on_b);
    if (depth <= -sink_.margin()) return;
    if (depth > sink_.margin() && !do_facets_cross(i, j)) return;
    if (depth > flush()) {
      const double slack = std::min(0.1 * depth, 0.1 * sink_.margin() + flush());
      if (!b.leaves_by(j, sides_[0].X_OS * on_a, slack)) return;
      if (!a.leaves_by(i, on_b, slack)) return;
    }
    sink_.set_frame(Pose(), false);
    sink_.add(on_a, on_b, n, depth, name_edge(a.features().edge[i]),
              name_edge(b.features().edge[j]));
  }

  /// Whether triangles at the two edges cross, as they do where the edges are past each other. What
  /// is deep in an open mesh is not in it.
  [[nodiscard]] bool do_facets_cross(std::uint32_t i, std::uint32_t j) const {
    const SurfaceProbe& a = sides_[0].probe;
    const SurfaceProbe& b = sides_[1].probe;
    if (!a.is_closed() || !b.is_closed()) return false;
    for (const std::uint32_t g : {i, a.features().twin[i]}) {
      const Triangle3 ta = get_corners(a.mesh(), g / 3);
      for (const std::uint32_t h : {j, b.features().twin[j]}) {
        Triangle3 tb = get_corners(b.mesh(), h / 3);
        for (Vec3& p : tb.p) p = sides_[1].X_AS * p;
        if (compute_distance(ta, tb).squared == 0) return true;
      }
    }
    return false;
  }

  /// Which way is out of a and into b; where neither edge tells, from a to b.
  [[nodiscard]] bool is_turned(std::uint32_t i, std::uint32_t j, const Vec3& n, double gap) const {
    const auto out = [](const SurfaceProbe& side, std::uint32_t h) {
      const MeshFeatures& f = side.features();
      if (f.twin[h] == MeshFeatures::kNone) return Vec3(Vec3::Zero());
      return Vec3(f.normal[h / 3] + f.normal[f.twin[h] / 3]);
    };
    const double way = n.dot(out(sides_[0].probe, i) - sides_[1].X_AS.R * out(sides_[1].probe, j));
    return std::abs(way) > 1e-6 ? way < 0 : gap < 0;
  }

  Side sides_[2];
  ContactScratch::Memory& memory_;
  ContactSink& sink_;
  bool has_pairs_ = false;
};

}  // namespace

void add_mesh_contacts(const Collider& a, const Collider& b, const Pose& X_AB,
                       ContactScratch::Memory& memory, ContactSink& sink) {
  const MeshTree& ta = *a.mesh();
  const MeshTree& tb = *b.mesh();
  if (ta.mesh().triangles.empty() || tb.mesh().triangles.empty()) return;
  MeshContacts contacts(a, b, X_AB, memory, sink);
  const double limit = std::max(sink.margin(), contacts.flush());
  NearVisitor visitor(std::nextafter(static_cast<float>(limit), 1e38f), contacts);
  TreePair(ta, tb, X_AB, memory.query).walk(visitor);
  // Pieces that lie inside without crossing anything.
  const auto suspect = [&](int s, const Collider& own, const MeshTree& other, const Pose& X_OS) {
    if (!other.is_closed()) return;
    for (const std::uint32_t v : own.mesh()->pieces()) {
      const Vec3 p = X_OS * own.mesh()->mesh().vertices[v];
      if ((p.array() < other.box().min.array()).any()) continue;
      if ((p.array() > other.box().max.array()).any()) continue;
      contacts.suspect(s, own.features()->corner[v]);
    }
  };
  suspect(0, a, tb, X_AB.inverse());
  suspect(1, b, ta, X_AB);
  contacts.sound_waiting();
  if (!contacts.has_pairs() || sink.deepest() >= -contacts.flush()) return;
  if (!sink.wants_deepest()) return;
  if (!touches(ta, tb, X_AB, memory.query)) return;
  const Separation s = compute_separation(ta, tb, X_AB, memory.query, nullptr, kExactDepth);
  if (s.distance > -contacts.flush()) return;
  sink.set_frame(Pose(), false);
  sink.add(s.on_a, s.on_b, s.normal, -s.distance, kDeepest, kDeepest);
}

}  // namespace geste::internal

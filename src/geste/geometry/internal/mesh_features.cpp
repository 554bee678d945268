#include "geste/geometry/internal/mesh_features.hpp"

#include <algorithm>
#include <numeric>

#include "geste/geometry/internal/edges.hpp"
#include "geste/geometry/point_welder.hpp"

namespace geste::internal {
namespace {

constexpr std::uint32_t kNone = MeshFeatures::kNone;
constexpr double kPlane = 5e-7;      // of the largest coordinate: float files stay flat
constexpr double kStraight = 1e-5;   // sine of the angle between edges that go on
constexpr double kSameNormal = 0.9;  // a fold back into the plane is another facet

class Builder {
 public:
  explicit Builder(const TriangleMesh& mesh) : mesh_(mesh) {}

  MeshFeatures run() {
    weld();
    match();
    grow_facets();
    sort_edges();
    list_around();
    join_edges();
    return std::move(out_);
  }

 private:
  [[nodiscard]] const Vec3& at(std::uint32_t t, std::uint32_t k) const {
    return mesh_.vertices[mesh_.triangles[t][k % 3]];
  }
  [[nodiscard]] std::uint32_t corner(std::uint32_t t, std::uint32_t k) const {
    return out_.corner[mesh_.triangles[t][k % 3]];
  }

  void weld() {
    const std::size_t n = mesh_.vertices.size();
    PointWelder welder(n);
    std::vector<std::uint32_t> number(n);
    welder.add(mesh_.vertices, number);
    std::vector<std::uint32_t> first(n, kNone);
    out_.corner.resize(n);
    for (std::uint32_t v = 0; v < n; ++v) {
      if (first[number[v]] == kNone) first[number[v]] = v;
      out_.corner[v] = first[number[v]];
      scale_ = std::max(scale_, mesh_.vertices[v].cwiseAbs().maxCoeff());
    }
  }

  void match() {
    const auto count = static_cast<std::uint32_t>(mesh_.triangles.size());
    std::vector<Triangle> welded;
    for (std::uint32_t t = 0; t < count; ++t) {
      const Triangle w{corner(t, 0), corner(t, 1), corner(t, 2)};
      if (w[0] == w[1] || w[1] == w[2] || w[2] == w[0]) continue;
      welded.push_back(w);
      sound_.push_back(t);
    }
    const EdgeMap edges = match_edges(welded, mesh_.vertices.size());
    out_.twin.assign(3 * mesh_.triangles.size(), kNone);
    for (std::uint32_t h = 0; h < edges.twin.size(); ++h) {
      const std::uint32_t other = edges.twin[h];
      if (other >= EdgeMap::kNonmanifold) continue;
      if (welded[h / 3][h % 3] == welded[other / 3][other % 3]) continue;  // they disagree
      out_.twin[3 * sound_[h / 3] + h % 3] = 3 * sound_[other / 3] + other % 3;
    }
  }

  /// From the largest triangles on: theirs are the planes known best.
  void grow_facets() {
    const std::size_t count = mesh_.triangles.size();
    out_.facet.assign(count, kNone);
    out_.normal.assign(count, Vec3::Zero());
    std::vector<Vec3> cross(count, Vec3::Zero());
    for (const std::uint32_t t : sound_)
      cross[t] = (at(t, 1) - at(t, 0)).cross(at(t, 2) - at(t, 0));
    std::vector<std::uint32_t> order = sound_;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t s, std::uint32_t t) {
      return cross[s].squaredNorm() > cross[t].squaredNorm();
    });
    std::vector<std::uint32_t> members;
    for (const std::uint32_t seed : order) {
      const double norm = cross[seed].norm();
      if (out_.facet[seed] != kNone || !(norm > 0)) continue;
      members.assign(1, seed);
      out_.facet[seed] = seed;
      const Vec3 n = cross[seed] / norm;
      for (std::size_t i = 0; i < members.size(); ++i) {
        for (std::uint32_t k = 0; k < 3; ++k) {
          const std::uint32_t h = out_.twin[3 * members[i] + k];
          if (h == kNone || out_.facet[h / 3] != kNone) continue;
          if (!is_in_plane(h / 3, at(seed, 0), n, cross[h / 3])) continue;
          out_.facet[h / 3] = seed;
          members.push_back(h / 3);
        }
      }
      const std::uint32_t first = *std::min_element(members.begin(), members.end());
      for (const std::uint32_t t : members) out_.facet[t] = first, out_.normal[t] = n;
    }
  }

  [[nodiscard]] bool is_in_plane(std::uint32_t t, const Vec3& p, const Vec3& n,
                                 const Vec3& cross) const {
    for (std::uint32_t k = 0; k < 3; ++k) {
      if (std::abs(n.dot(at(t, k) - p)) > kPlane * scale_) return false;
    }
    // A sliver's own normal says nothing.
    const double longest =
        std::max((at(t, 1) - at(t, 0)).squaredNorm(), (at(t, 2) - at(t, 0)).squaredNorm());
    const bool is_sliver = cross.norm() < 2 * kPlane * scale_ * std::sqrt(longest);
    return is_sliver || n.dot(cross) > kSameNormal * cross.norm();
  }

  void sort_edges() {
    out_.edge_kind.assign(out_.twin.size(), EdgeKind::flat);
    for (const std::uint32_t t : sound_) {
      for (std::uint32_t k = 0; k < 3; ++k) out_.edge_kind[3 * t + k] = find_kind(t, k);
    }
  }

  [[nodiscard]] EdgeKind find_kind(std::uint32_t t, std::uint32_t k) const {
    const std::uint32_t h = out_.twin[3 * t + k];
    if (h == kNone) return EdgeKind::rim;
    if (out_.facet[t] == out_.facet[h / 3]) return EdgeKind::flat;
    const Vec3& n = out_.normal[t];
    const Vec3& m = out_.normal[h / 3];
    const Vec3 e = (at(t, k + 1) - at(t, k)).normalized();
    const double turn = n.cross(m).dot(e);
    if (std::abs(turn) < 1e-9 && n.dot(m) < 0) return EdgeKind::convex;  // a knife
    return turn > 0 ? EdgeKind::convex : EdgeKind::concave;
  }

  void list_around() {
    const std::size_t n = mesh_.vertices.size();
    out_.around_begin.assign(n + 1, 0);
    for (const std::uint32_t t : sound_) {
      for (std::uint32_t k = 0; k < 3; ++k) ++out_.around_begin[corner(t, k) + 1];
    }
    for (std::size_t i = 0; i < n; ++i) out_.around_begin[i + 1] += out_.around_begin[i];
    out_.around.resize(out_.around_begin[n]);
    std::vector<std::uint32_t> next(out_.around_begin.begin(), out_.around_begin.end() - 1);
    for (const std::uint32_t t : sound_) {
      for (std::uint32_t k = 0; k < 3; ++k) out_.around[next[corner(t, k)]++] = t;
    }
  }

  [[nodiscard]] std::uint32_t first_half(std::uint32_t h) const {
    return std::min(h, out_.twin[h]);  // kNone is the largest
  }

  std::uint32_t find_root(std::uint32_t h) {
    while (out_.edge[h] != h) h = out_.edge[h] = out_.edge[out_.edge[h]];
    return h;
  }

  /// Corners are where edges end or turn.
  void join_edges() {
    out_.edge.resize(out_.twin.size());
    for (std::uint32_t h = 0; h < out_.edge.size(); ++h) out_.edge[h] = first_half(h);
    out_.is_corner.assign(mesh_.vertices.size(), 0);
    std::vector<std::uint32_t> ends;  // half-edges of edges that end here
    for (std::uint32_t v = 0; v < mesh_.vertices.size(); ++v) {
      ends.clear();
      bool is_exposed = false;
      for (const std::uint32_t t : out_.get_around(v)) {
        for (std::uint32_t k = 0; k < 3; ++k) {
          const std::uint32_t h = 3 * t + k;
          if (out_.edge_kind[h] == EdgeKind::flat || first_half(h) != h) continue;
          if (corner(t, k) != v && corner(t, k + 1) != v) continue;
          ends.push_back(h);
          is_exposed |= out_.edge_kind[h] != EdgeKind::concave;
        }
      }
      if (ends.size() == 2 && goes_on(v, ends[0], ends[1])) {
        const std::uint32_t r = find_root(ends[0]), s = find_root(ends[1]);
        out_.edge[std::max(r, s)] = std::min(r, s);
      } else {
        out_.is_corner[v] = is_exposed;
      }
    }
    for (std::uint32_t h = 0; h < out_.edge.size(); ++h) out_.edge[h] = find_root(h);
  }

  [[nodiscard]] bool goes_on(std::uint32_t v, std::uint32_t g, std::uint32_t h) const {
    if (out_.edge_kind[g] != out_.edge_kind[h]) return false;
    const auto away = [&](std::uint32_t e) {
      const bool starts = corner(e / 3, e % 3) == v;
      return Vec3((at(e / 3, e % 3 + (starts ? 1 : 0)) - mesh_.vertices[v]).normalized());
    };
    const Vec3 u = away(g), w = away(h);
    return u.dot(w) < 0 && u.cross(w).norm() < kStraight;
  }

  const TriangleMesh& mesh_;
  MeshFeatures out_;
  std::vector<std::uint32_t> sound_;  ///< triangles with three corners
  double scale_ = 0;
};

}  // namespace

MeshFeatures make_mesh_features(const TriangleMesh& mesh) { return Builder(mesh).run(); }

FacePolygons make_face_polygons(const TriangleMesh& mesh, const MeshFeatures& f) {
  FacePolygons out;
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  const auto corner = [&](std::uint32_t h) { return f.corner[mesh.triangles[h / 3][h % 3]]; };
  const auto next = [](std::uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; };
  out.face_of.assign(count, kNone);
  std::vector<std::uint32_t> number(count, kNone);
  std::vector<char> done(3 * mesh.triangles.size(), 0);
  for (std::uint32_t h = 0; h < 3 * count; ++h) {
    const std::uint32_t facet = f.facet[h / 3];
    if (facet == kNone || f.edge_kind[h] == EdgeKind::flat || done[h]) continue;
    if (number[facet] != kNone) continue;  // a convex face has one outline
    number[facet] = static_cast<std::uint32_t>(out.facet.size());
    out.facet.push_back(facet);
    out.normal.push_back(f.normal[facet]);
    out.begin.push_back(static_cast<std::uint32_t>(out.vertex.size()));
    // Along the outline: the next half-edge of the facet that leads out of it.
    for (std::uint32_t g = h; !done[g];) {
      done[g] = 1;
      if (f.is_corner[corner(g)]) out.vertex.push_back(corner(g)), out.edge.push_back(f.edge[g]);
      for (g = next(g); f.edge_kind[g] == EdgeKind::flat && f.twin[g] != kNone;)
        g = next(f.twin[g]);
    }
  }
  out.begin.push_back(static_cast<std::uint32_t>(out.vertex.size()));
  for (std::uint32_t t = 0; t < count; ++t) {
    if (f.facet[t] != kNone) out.face_of[t] = number[f.facet[t]];
  }
  return out;
}

}  // namespace geste::internal

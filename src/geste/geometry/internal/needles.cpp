#include "geste/geometry/internal/needles.hpp"

#include <algorithm>

#include "geste/geometry/internal/edges.hpp"
#include "geste/geometry/mesh_report.hpp"

namespace geste {
namespace {

/// A margin over hygiene's own limit, so that rounding leaves nothing for it to drop.
constexpr double kNeedleHeight = 4 * kFlatHeight;
/// What comes of a flip may be flat too: a needle may lean on another.
constexpr std::size_t kFlipsPerNeedle = 8;

class NeedleFlipper {
 public:
  NeedleFlipper(TriangleMesh& mesh, std::vector<std::uint32_t> needles)
      : mesh_(mesh),
        twin_(match_edges(mesh.triangles, mesh.vertices.size()).twin),
        open_(std::move(needles)) {}

  std::size_t run() {
    std::size_t flips = 0;
    const std::size_t most = kFlipsPerNeedle * open_.size();
    for (std::size_t next = 0; next < open_.size() && flips < most; ++next) {
      const std::uint32_t needle = open_[next];
      if (!is_flat(mesh_.vertices, mesh_.triangles[needle], kNeedleHeight)) continue;
      const std::uint32_t longest = find_longest_edge(needle);
      if (!can_flip(longest)) continue;
      const std::uint32_t other = twin_[longest] / 3;
      flip(longest);
      ++flips;
      open_.insert(open_.end(), {needle, other});
    }
    return flips;
  }

 private:
  static std::uint32_t next(std::uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
  static std::uint32_t previous(std::uint32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }
  [[nodiscard]] std::uint32_t origin(std::uint32_t h) const {
    return mesh_.triangles[h / 3][h % 3];
  }
  [[nodiscard]] bool has_twin(std::uint32_t h) const { return twin_[h] < EdgeMap::kNonmanifold; }

  [[nodiscard]] std::uint32_t find_longest_edge(std::uint32_t triangle) const {
    std::uint32_t longest = 3 * triangle;
    double length = -1;
    for (std::uint32_t h = 3 * triangle; h < 3 * triangle + 3; ++h) {
      const double l = (mesh_.vertices[origin(next(h))] - mesh_.vertices[origin(h)]).squaredNorm();
      if (l > length) longest = h;
      length = std::max(length, l);
    }
    return longest;
  }

  /// Not where the new edge is there already, or where the two triangles disagree on the outside.
  [[nodiscard]] bool can_flip(std::uint32_t h) const {
    if (!has_twin(h) || origin(twin_[h]) != origin(next(h))) return false;
    const std::uint32_t m = previous(h), c = origin(previous(twin_[h]));
    return origin(m) != c && !is_edge(m, c);
  }

  /// Whether an edge leads from the origin of half-edge `from` to a vertex: once around, or to the
  /// rim on either side.
  [[nodiscard]] bool is_edge(std::uint32_t from, std::uint32_t to) const {
    std::uint32_t h = from;
    for (int steps = 0; steps < 1000; ++steps) {
      if (origin(next(h)) == to || origin(previous(h)) == to) return true;
      if (!has_twin(previous(h))) break;
      h = twin_[previous(h)];
      if (h == from || origin(h) != origin(from)) return false;
    }
    h = from;
    for (int steps = 0; steps < 1000 && has_twin(h); ++steps) {
      h = next(twin_[h]);
      if (h == from || origin(h) != origin(from)) return false;
      if (origin(next(h)) == to) return true;
    }
    return false;
  }

  void pair_up(std::uint32_t h, std::uint32_t twin) {
    twin_[h] = twin;
    if (twin < EdgeMap::kNonmanifold) twin_[twin] = h;
  }

  /// Edge a-b of triangles a b m and b a c becomes edge m-c.
  void flip(std::uint32_t ab) {
    const std::uint32_t ba = twin_[ab], needle = ab / 3, other = ba / 3;
    const std::uint32_t a = origin(ab), b = origin(ba), m = origin(previous(ab)),
                        c = origin(previous(ba));
    const std::uint32_t bm = twin_[next(ab)], ma = twin_[previous(ab)], ac = twin_[next(ba)],
                        cb = twin_[previous(ba)];
    mesh_.triangles[needle] = {m, a, c};
    mesh_.triangles[other] = {m, c, b};
    pair_up(3 * needle, ma);
    pair_up(3 * needle + 1, ac);
    pair_up(3 * other + 1, cb);
    pair_up(3 * other + 2, bm);
    pair_up(3 * needle + 2, 3 * other);
  }

  TriangleMesh& mesh_;
  std::vector<std::uint32_t> twin_;
  std::vector<std::uint32_t> open_;
};

}  // namespace

bool is_flat(const std::vector<Vec3>& vertices, const Triangle& t, double height) {
  const Vec3 ab = vertices[t[1]] - vertices[t[0]];
  const Vec3 bc = vertices[t[2]] - vertices[t[1]];
  const Vec3 ca = vertices[t[0]] - vertices[t[2]];
  const double longest = std::max({ab.squaredNorm(), bc.squaredNorm(), ca.squaredNorm()});
  // |ab x bc| is the height over the longest edge times that edge.
  return !(ab.cross(bc).squaredNorm() > height * height * longest * longest);
}

std::size_t flip_needles(TriangleMesh& mesh) {
  std::vector<std::uint32_t> needles;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    if (is_flat(mesh.vertices, mesh.triangles[t], kNeedleHeight)) needles.push_back(t);
  }
  if (needles.empty()) return 0;
  return NeedleFlipper(mesh, std::move(needles)).run();
}

}  // namespace geste

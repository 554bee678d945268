#include "geste/geometry/internal/orientation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "geste/geometry/internal/nesting.hpp"

namespace geste {
namespace {

/// Triangles connected through edges of exactly two triangles.
struct Patch {
  std::uint32_t first_triangle = 0;
  std::uint32_t triangles = 0;
  std::uint32_t turned = 0;  ///< how many disagree with the first
  bool closed = true;        ///< every edge has exactly two triangles
  bool one_sided = false;    ///< no choice of sides makes all neighbours agree
};

/// Disjoint sets of triangles, each with the parity between it and its parent: whether the two
/// disagree on the outside. Parents come before their children in the mesh.
class ParityForest {
 public:
  explicit ParityForest(std::size_t size) : link_(size) {
    for (std::uint32_t i = 0; i < size; ++i) link_[i] = i << 1;
  }

  /// Joins the sets of `a` and `b`, whose parity is `odd`. False when their parity was known
  /// already and is another.
  bool join(std::uint32_t a, std::uint32_t b, std::uint32_t odd) {
    const std::uint32_t end_a = find(a), end_b = find(b);
    const std::uint32_t parity = (end_a ^ end_b ^ odd) & 1;
    if (end_a >> 1 == end_b >> 1) return parity == 0;
    const std::uint32_t low = std::min(end_a, end_b) >> 1, high = std::max(end_a, end_b) >> 1;
    link_[high] = low << 1 | parity;
    return true;
  }

  /// Turns the forest into labels, numbered by the first triangle of each set: label << 1 | parity
  /// to that triangle.
  std::vector<std::uint32_t> take_labels() {
    std::uint32_t labels = 0;
    for (std::uint32_t i = 0; i < link_.size(); ++i) {
      const std::uint32_t parent = link_[i] >> 1;
      link_[i] = parent == i ? labels++ << 1 : link_[parent] ^ (link_[i] & 1);
    }
    return std::move(link_);
  }

 private:
  /// root << 1 | parity of `i` to it, halving the path on the way.
  std::uint32_t find(std::uint32_t i) {
    std::uint32_t parity = 0;
    while (link_[i] >> 1 != i) {
      link_[i] = link_[link_[i] >> 1] ^ (link_[i] & 1);
      parity ^= link_[i] & 1;
      i = link_[i] >> 1;
    }
    return i << 1 | parity;
  }

  std::vector<std::uint32_t> link_;  ///< parent << 1 | parity
};

struct Patches {
  std::vector<Patch> list;
  std::vector<std::uint32_t> labels;  ///< per triangle: patch << 1 | disagrees with its first

  [[nodiscard]] std::uint32_t of(std::uint32_t t) const { return labels[t] >> 1; }
  /// Whether triangle `t` must be turned for its patch to agree: the majority keeps its sense;
  /// where there is none, the first triangle does.
  [[nodiscard]] bool is_turned(std::uint32_t t) const {
    const Patch& patch = list[of(t)];
    const bool invert = patch.turned > patch.triangles - patch.turned;
    return !patch.one_sided && ((labels[t] & 1) != 0) != invert;
  }
};

Patches find_patches(const TriangleMesh& mesh, const EdgeMap& edges) {
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  ParityForest forest(count);
  std::vector<std::uint32_t> conflicts;
  for (std::uint32_t h = 0; h < 3 * count; ++h) {
    const std::uint32_t twin = edges.twin[h];
    if (twin >= h) continue;  // each pair once; marks for no twin are high
    const std::uint32_t t = h / 3, other = twin / 3;
    const bool disagree =
        edges.misoriented_edges > 0 && mesh.triangles[t][h % 3] == mesh.triangles[other][twin % 3];
    if (!forest.join(other, t, disagree ? 1 : 0)) conflicts.push_back(t);
  }

  Patches patches;
  patches.labels = forest.take_labels();
  for (std::uint32_t t = 0; t < count; ++t) {
    if (patches.of(t) == patches.list.size()) patches.list.push_back({.first_triangle = t});
    Patch& patch = patches.list[patches.of(t)];
    ++patch.triangles;
    patch.turned += patches.labels[t] & 1;
    for (std::uint32_t h = 3 * t; h < 3 * t + 3; ++h) {
      if (edges.twin[h] >= EdgeMap::kNonmanifold) patch.closed = false;
    }
  }
  for (const std::uint32_t t : conflicts) patches.list[patches.of(t)].one_sided = true;
  return patches;
}

/// Pieces connected through edges of any kind: patches joined at edges of three or more triangles.
std::size_t count_components(const Patches& patches, const EdgeMap& edges) {
  ParityForest forest(patches.list.size());
  for (const auto& [a, b] : edges.nonmanifold_links) {
    forest.join(patches.of(a / 3), patches.of(b / 3), 0);
  }
  const std::vector<std::uint32_t> labels = forest.take_labels();
  std::uint32_t count = 0;
  for (const std::uint32_t label : labels) count = std::max(count, (label >> 1) + 1);
  return count;
}

/// The closed pieces with their sign of volume; `piece_of_patch` their index per patch, or -1.
std::vector<ClosedPiece> find_closed_pieces(const TriangleMesh& mesh, const Patches& patches,
                                            std::vector<std::int32_t>& piece_of_patch) {
  piece_of_patch.assign(patches.list.size(), -1);
  std::vector<ClosedPiece> pieces;
  for (std::size_t i = 0; i < patches.list.size(); ++i) {
    const Patch& patch = patches.list[i];
    if (!patch.closed || patch.one_sided) continue;
    piece_of_patch[i] = static_cast<std::int32_t>(pieces.size());
    pieces.emplace_back().probe = mesh.vertices[mesh.triangles[patch.first_triangle][0]];
  }
  if (pieces.empty()) return pieces;

  // Volumes of tetrahedra over the probe, and their magnitudes to tell a sign from rounding.
  struct Sums {
    double volume = 0, magnitude = 0;
  };
  std::vector<Sums> sums(pieces.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::int32_t index = piece_of_patch[patches.of(t)];
    if (index < 0) continue;
    const Vec3& o = pieces[index].probe;
    const Vec3 a = mesh.vertices[mesh.triangles[t][0]] - o;
    const Vec3 b = mesh.vertices[mesh.triangles[t][1]] - o;
    const Vec3 c = mesh.vertices[mesh.triangles[t][2]] - o;
    const double volume = a.dot(b.cross(c));
    sums[index].volume += patches.is_turned(t) ? -volume : volume;
    sums[index].magnitude += std::abs(volume);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].inward = sums[i].volume < -1e-10 * sums[i].magnitude;
  }
  return pieces;
}

}  // namespace

OrientationOutcome orient_triangles(TriangleMesh& mesh, const EdgeMap& edges) {
  const Patches patches = find_patches(mesh, edges);
  OrientationOutcome outcome;
  outcome.components = count_components(patches, edges);
  for (const Patch& patch : patches.list) outcome.consistent &= !patch.one_sided;

  std::vector<std::int32_t> piece_of_patch;
  std::vector<ClosedPiece> pieces = find_closed_pieces(mesh, patches, piece_of_patch);
  const auto piece_of = [&](std::uint32_t t) { return piece_of_patch[patches.of(t)]; };
  bool any_inward = false;
  for (const ClosedPiece& piece : pieces) any_inward |= piece.inward;
  if (any_inward) {
    std::vector<std::int32_t> piece_of_triangle(mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) piece_of_triangle[t] = piece_of(t);
    decide_flips(mesh, piece_of_triangle, pieces);
    for (const ClosedPiece& piece : pieces) {
      outcome.inward_components += piece.inward != piece.flip ? 1 : 0;
    }
  }
  if (!any_inward && edges.misoriented_edges == 0) return outcome;

  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const bool flip_piece = piece_of(t) >= 0 && pieces[piece_of(t)].flip;
    if (patches.is_turned(t) == flip_piece) continue;
    std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    ++outcome.flipped_triangles;
  }
  return outcome;
}

}  // namespace geste

#include "geste/geometry/internal/orientation.hpp"

#include <cmath>
#include <numeric>
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
  bool invert = false;       ///< turn those that agree with the first instead of the others
};

struct Patches {
  std::vector<Patch> list;
  std::vector<std::uint32_t> of;   ///< per triangle
  std::vector<std::uint8_t> turn;  ///< per triangle: disagrees with the patch's first
};

constexpr std::uint32_t kNoPatch = 0xFFFFFFFF;

/// Walks over one patch from its first triangle. `pending` is scratch.
Patch walk_patch(const TriangleMesh& mesh, const EdgeMap& edges, std::uint32_t first,
                 Patches& patches, std::vector<std::uint32_t>& pending) {
  const auto label = static_cast<std::uint32_t>(patches.list.size());
  Patch patch;
  patch.first_triangle = first;
  patches.of[first] = label;
  pending.assign(1, first);
  while (!pending.empty()) {
    const std::uint32_t t = pending.back();
    pending.pop_back();
    ++patch.triangles;
    patch.turned += patches.turn[t];
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t twin = edges.twin[3 * t + k];
      if (twin >= EdgeMap::kNonmanifold) {
        patch.closed = false;
        continue;
      }
      const std::uint32_t other = twin / 3;
      const bool disagree = mesh.triangles[t][k] == mesh.triangles[other][twin % 3];
      const auto turn = static_cast<std::uint8_t>(patches.turn[t] ^ (disagree ? 1 : 0));
      if (patches.of[other] == kNoPatch) {
        patches.of[other] = label;
        patches.turn[other] = turn;
        pending.push_back(other);
      } else if (patches.turn[other] != turn) {
        patch.one_sided = true;
      }
    }
  }
  // The majority keeps its sense; where there is none, the first triangle does.
  patch.invert = patch.turned > patch.triangles - patch.turned;
  return patch;
}

Patches find_patches(const TriangleMesh& mesh, const EdgeMap& edges) {
  Patches patches;
  patches.of.assign(mesh.triangles.size(), kNoPatch);
  patches.turn.assign(mesh.triangles.size(), 0);
  std::vector<std::uint32_t> pending;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    if (patches.of[t] != kNoPatch) continue;
    patches.list.push_back(walk_patch(mesh, edges, t, patches, pending));
  }
  return patches;
}

/// Pieces connected through edges of any kind: patches joined at edges of three or more triangles.
std::size_t count_components(const Patches& patches, const EdgeMap& edges) {
  std::vector<std::uint32_t> parent(patches.list.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::size_t count = patches.list.size();
  for (const auto& [a, b] : edges.nonmanifold_links) {
    const std::uint32_t root_a = root(patches.of[a / 3]);
    const std::uint32_t root_b = root(patches.of[b / 3]);
    if (root_a == root_b) continue;
    parent[std::max(root_a, root_b)] = std::min(root_a, root_b);
    --count;
  }
  return count;
}

bool is_turned(const Patches& patches, std::uint32_t t) {
  const Patch& patch = patches.list[patches.of[t]];
  return !patch.one_sided && (patches.turn[t] != 0) != patch.invert;
}

/// The closed pieces with their box and sign of volume; `piece_of` their index per triangle, or -1.
std::vector<ClosedPiece> measure_closed(const TriangleMesh& mesh, const Patches& patches,
                                        std::vector<std::int32_t>& piece_of) {
  std::vector<std::int32_t> piece_of_patch(patches.list.size(), -1);
  std::vector<ClosedPiece> pieces;
  for (std::size_t i = 0; i < patches.list.size(); ++i) {
    const Patch& patch = patches.list[i];
    if (!patch.closed || patch.one_sided) continue;
    piece_of_patch[i] = static_cast<std::int32_t>(pieces.size());
    pieces.emplace_back();
    const Triangle& t = mesh.triangles[patch.first_triangle];
    pieces.back().probe = mesh.vertices[t[0]];
  }
  if (pieces.empty()) return pieces;

  // Volumes of tetrahedra over the probe, and their magnitudes to tell a sign from rounding.
  std::vector<std::array<double, 2>> sums(pieces.size(), {0, 0});
  piece_of.resize(mesh.triangles.size());
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    const std::int32_t index = piece_of[i] = piece_of_patch[patches.of[i]];
    if (index < 0) continue;
    const Vec3& a = mesh.vertices[mesh.triangles[i][0]];
    const Vec3& b = mesh.vertices[mesh.triangles[i][1]];
    const Vec3& c = mesh.vertices[mesh.triangles[i][2]];
    ClosedPiece& piece = pieces[index];
    const Vec3& o = piece.probe;
    const double volume = (a - o).dot((b - o).cross(c - o));
    sums[index][0] += is_turned(patches, i) ? -volume : volume;
    sums[index][1] += std::abs(volume);
    piece.box.add(a);
    piece.box.add(b);
    piece.box.add(c);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].inward = sums[i][0] < -1e-10 * sums[i][1];
  }
  return pieces;
}

}  // namespace

OrientationOutcome orient_triangles(TriangleMesh& mesh, const EdgeMap& edges) {
  Patches patches = find_patches(mesh, edges);
  OrientationOutcome outcome;
  outcome.components = count_components(patches, edges);
  for (const Patch& patch : patches.list) outcome.consistent &= !patch.one_sided;

  std::vector<std::int32_t> piece_of;
  std::vector<ClosedPiece> pieces = measure_closed(mesh, patches, piece_of);
  decide_flips(mesh, piece_of, pieces);
  bool any_flip = edges.misoriented_edges > 0;
  for (const ClosedPiece& piece : pieces) {
    outcome.inward_components += piece.inward != piece.flip ? 1 : 0;
    any_flip |= piece.flip;
  }
  if (!any_flip) return outcome;

  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const bool flip_piece = !piece_of.empty() && piece_of[t] >= 0 && pieces[piece_of[t]].flip;
    if (is_turned(patches, t) == flip_piece) continue;
    std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    ++outcome.flipped_triangles;
  }
  return outcome;
}

}  // namespace geste

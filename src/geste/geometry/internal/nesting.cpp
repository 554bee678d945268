#include "geste/geometry/internal/nesting.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace geste {
namespace {

bool contains(const AxisBox& outer, const AxisBox& inner) {
  return (outer.min.array() <= inner.min.array()).all() &&
         (outer.max.array() >= inner.max.array()).all();
}

/// Whether the ray from `p` along +x meets the triangle. Seen along x, each edge takes the points
/// on its lower side; both triangles at an edge compute the same crossing, so no ray slips between.
bool ray_meets(const TriangleMesh& mesh, const Triangle& t, const Vec3& p) {
  bool inside = false;
  for (int k = 0; k < 3; ++k) {
    const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
    const Vec3& u = mesh.vertices[low];
    const Vec3& v = mesh.vertices[high];
    if ((u.z() > p.z()) == (v.z() > p.z())) continue;
    const double y = u.y() + (p.z() - u.z()) / (v.z() - u.z()) * (v.y() - u.y());
    if (y > p.y()) inside = !inside;
  }
  if (!inside) return false;
  const Vec3& a = mesh.vertices[t[0]];
  const Vec3 n = (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a);
  if (n.x() == 0) return false;
  return a.x() - (n.y() * (p.y() - a.y()) + n.z() * (p.z() - a.z())) / n.x() > p.x();
}

/// What may be spent on finding containers, in tests of boxes and triangles: about a second.
class Work {
 public:
  bool spend(std::size_t tests) {
    left_ -= std::min(left_, tests);
    return left_ > 0;
  }

 private:
  std::size_t left_ = 100'000'000;
};

using PieceLists = std::vector<std::vector<std::uint32_t>>;

/// For each piece those whose boxes lie in its own; nothing when it is too much work.
std::optional<PieceLists> find_inner_boxes(const TriangleMesh& mesh,
                                           std::span<const std::int32_t> piece_of,
                                           const std::vector<ClosedPiece>& pieces, Work& work) {
  std::vector<AxisBox> boxes(pieces.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (piece_of[i] < 0) continue;
    for (const std::uint32_t v : mesh.triangles[i]) boxes[piece_of[i]].add(mesh.vertices[v]);
  }
  std::vector<std::uint32_t> by_y(pieces.size());
  std::iota(by_y.begin(), by_y.end(), 0u);
  std::sort(by_y.begin(), by_y.end(),
            [&](std::uint32_t a, std::uint32_t b) { return boxes[a].min.y() < boxes[b].min.y(); });
  PieceLists inner(pieces.size());
  for (std::uint32_t outer = 0; outer < pieces.size(); ++outer) {
    const auto first =
        std::lower_bound(by_y.begin(), by_y.end(), boxes[outer].min.y(),
                         [&](std::uint32_t piece, double y) { return boxes[piece].min.y() < y; });
    for (auto i = first; i != by_y.end() && boxes[*i].min.y() <= boxes[outer].max.y(); ++i) {
      if (!work.spend(1)) return std::nullopt;
      if (*i != outer && contains(boxes[outer], boxes[*i])) inner[outer].push_back(*i);
    }
  }
  return inner;
}

/// Pairs (inner piece, outer piece), one for each time that the inner one's ray meets the outer
/// one; nothing when it is too much work.
std::optional<std::vector<std::uint64_t>> find_crossings(const TriangleMesh& mesh,
                                                         std::span<const std::int32_t> piece_of,
                                                         const std::vector<ClosedPiece>& pieces) {
  Work work;
  const auto inner = find_inner_boxes(mesh, piece_of, pieces, work);
  if (!inner) return std::nullopt;
  std::vector<std::uint64_t> crossings;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (piece_of[t] < 0) continue;
    const auto outer = static_cast<std::uint32_t>(piece_of[t]);
    if (!work.spend((*inner)[outer].size())) return std::nullopt;
    for (const std::uint32_t piece : (*inner)[outer]) {
      if (ray_meets(mesh, mesh.triangles[t], pieces[piece].probe)) {
        crossings.push_back(std::uint64_t{piece} << 32 | outer);
      }
    }
  }
  return crossings;
}

/// For each piece those around it: an odd number of crossings means inside.
PieceLists find_containers(std::vector<std::uint64_t> crossings, std::size_t pieces) {
  std::sort(crossings.begin(), crossings.end());
  PieceLists containers(pieces);
  for (std::size_t i = 0; i < crossings.size();) {
    std::size_t end = i;
    while (end < crossings.size() && crossings[end] == crossings[i]) ++end;
    if ((end - i) % 2 == 1) {
      containers[crossings[i] >> 32].push_back(static_cast<std::uint32_t>(crossings[i]));
    }
    i = end;
  }
  return containers;
}

}  // namespace

void decide_flips(const TriangleMesh& mesh, std::span<const std::int32_t> piece_of,
                  std::vector<ClosedPiece>& pieces) {
  if (pieces.size() == 1) {
    pieces.front().flip = pieces.front().inward;
    return;
  }
  auto crossings = find_crossings(mesh, piece_of, pieces);
  if (!crossings) return;
  const auto containers = find_containers(std::move(*crossings), pieces.size());

  std::vector<std::uint32_t> outer_first(pieces.size());
  std::iota(outer_first.begin(), outer_first.end(), 0u);
  std::stable_sort(outer_first.begin(), outer_first.end(), [&](std::uint32_t a, std::uint32_t b) {
    return containers[a].size() < containers[b].size();
  });
  for (const std::uint32_t i : outer_first) {
    ClosedPiece& piece = pieces[i];
    std::size_t deepest = 0;
    long winding = 0;
    for (const std::uint32_t c : containers[i]) {
      winding += pieces[c].inward != pieces[c].flip ? -1 : 1;
      if (containers[c].size() >= deepest) {
        deepest = containers[c].size();
        piece.flip = pieces[c].flip;
      }
    }
    if (piece.inward != piece.flip && winding <= 0) piece.flip = piece.inward;
  }
}

}  // namespace geste

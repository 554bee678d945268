#include "geste/geometry/mesh_tree.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "geste/geometry/internal/box_tree.hpp"
#include "geste/geometry/internal/edges.hpp"

namespace geste {
namespace {

/// A triangle with two equal corners has no edges to match: such a mesh was not cleaned.
bool find_closed(const TriangleMesh& mesh) {
  for (const Triangle& t : mesh.triangles) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
  }
  if (mesh.triangles.empty()) return false;
  const EdgeMap edges = match_edges(mesh.triangles, mesh.vertices.size());
  return edges.boundary_edges == 0 && edges.nonmanifold_edges == 0 && edges.misoriented_edges == 0;
}

/// The first vertex of each piece that triangles connect; union-find with path halving.
std::vector<std::uint32_t> find_pieces(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  std::vector<char> used(parent.size(), 0);
  for (const Triangle& t : mesh.triangles) {
    const std::uint32_t r0 = root(t[0]), r1 = root(t[1]), r2 = root(t[2]);
    const std::uint32_t least = std::min({r0, r1, r2});
    parent[r0] = parent[r1] = parent[r2] = least;
    used[t[0]] = used[t[1]] = used[t[2]] = 1;
  }
  std::vector<std::uint32_t> pieces;
  for (std::uint32_t v = 0; v < parent.size(); ++v) {
    if (parent[v] == v && used[v]) pieces.push_back(v);
  }
  return pieces;
}

const TriangleMesh& require(const MeshShape& mesh) {
  if (!mesh) throw std::invalid_argument("MeshTree: there is no mesh");
  constexpr double kMost = 1e9;  // products of three lengths stay within float
  for (const Vec3& v : mesh->vertices) {
    if (!v.allFinite() || v.cwiseAbs().maxCoeff() >= kMost)
      throw std::invalid_argument("MeshTree: a coordinate is not finite or above 1e9");
  }
  return *mesh;
}

}  // namespace

MeshTree::MeshTree(MeshShape mesh)
    : mesh_(std::move(mesh)),
      box_(compute_box(require(mesh_))),
      is_closed_(find_closed(*mesh_)),
      pieces_(find_pieces(*mesh_)),
      boxes_(std::make_shared<const internal::BoxTree>(internal::build_box_tree(*mesh_))) {}

std::size_t MeshTree::bytes() const {
  return boxes_->nodes.size() * sizeof(internal::BoxNode) +
         boxes_->leaves.size() * sizeof(internal::TriangleLeaf);
}

}  // namespace geste

#include "geste/geometry/mesh_tree.hpp"

#include <algorithm>
#include <stdexcept>

#include "geste/geometry/internal/box_tree.hpp"
#include "geste/geometry/internal/edges.hpp"
#include "geste/geometry/mesh_pieces.hpp"

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

/// The first vertex of each piece.
std::vector<std::uint32_t> find_pieces(const TriangleMesh& mesh) {
  const std::vector<std::uint32_t> label = label_pieces(mesh);
  std::vector<char> used(label.size(), 0);
  for (const Triangle& t : mesh.triangles) used[label[t[0]]] = 1;
  std::vector<std::uint32_t> pieces;
  for (std::uint32_t v = 0; v < label.size(); ++v) {
    if (used[v]) pieces.push_back(v);
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
  for (const Triangle& t : mesh->triangles) {
    if (std::max({t[0], t[1], t[2]}) >= mesh->vertices.size())
      throw std::invalid_argument("MeshTree: a triangle names a vertex that is not there");
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

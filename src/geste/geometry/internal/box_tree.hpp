#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geste/geometry/internal/float8.hpp"
#include "geste/geometry/mesh.hpp"

/// The tree below every mesh query: eight oriented boxes to a node, up to eight triangles to a
/// leaf, both as arrays of lanes (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", SIGGRAPH 1996; wide
/// nodes as in ray tracing).
namespace geste::internal {

/// What a lane of a node leads to: another node, a leaf (top bit), or nothing.
using ChildRef = std::uint32_t;
inline constexpr ChildRef kNoChild = 0xffffffffu;
inline constexpr ChildRef kLeafBit = 0x80000000u;

struct alignas(64) BoxNode {
  float centre[3][kLanes];
  float half[3][kLanes];
  float axes[9][kLanes];  ///< row-major rotation: column j is the box's axis j in the mesh's frame
  ChildRef child[kLanes];
};

/// Lanes beyond `count` repeat the last triangle.
struct alignas(32) TriangleLeaf {
  float vertex[9][kLanes];  ///< x, y, z of the three corners, from `centre`
  double centre[3];
  float half[3];  ///< of its box, about the centre
  float extent;   ///< largest distance of a corner from the centre
  std::uint32_t count;
  std::uint32_t triangle[kLanes];  ///< in the mesh
};

/// nodes[0] has one lane, the box of all; leaves hold every triangle once.
struct BoxTree {
  std::vector<BoxNode> nodes;
  std::vector<TriangleLeaf> leaves;
  float scale = 0;  ///< largest coordinate, for margins
};

BoxTree build_box_tree(const TriangleMesh& mesh);

}  // namespace geste::internal

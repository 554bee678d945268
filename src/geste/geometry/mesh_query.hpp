#pragma once

#include <memory>

#include "geste/geometry/internal/box_tree.hpp"
#include "geste/geometry/shape.hpp"
#include "geste/math/pose.hpp"

namespace geste {

struct MeshTree {
  explicit MeshTree(MeshShape m) : mesh(std::move(m)), tree(internal::build_box_tree(*mesh)) {}
  MeshShape mesh;
  internal::BoxTree tree;
};

struct PairSeed {
  std::uint32_t a = 0xffffffffu, b = 0xffffffffu;
};

struct StackEntry {
  float key;
  std::uint32_t node_a, node_b;
  std::uint8_t lane_a, lane_b;
};

struct QueryScratch {
  std::vector<StackEntry> stack;
  long boxes = 0, leaves = 0, tris = 0, exact = 0;
};

bool touches(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch,
             PairSeed* seed = nullptr);

struct MeshDistance {
  double distance;
  Vec3 on_a, on_b;
  std::uint32_t triangle_a, triangle_b;
};
MeshDistance distance(const MeshTree& a, const MeshTree& b, const Pose& X_AB, QueryScratch& scratch,
                      PairSeed* seed = nullptr);

}  // namespace geste

#include "geste/geometry/cover_boxes.hpp"

#include <queue>

#include "geste/geometry/internal/box_tree.hpp"

namespace geste {
namespace {

using namespace internal;

struct Lane {
  float across;
  std::uint32_t node;
  std::uint32_t lane;
  bool operator<(const Lane& other) const { return across < other.across; }
};

OrientedBox get_box(const BoxNode& n, std::uint32_t lane) {
  OrientedBox box;
  for (int i = 0; i < 3; ++i) {
    box.X.p[i] = n.centre[i][lane];
    box.half[i] = n.half[i][lane];
    for (int j = 0; j < 3; ++j) box.X.R(i, j) = n.axes[3 * i + j][lane];
  }
  // The tree's boxes are padded for float rotations; a rotation made whole may lose some of it.
  box.half.array() += 1e-6 * (box.half.maxCoeff() + box.X.p.cwiseAbs().maxCoeff());
  box.X.R = Quat(box.X.R).normalized().toRotationMatrix();
  return box;
}

}  // namespace

std::vector<OrientedBox> make_cover_boxes(const MeshTree& mesh, double size, std::size_t most) {
  const BoxTree& tree = mesh.boxes();
  std::vector<OrientedBox> boxes;
  if (tree.leaves.empty()) return boxes;
  const auto measure = [&](std::uint32_t node, std::uint32_t lane) {
    const BoxNode& n = tree.nodes[node];
    return Lane{2 * std::hypot(n.half[0][lane], n.half[1][lane], n.half[2][lane]), node, lane};
  };
  std::priority_queue<Lane> open;
  open.push(measure(0, 0));
  while (!open.empty()) {
    const Lane top = open.top();
    open.pop();
    const ChildRef child = tree.nodes[top.node].child[top.lane];
    const bool is_done =
        top.across < size || child & kLeafBit || open.size() + boxes.size() + kLanes > most;
    if (is_done) {
      boxes.push_back(get_box(tree.nodes[top.node], top.lane));
      continue;
    }
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if (tree.nodes[child].child[lane] != kNoChild) open.push(measure(child, lane));
    }
  }
  return boxes;
}

}  // namespace geste

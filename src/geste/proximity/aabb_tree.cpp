#include "geste/proximity/aabb_tree.hpp"

#include <algorithm>
#include <stdexcept>

namespace geste {
namespace {

/// Half the surface: what the chance of being met grows with.
double area(const AxisBox& box) {
  const Vec3 s = box.max - box.min;
  return s.x() * s.y() + s.y() * s.z() + s.z() * s.x();
}

AxisBox join(AxisBox a, const AxisBox& b) {
  a.add(b);
  return a;
}

bool contains(const AxisBox& outer, const AxisBox& inner) {
  return (outer.min.array() <= inner.min.array()).all() &&
         (inner.max.array() <= outer.max.array()).all();
}

}  // namespace

int AabbTree::insert(const AxisBox& box, int item) {
  if (!box.min.allFinite() || !box.max.allFinite())
    throw std::invalid_argument("AabbTree: a box is empty or not finite");
  const int leaf = make_node();
  nodes_[at(leaf)].box = box;
  nodes_[at(leaf)].item = item;
  link(leaf);
  return leaf;
}

void AabbTree::remove(int leaf) {
  unlink(leaf);
  unused_.push_back(leaf);
}

bool AabbTree::update(int leaf, const AxisBox& box, double slack) {
  if (!box.min.allFinite() || !box.max.allFinite())
    throw std::invalid_argument("AabbTree: a box is empty or not finite");
  if (contains(nodes_[at(leaf)].box, box)) return false;
  unlink(leaf);
  nodes_[at(leaf)].box = {box.min.array() - slack, box.max.array() + slack};
  link(leaf);
  return true;
}

void AabbTree::clear() {
  nodes_.clear();
  unused_.clear();
  root_ = kNone;
}

int AabbTree::make_node() {
  if (unused_.empty()) {
    nodes_.emplace_back();
    return static_cast<int>(nodes_.size()) - 1;
  }
  const int node = unused_.back();
  unused_.pop_back();
  nodes_[at(node)] = Node();
  return node;
}

/// Down by least added surface: beside a node costs the joint box and what its ancestors grow by.
int AabbTree::find_sibling(const AxisBox& box) const {
  int node = root_;
  while (!nodes_[at(node)].is_leaf()) {
    const Node& n = nodes_[at(node)];
    const double joined = area(join(n.box, box));
    const double here = 2 * joined, inherited = 2 * (joined - area(n.box));
    double cost[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const Node& c = nodes_[at(n.child[k])];
      cost[k] = inherited + area(join(c.box, box)) - (c.is_leaf() ? 0 : area(c.box));
    }
    if (here < std::min(cost[0], cost[1])) return node;
    node = n.child[cost[1] < cost[0] ? 1 : 0];
  }
  return node;
}

void AabbTree::replace_child(int parent, int from, int to) {
  if (parent == kNone) {
    root_ = to;
  } else {
    auto& child = nodes_[at(parent)].child;
    child[child[0] == from ? 0 : 1] = to;
  }
  if (to != kNone) nodes_[at(to)].parent = parent;
}

void AabbTree::link(int leaf) {
  nodes_[at(leaf)].parent = kNone;
  if (root_ == kNone) {
    root_ = leaf;
    return;
  }
  const int sibling = find_sibling(nodes_[at(leaf)].box);
  const int joint = make_node();
  replace_child(nodes_[at(sibling)].parent, sibling, joint);
  nodes_[at(joint)].child = {sibling, leaf};
  nodes_[at(sibling)].parent = joint;
  nodes_[at(leaf)].parent = joint;
  refit(joint);
}

void AabbTree::unlink(int leaf) {
  const int joint = nodes_[at(leaf)].parent;
  if (joint == kNone) {
    root_ = kNone;
    return;
  }
  const auto& child = nodes_[at(joint)].child;
  const int sibling = child[child[0] == leaf ? 1 : 0];
  const int above = nodes_[at(joint)].parent;
  replace_child(above, joint, sibling);
  unused_.push_back(joint);
  refit(above);
}

void AabbTree::refit(int node) {
  for (; node != kNone; node = nodes_[at(node)].parent) {
    rotate(node);
    Node& n = nodes_[at(node)];
    const Node& a = nodes_[at(n.child[0])];
    const Node& b = nodes_[at(n.child[1])];
    n.box = join(a.box, b.box);
    n.height = 1 + std::max(a.height, b.height);
  }
}

/// Where one child is deeper by more than one, its deeper child changes places with the other one.
void AabbTree::rotate(int node) {
  const auto child = nodes_[at(node)].child;
  const int balance = nodes_[at(child[1])].height - nodes_[at(child[0])].height;
  if (balance >= -1 && balance <= 1) return;
  const int deep = child[balance > 0 ? 1 : 0], flat = child[balance > 0 ? 0 : 1];
  const auto grand = nodes_[at(deep)].child;
  const bool second = nodes_[at(grand[1])].height > nodes_[at(grand[0])].height;
  const int up = grand[second ? 1 : 0], stay = grand[second ? 0 : 1];
  replace_child(deep, up, flat);
  replace_child(node, flat, up);
  Node& d = nodes_[at(deep)];
  d.box = join(nodes_[at(stay)].box, nodes_[at(flat)].box);
  d.height = 1 + std::max(nodes_[at(stay)].height, nodes_[at(flat)].height);
}

}  // namespace geste

#pragma once

#include <array>
#include <vector>

#include "geste/geometry/placed_box.hpp"

namespace geste {

/// A tree of boxes for things that come, go and move (E. Catto, "Dynamic Bounding Volume
/// Hierarchies", GDC 2019). Inserting and removing cost O(log n); queries are const and visit
/// O(log n) boxes plus those that answer.
class AabbTree {
 public:
  /// Memory of a query, one per thread.
  using Stack = std::vector<int>;

  /// Returns the leaf, which names the item from now on.
  int insert(const AxisBox& box, int item);
  void remove(int leaf);
  /// Leaves what still contains `box` alone; else puts the leaf where it belongs now, with room for
  /// `slack` in each direction, and returns true.
  bool update(int leaf, const AxisBox& box, double slack);
  void clear();

  [[nodiscard]] bool empty() const { return root_ == kNone; }
  /// Of all items.
  [[nodiscard]] AxisBox box() const { return empty() ? AxisBox() : nodes_[at(root_)].box; }
  /// Edges from the root to its farthest leaf.
  [[nodiscard]] int height() const { return empty() ? 0 : nodes_[at(root_)].height; }

  /// Calls visit(item) for every item whose box meets `box`, in an order that depends on the tree
  /// alone, until it returns true. Returns whether it did.
  template <class Visit>
  bool find(const AxisBox& box, Stack& stack, Visit visit) const;

  /// Calls visit(item) for items whose box is nearer to `box` than visit's last answer, nearer
  /// branches first. `limit` is the first answer.
  template <class Visit>
  void find_nearer(const AxisBox& box, double limit, Stack& stack, Visit visit) const;

 private:
  static constexpr int kNone = -1;
  struct Node {
    AxisBox box;
    int parent = kNone;
    std::array<int, 2> child{kNone, kNone};
    int height = 0;
    int item = kNone;
    [[nodiscard]] bool is_leaf() const { return child[0] == kNone; }
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static bool meet(const AxisBox& a, const AxisBox& b) {
    return (a.min.array() <= b.max.array()).all() && (b.min.array() <= a.max.array()).all();
  }

  int make_node();
  int find_sibling(const AxisBox& box) const;
  void link(int leaf);
  void unlink(int leaf);
  void refit(int node);
  void rotate(int node);
  void replace_child(int parent, int from, int to);

  std::vector<Node> nodes_;
  std::vector<int> unused_;
  int root_ = kNone;
};

template <class Visit>
bool AabbTree::find(const AxisBox& box, Stack& stack, Visit visit) const {
  if (root_ == kNone) return false;
  stack.assign(1, root_);
  while (!stack.empty()) {
    const Node& n = nodes_[at(stack.back())];
    stack.pop_back();
    if (!meet(n.box, box)) continue;
    if (n.is_leaf()) {
      if (visit(n.item)) return true;
    } else {
      stack.insert(stack.end(), n.child.begin(), n.child.end());
    }
  }
  return false;
}

template <class Visit>
void AabbTree::find_nearer(const AxisBox& box, double limit, Stack& stack, Visit visit) const {
  if (root_ == kNone) return;
  stack.assign(1, root_);
  while (!stack.empty()) {
    const Node& n = nodes_[at(stack.back())];
    stack.pop_back();
    if (!(compute_gap(n.box, box) < limit)) continue;
    if (n.is_leaf()) {
      limit = visit(n.item);
      continue;
    }
    const bool swap =
        compute_gap(nodes_[at(n.child[0])].box, box) < compute_gap(nodes_[at(n.child[1])].box, box);
    stack.push_back(n.child[swap ? 1 : 0]);
    stack.push_back(n.child[swap ? 0 : 1]);
  }
}

}  // namespace geste

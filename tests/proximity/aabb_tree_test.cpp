#include "geste/proximity/aabb_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "geste/core/rng.hpp"

namespace geste {
namespace {

AxisBox random_box(Rng& rng) {
  const Vec3 at(rng.uniform(-10, 10), rng.uniform(-10, 10), rng.uniform(-10, 10));
  const Vec3 half(rng.uniform(0, 0.5), rng.uniform(0, 0.5), rng.uniform(0, 0.5));
  return {at - half, at + half};
}

bool meet(const AxisBox& a, const AxisBox& b) { return compute_gap(a, b) == 0; }

/// Boxes as they should be, beside the tree under test.
struct Model {
  AabbTree tree;
  std::vector<AxisBox> box;
  std::vector<int> leaf;  ///< -1: not in the tree
  AabbTree::Stack stack;

  void check(Rng& rng) {
    const AxisBox query = random_box(rng);
    std::multiset<int> found, expected;
    tree.find(query, stack, [&](int i) {
      found.insert(i);
      return false;
    });
    for (std::size_t i = 0; i < box.size(); ++i) {
      if (leaf[i] >= 0 && meet(box[i], query)) expected.insert(static_cast<int>(i));
    }
    // Leaves may be larger than what they were updated with, never smaller.
    for (const int i : expected) EXPECT_EQ(found.count(i), 1u);
    for (const int i : found) EXPECT_LT(compute_gap(box[static_cast<std::size_t>(i)], query), 0.2);

    double nearest = kFar, best = kFar;
    for (std::size_t i = 0; i < box.size(); ++i) {
      if (leaf[i] >= 0) nearest = std::min(nearest, compute_gap(box[i], query));
    }
    tree.find_nearer(query, kFar, stack, [&](int i) {
      best = std::min(best, compute_gap(box[static_cast<std::size_t>(i)], query));
      return best;
    });
    EXPECT_EQ(best, nearest);
  }
  static constexpr double kFar = 1e9;
};

TEST(AabbTree, FindsWhatBruteForceFinds) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    Model m;
    for (int step = 0; step < 2000; ++step) {
      const double what = rng.uniform();
      const std::size_t n = m.box.size();
      const auto i = n > 0 ? static_cast<std::size_t>(rng.integer(0, static_cast<long>(n) - 1)) : 0;
      if (n == 0 || what < 0.4) {
        m.box.push_back(random_box(rng));
        m.leaf.push_back(m.tree.insert(m.box.back(), static_cast<int>(n)));
      } else if (m.leaf[i] < 0) {
        continue;
      } else if (what < 0.6) {
        m.tree.remove(m.leaf[i]);
        m.leaf[i] = -1;
      } else {
        const Vec3 by = what < 0.9 ? Vec3(rng.uniform(-0.1, 0.1), 0, 0) : random_box(rng).min;
        m.box[i] = {m.box[i].min + by, m.box[i].max + by};
        const int leaf = m.leaf[i];
        m.tree.update(leaf, m.box[i], 0.1);
      }
      if (step % 20 == 0) m.check(rng);
    }
  }
}

TEST(AabbTree, StaysFlat) {
  AabbTree tree;
  // In a row: what a tree without rotations would make a chain of.
  for (int i = 0; i < 4096; ++i) tree.insert({Vec3(i, 0, 0), Vec3(i + 0.5, 1, 1)}, i);
  EXPECT_LE(tree.height(), 30);
}

TEST(AabbTree, SmallMovesChangeNothing) {
  AabbTree tree;
  const int leaf = tree.insert({Vec3(0, 0, 0), Vec3(1, 1, 1)}, 7);
  EXPECT_TRUE(tree.update(leaf, {Vec3(0.1, 0, 0), Vec3(1.1, 1, 1)}, 0.5));
  EXPECT_FALSE(tree.update(leaf, {Vec3(0.4, 0, 0), Vec3(1.4, 1, 1)}, 0.5));
  EXPECT_TRUE(tree.update(leaf, {Vec3(0.8, 0, 0), Vec3(1.8, 1, 1)}, 0.5));
  tree.remove(leaf);
  EXPECT_TRUE(tree.empty());
  EXPECT_THROW(tree.insert(AxisBox(), 0), std::invalid_argument);
}

}  // namespace
}  // namespace geste

#include "geste/planning/forest.hpp"

#include <gtest/gtest.h>

#include "planning/planning_testing.hpp"

namespace geste {
namespace {

using namespace testing;
using Place = SearchForest::Place;

/// Trees that grow at random, with the legs that they are made of.
class RandomForest {
 public:
  RandomForest(const PlanningSpace& space, std::uint64_t seed)
      : forest(space), space_(space), rng_(seed), way_(space), x_(space.size()) {}

  int plant() {
    space_.sample(rng_, x_);
    return forest.plant(x_);
  }
  Place grow(int tree) {
    space_.sample(rng_, x_);
    return go_to(tree, x_);
  }
  /// From the nearest point of a tree.
  Place go_to(int tree, ConstVecRef x) {
    const Place near = forest.find_nearest(tree, x);
    way_.clear();
    way_.add(forest[near]);
    way_.add(x);
    legs_.emplace_back(forest[near], x);
    return forest.add(way_, near);
  }
  [[nodiscard]] bool has_leg(ConstVecRef a, ConstVecRef b) const {
    for (const auto& [from, to] : legs_)
      if ((from == a && to == b) || (from == b && to == a)) return true;
    return false;
  }

  SearchForest forest;

 private:
  const PlanningSpace& space_;
  Rng rng_;
  Way way_;
  VecX x_;
  std::vector<std::pair<VecX, VecX>> legs_;
};

// A law: a path between roots goes along legs of the trees, none of them twice.
TEST(Forest, FindsPathsOverMeetings) {
  Playground p(make_window_world());
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomForest random(p.space, seed);
    SearchForest& forest = random.forest;
    constexpr int kTrees = 6;
    for (int t = 0; t < kTrees; ++t) EXPECT_EQ(random.plant(), t);
    for (int k = 0; k < 60; ++k) random.grow(k % kTrees);
    EXPECT_EQ(forest.count_components(), kTrees);
    // A star whose middle is the last tree.
    for (int t = 0; t + 1 < kTrees; ++t) {
      const Place met = random.grow(t);
      EXPECT_FALSE(forest.have_met(t, kTrees - 1));
      forest.join(met, random.go_to(kTrees - 1, forest[met]));
      EXPECT_TRUE(forest.have_met(t, kTrees - 1));
    }
    EXPECT_EQ(forest.count_components(), 1);
    for (int to = 1; to < kTrees; ++to) {
      const MatX path = forest.find_path(0, to);
      EXPECT_EQ(path.col(0), (forest[{0, 0}]));
      EXPECT_EQ(path.rightCols(1), (forest[{to, 0}]));
      for (Eigen::Index k = 1; k < path.cols(); ++k) {
        EXPECT_TRUE(random.has_leg(path.col(k - 1), path.col(k))) << seed << " " << to;
        for (Eigen::Index i = 0; i < k; ++i) EXPECT_NE(path.col(i), path.col(k));
      }
    }
  }
}

TEST(Forest, KnowsStrangers) {
  Playground p(make_window_world());
  RandomForest random(p.space, 3);
  SearchForest& forest = random.forest;
  EXPECT_EQ(forest.measure_distance(p.space.rest()), kInfinity);
  random.plant();
  EXPECT_FALSE(forest.find_nearest_stranger(0, forest[{0, 0}]));
  random.plant();
  const auto stranger = forest.find_nearest_stranger(0, forest[{0, 0}]);
  ASSERT_TRUE(stranger);
  EXPECT_EQ(stranger->tree, 1);
  EXPECT_EQ(forest.measure_distance(forest[{1, 0}]), 0);
  const Place met = random.grow(0);
  forest.join(met, random.go_to(1, forest[met]));
  EXPECT_FALSE(forest.find_nearest_stranger(0, forest[{0, 0}]));
}

}  // namespace
}  // namespace geste

#pragma once

#include <optional>

#include "geste/planning/tree.hpp"

namespace geste {

/// Trees that grow until they meet.
class SearchForest {
 public:
  struct Place {
    int tree = 0;
    int point = 0;
  };

  explicit SearchForest(const PlanningSpace& space) : space_(&space), all_(space) {}

  /// Trees, numbered as they were planted.
  [[nodiscard]] int size() const { return static_cast<int>(trees_.size()); }
  [[nodiscard]] int count_points() const { return all_.size(); }
  /// How many parts there are of trees that have met.
  [[nodiscard]] int count_components() const { return components_; }
  [[nodiscard]] auto operator[](Place place) const { return tree(place.tree)[place.point]; }
  [[nodiscard]] bool have_met(int a, int b) const { return component(a) == component(b); }
  /// A number that all trees that have met share.
  [[nodiscard]] int component(int tree) const { return component_[at(tree)]; }

  /// A tree of one point.
  int plant(ConstVecRef x);
  /// Adds every point of the way but the first, which is `from`. The last one's place.
  Place add(const Way& way, Place from);
  /// Two places with the same point, of trees that have not met.
  void join(Place a, Place b);

  [[nodiscard]] Place find_nearest(int tree, ConstVecRef x) {
    return {tree, trees_[at(tree)].find_nearest(x)};
  }
  /// How far x is from the nearest point of all trees.
  [[nodiscard]] double measure_distance(ConstVecRef x);
  /// Of a few points that are near, the nearest of a tree that `tree` has not met.
  [[nodiscard]] std::optional<Place> find_nearest_stranger(int tree, ConstVecRef x);

  /// From the root of one tree to that of another that it has met.
  [[nodiscard]] MatX find_path(int from, int to) const;

 private:
  struct Meeting {
    Place a;
    Place b;
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] const SearchTree& tree(int i) const { return trees_[at(i)]; }
  void note(Place place);
  bool find_meetings(int from, int to, int before, std::vector<Meeting>& chain) const;
  /// Within one tree.
  void append(int tree, int from, int to, Way& way) const;

  const PlanningSpace* space_;
  std::vector<SearchTree> trees_;
  std::vector<int> component_;  ///< by tree
  int components_ = 0;
  std::vector<Meeting> meetings_;
  NearestSet all_;
  std::vector<Place> places_;  ///< by number in all_
  std::vector<int> near_;
};

}  // namespace geste

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geste/planning/space.hpp"

namespace geste {

/// Points of a space, asked for those nearest to another.
///
/// Points are kept in leaves of up to sixty-four that lie near each other. Boxes about the leaves,
/// and then the points of those that may hold the nearest, are measured sixty-four at a time in
/// floats. The answer is that of looking at all points, rounded to floats; of those that are as
/// near the first that came.
class NearestSet {
 public:
  explicit NearestSet(const PlanningSpace& space);

  [[nodiscard]] int size() const { return size_; }
  void clear();
  /// Points are numbered as they come.
  void add(ConstVecRef x);
  /// Of a set with points.
  [[nodiscard]] int find_nearest(ConstVecRef x);
  /// The `count` nearest, nearest first; fewer where there are no more.
  void find_nearest(ConstVecRef x, int count, std::vector<int>& found);

 private:
  static constexpr int kBlock = 64;
  /// How entries make a distance.
  enum class Kind : std::uint8_t { plain, circular, rotation };
  struct Axis {
    Kind kind = Kind::plain;
    int x = 0;
    float weight = 1;
  };
  /// How leaves are told apart when a point comes.
  struct Node {
    int leaf = 0;
    int first_child = -1;  ///< and the one behind it; -1: it is the leaf
    int entry = 0;         ///< points whose entry is less than `split` are the first child's
    float split = 0;
  };
  using Squares = std::array<float, kBlock>;

  /// The entries as floats, rotations with their last entry positive.
  void read(ConstVecRef x, std::vector<float>& entries) const;
  /// Squared distances of a leaf's points to query_; infinite behind the last.
  void measure(int leaf, Squares& squared) const;
  /// Of kBlock leaves: no point of theirs is nearer to query_; squared.
  void bound(int first_leaf, float* squared) const;
  /// Shows leaves to visit(leaf, squared distances), the likeliest first, until none can hold what
  /// is nearer than its last answer.
  template <class Visit>
  void search(Visit visit);

  int add_leaf();
  void put(int leaf, const float* x, int number);
  void clear_leaf(int leaf);
  [[nodiscard]] int find_widest(int leaf) const;
  void split(int node);

  [[nodiscard]] int leaf_count() const { return static_cast<int>(counts_.size()); }
  [[nodiscard]] std::size_t find_values(int leaf) const;
  [[nodiscard]] std::size_t find_box(int leaf) const;

  std::vector<Axis> axes_;
  int entries_ = 0;
  int size_ = 0;
  std::vector<Node> nodes_;
  std::vector<int> counts_;    ///< points, by leaf
  std::vector<int> numbers_;   ///< of the points, kBlock by leaf
  std::vector<float> points_;  ///< leaf by leaf, entry by entry, kBlock values each
  std::vector<float> boxes_;   ///< kBlock leaves by kBlock leaves, entry by entry: the low ends of
                               ///< all, then the high ones
  std::vector<float> query_, point_;
  std::vector<float> bounds_;
  std::vector<std::pair<float, int>> order_;
};

}  // namespace geste

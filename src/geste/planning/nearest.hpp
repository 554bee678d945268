#pragma once

#include <cstdint>
#include <vector>

#include "geste/planning/space.hpp"

namespace geste {

/// Points of a space, asked for those nearest to another.
///
/// All points are looked at, sixty-four at a time in floats: for the sizes of trees and roadmaps
/// here that is faster than keeping order (a thousand points of seven entries take a microsecond).
/// Distances are rounded to floats, so of two that are as near to six digits either may be told.
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

  /// Squared distances of a block to the point in query_.
  void measure(std::size_t block, float* squared) const;

  std::vector<Axis> axes_;
  int entries_ = 0;
  int size_ = 0;
  std::vector<float> blocks_;  ///< block by block, entry by entry, kBlock values each
  std::vector<float> query_;
  std::vector<std::pair<float, int>> order_;
};

}  // namespace geste

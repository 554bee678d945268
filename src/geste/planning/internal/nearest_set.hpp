#pragma once

#include <array>
#include <vector>

#include "geste/planning/space.hpp"

namespace geste {

/// Points of a space by their features, and which of them is nearest to another: all are looked
/// at, eight at a time. Cost: about half a nanosecond per point and feature.
class NearestSet {
 public:
  explicit NearestSet(const PlanningSpace& space);

  [[nodiscard]] int size() const { return size_; }
  void clear() { size_ = 0, blocks_.clear(); }
  void add(std::span<const float> features);

  struct Found {
    int index = -1;
    float distance = 0;
  };
  /// The lowest of those that are nearest. The set must not be empty.
  [[nodiscard]] Found find_nearest(std::span<const float> features) const;
  /// The `k` nearest, or all where they are fewer, nearest first.
  void find_nearest(std::span<const float> features, int k, std::vector<Found>& found) const;

 private:
  static constexpr int kLanes = 8;
  using Squares = std::array<float, kLanes>;
  void compute_squares(std::span<const float> features, std::size_t block, Squares& squares) const;

  std::size_t features_;
  std::vector<bool> is_turn_;  ///< by feature: a quaternion begins here
  std::vector<float> blocks_;  ///< features of eight points after those of the eight before
  int size_ = 0;
};

}  // namespace geste

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geste/math/types.hpp"

namespace geste {

/// Numbers points from 0 in the order they are added; a point at exactly the coordinates of an
/// earlier one (-0 equals 0) gets that one's number. Coordinates are finite; at most 2^32 - 1
/// different points. Constant time per point, expected.
class PointWelder {
 public:
  /// `expected`: about how many different points will come; more or fewer are fine.
  explicit PointWelder(std::size_t expected);

  /// Writes the number of each point to `numbers`, which is as long as `points`. Many at a time
  /// are faster than one by one.
  void add(std::span<const Vec3> points, std::span<std::uint32_t> numbers);

  /// The different points; the welder is empty afterwards.
  std::vector<Vec3> take_points();

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0xFFFFFFFF;
  };

  [[nodiscard]] std::size_t home(std::uint32_t hash) const { return hash >> (32 - bits_); }
  std::uint32_t add_one(const Vec3& point, std::uint32_t hash);
  void grow();

  std::vector<Vec3> points_;
  std::vector<Slot> slots_;
  int bits_ = 4;
};

}  // namespace geste

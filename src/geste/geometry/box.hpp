#pragma once

#include <limits>

#include "geste/math/types.hpp"

namespace geste {

/// An axis-aligned box; empty (min > max) until something is added.
struct AxisBox {
  Vec3 min = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 max = Vec3::Constant(-std::numeric_limits<double>::infinity());

  [[nodiscard]] bool empty() const { return (min.array() > max.array()).any(); }
  [[nodiscard]] Vec3 size() const { return empty() ? Vec3(Vec3::Zero()) : Vec3(max - min); }
  [[nodiscard]] Vec3 centre() const { return 0.5 * (min + max); }
  /// The longest edge; 0 when empty.
  [[nodiscard]] double extent() const { return size().maxCoeff(); }

  void add(const Vec3& p) {
    min = min.cwiseMin(p);
    max = max.cwiseMax(p);
  }
  void add(const AxisBox& other) {
    min = min.cwiseMin(other.min);
    max = max.cwiseMax(other.max);
  }
};

}  // namespace geste

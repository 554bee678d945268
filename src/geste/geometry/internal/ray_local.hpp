#pragma once

#include <cstdint>
#include <limits>

#include "geste/math/types.hpp"

namespace geste::internal {

inline constexpr std::uint32_t kNoIndex = 0xffffffffu;

/// A line in a shape's frame, and the stretch of it that counts.
struct LocalRay {
  Vec3 origin;
  Vec3 direction;  ///< unit
  double low;      ///< hits at low <= t <= high count
  double high;
  double rounding;  ///< m, what the way into this frame may have cost
  bool any;         ///< any hit will do, not only the first
};

struct SurfaceHit {
  double t = std::numeric_limits<double>::infinity();
  Vec3 normal = Vec3::UnitZ();  ///< unit, outwards
};

}  // namespace geste::internal

#pragma once

#include "geste/math/types.hpp"

namespace geste {

/// Where a search shows how it grows: lines in the world, in m. `add` may be called from any
/// thread.
class GrowthSink {
 public:
  virtual ~GrowthSink() = default;
  virtual void add(const Vec3& from, const Vec3& to) = 0;
};

}  // namespace geste

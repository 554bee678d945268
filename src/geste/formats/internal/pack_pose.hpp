#pragma once

#include <nlohmann/json.hpp>

#include "geste/math/pose.hpp"

namespace geste {

/// [x, y, z, qx, qy, qz, qw]
inline nlohmann::ordered_json pack_pose(const Pose& X) {
  const Quat q = X.quaternion();
  return {X.p.x(), X.p.y(), X.p.z(), q.x(), q.y(), q.z(), q.w()};
}

}  // namespace geste

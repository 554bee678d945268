#pragma once

#include <vector>

#include "geste/model/scene.hpp"

namespace geste {

/// A motion as configurations at moments; between them the joints interpolate (configuration.hpp).
struct JointMotion {
  std::vector<double> times;  ///< s, strictly increasing
  MatX q;                     ///< nq x times: one column per moment
};

/// The configuration at time t, held before the first and after the last moment. A motion without
/// moments throws std::invalid_argument.
void interpolate(const Scene& scene, const JointMotion& motion, double t, VecRef q_out);

}  // namespace geste

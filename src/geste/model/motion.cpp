#include "geste/model/motion.hpp"

#include <algorithm>
#include <stdexcept>

#include "geste/model/configuration.hpp"

namespace geste {

void interpolate(const Scene& scene, const JointMotion& motion, double t, VecRef q_out) {
  if (motion.times.empty()) throw std::invalid_argument("interpolate: the motion has no moment");
  const auto after = std::upper_bound(motion.times.begin(), motion.times.end(), t);
  if (after == motion.times.begin()) {
    q_out = motion.q.col(0);
    return;
  }
  const auto k = after - motion.times.begin();
  if (after == motion.times.end()) {
    q_out = motion.q.col(k - 1);
    return;
  }
  const double t0 = *std::prev(after);
  interpolate(scene, motion.q.col(k - 1), motion.q.col(k), (t - t0) / (*after - t0), q_out);
}

}  // namespace geste

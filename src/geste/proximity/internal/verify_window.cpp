#include "geste/proximity/internal/verify_window.hpp"

#include <algorithm>

#include "geste/core/parallel.hpp"
#include "geste/model/kinematics.hpp"

namespace geste::internal {

std::size_t choose_window_size(const Scene& scene) {
  constexpr std::size_t kBytes = std::size_t{32} << 20, kMost = 64;
  const std::size_t each = scene.movers().size() * (sizeof(Pose) + sizeof(JointRate));
  return std::clamp<std::size_t>(kBytes / each, 1, kMost);
}

VerifyWindow make_window(const Scene& scene, const JointMotion& motion, std::size_t first,
                         std::size_t end, int threads) {
  VerifyWindow window{first, end, {}, {}};
  window.X_WM.resize(end - first + 1);
  window.rates.resize(end - first);
  const auto q = [&](std::size_t i) { return motion.q.col(static_cast<Eigen::Index>(first + i)); };
  parallel_for_scratch(
      window.X_WM.size(), threads, [&] { return Workspace(scene); },
      [&](std::size_t i, Workspace& workspace) {
        compute_kinematics(scene, q(i), workspace);
        window.X_WM[i] = workspace.X_WM();
      });
  parallel_for(window.rates.size(), threads, [&](std::size_t i) {
    window.rates[i] =
        compute_rates(scene, q(i), q(i + 1), motion.course, window.X_WM[i], window.X_WM[i + 1]);
  });
  return window;
}

}  // namespace geste::internal

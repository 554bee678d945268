#include "geste/proximity/internal/verify_stray.hpp"

#include <algorithm>

#include "geste/model/kinematics.hpp"

namespace geste::internal {

VerifyStrays measure_strays(const Scene& scene, const JointMotion& motion,
                            const CancelToken& cancel) {
  VerifyStrays out;
  StrayBound bound(scene);
  if (!bound.is_needed()) return out;
  out.joints.resize(scene.movers().size());
  Workspace at_begin(scene), at_end(scene);
  const auto q = [&](std::size_t i) { return motion.q.col(static_cast<Eigen::Index>(i)); };
  compute_kinematics(scene, q(0), at_end);
  for (std::size_t leg = 0; leg + 1 < motion.times.size() && !cancel.requested(); ++leg) {
    if (auto failure = bound.compute(q(leg), q(leg + 1), motion.course)) {
      const double t0 = motion.times[leg];
      out.broken = {t0 + failure->at * (motion.times[leg + 1] - t0), std::move(failure->what)};
      return out;
    }
    std::swap(at_begin, at_end);
    compute_kinematics(scene, q(leg + 1), at_end);
    const std::vector<JointRate> rates =
        compute_rates(scene, q(leg), q(leg + 1), motion.course, at_begin.X_WM(), at_end.X_WM());
    for (std::size_t i = 0; i < rates.size(); ++i) {
      JointRate& most = out.joints[i];
      most.turn = std::max(most.turn, bound.strays()[i].angular);
      most.shift = std::max(most.shift, bound.strays()[i].linear);
      most.arm = std::max(most.arm, rates[i].arm);
    }
  }
  return out;
}

double bound_stray(const Scene& scene, std::span<const JointRate> strays, const Ball& ball,
                   int above) {
  if (strays.empty()) return 0;
  double total = 0;
  double reach = ball.centre.norm() + ball.radius;
  for (int m = ball.mover; m != above;) {
    const auto i = static_cast<std::size_t>(m);
    total += strays[i].shift + strays[i].turn * reach;
    reach += strays[i].arm + strays[i].shift;
    m = scene.movers()[i].parent;
  }
  return total;
}

}  // namespace geste::internal

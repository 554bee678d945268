#include "geste/planning/internal/path_time.hpp"

#include <algorithm>
#include <cmath>

#include "geste/model/joint_manifold.hpp"

namespace geste::internal {

PathTime::PathTime(const PlanningSpace& space, const TimingOptions& timing)
    : space_(space),
      velocity_(make_rate_limits(space, timing).velocity),
      start_up_(timing.start_up),
      // A tenth of full speed is a stop: SpeedProfile's 2 rate jump / frame against the limit.
      rests_above_(5 * timing.frame / timing.start_up),
      before_(3 * velocity_.size()),
      here_(3 * velocity_.size()) {}

double PathTime::compute_pace(ConstVecRef a, ConstVecRef b, VecX& pace) const {
  pace.setZero();
  double seconds = 0, v[6];
  Eigen::Index row = 0;
  const PlanningSpace::Item* last = nullptr;
  visit_rates(space_, [&](const Rate& rate) {
    const PlanningSpace::Item& item = *rate.item;
    const double *from = a.data() + item.x, *to = b.data() + item.x;
    if (&item != last) difference(item.joint, from, to, v);
    last = &item;
    double squared = 0;
    for (int k = 0; k < rate.count; ++k) {
      const double gone = rate.slides && rate.count > 1 ? to[k] - from[k] : v[rate.first + k];
      pace[3 * row + k] = gone / velocity_[row];
      squared += pace[3 * row + k] * pace[3 * row + k];
    }
    seconds = std::max(seconds, squared);
    ++row;
  });
  seconds = std::sqrt(seconds);
  if (seconds > 0) pace /= seconds;
  return seconds;
}

double PathTime::measure_jump(const VecX& a, const VecX& b) const {
  double squared = 0;
  for (Eigen::Index k = 0; k < a.size(); k += 3)
    squared = std::max(squared, (a.segment<3>(k) - b.segment<3>(k)).squaredNorm());
  return std::sqrt(squared);
}

double PathTime::measure_rest_to_rest(double seconds) const {
  return seconds >= start_up_ ? seconds + start_up_ : 2 * std::sqrt(seconds * start_up_);
}

PathTime::Estimate PathTime::measure(const Eigen::Ref<const MatX>& path) {
  constexpr double kStraight = 1e-6;
  Estimate estimate;
  double run = 0;  // seconds since the last rest
  for (Eigen::Index i = 1; i < path.cols(); ++i) {
    const double seconds = compute_pace(path.col(i - 1), path.col(i), here_);
    if (!(seconds > 0)) continue;
    const double jump = run > 0 ? measure_jump(before_, here_) : 0;
    if (jump > rests_above_) {
      estimate.seconds += measure_rest_to_rest(run);
      run = 0;
    } else if (jump > kStraight) {
      estimate.is_exact = false;
    }
    run += seconds;
    std::swap(before_, here_);
  }
  if (run > 0) estimate.seconds += measure_rest_to_rest(run);
  return estimate;
}

double PathTime::measure_corner(double before, double behind, double jump) const {
  const double reach = std::min(before, behind) / 2;
  const double speed = std::min(1.0, std::sqrt(2 * reach / std::max(jump * start_up_, 1e-12)));
  // Slower around the corner, and slowing down before and speeding up behind it.
  const double rounded = 2 * reach * (1 / speed - 1) + start_up_ * (1 - speed) * (1 - speed);
  const double resting = measure_rest_to_rest(before) + measure_rest_to_rest(behind) -
                         measure_rest_to_rest(before + behind);
  return std::min(rounded, resting);
}

double PathTime::measure_rounded(const Eigen::Ref<const MatX>& path) {
  double seconds = 0, corners = 0, before = 0;
  for (Eigen::Index i = 1; i < path.cols(); ++i) {
    const double here = compute_pace(path.col(i - 1), path.col(i), here_);
    if (!(here > 0)) continue;
    if (before > 0) corners += measure_corner(before, here, measure_jump(before_, here_));
    seconds += here;
    before = here;
    std::swap(before_, here_);
  }
  return measure_rest_to_rest(seconds) + corners;
}

}  // namespace geste::internal

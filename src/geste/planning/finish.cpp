#include "geste/planning/finish.hpp"

#include <algorithm>

#include "geste/core/index.hpp"
#include "geste/planning/internal/path_time.hpp"

namespace geste {
namespace {

double duration_of(const FinishedMotion& finished) { return finished.motion.times.back(); }

/// Rounded or not, whichever is quicker.
FinishedMotion go_along(const MatX& path, const FinishOptions& options, LocalPlanner& local) {
  const PlanningWorld& world = local.world();
  const Course course = world.steering.course();
  FinishedMotion plain{path, 0, make_timed(world.space, course, path, options.timing)};
  FinishedMotion curved{path, 0, {}};
  MatX rounded = path;
  curved.rounded = round_corners(rounded, options.round, options.timing, local);
  if (curved.rounded == 0) return plain;
  curved.motion = make_timed(world.space, course, rounded, options.timing);
  return duration_of(curved) < duration_of(plain) ? curved : plain;
}

/// A path that becomes quicker by shortcuts, as far as can be told before corners are rounded.
class Quickener {
 public:
  Quickener(const MatX& path, const FinishOptions& options, LocalPlanner& local, Rng& rng)
      : local_(local),
        space_(local.world().space),
        time_(space_, options.timing),
        rounds_(options.round.is_on),
        rng_(rng),
        path_(path),
        from_(space_.size()),
        to_(space_.size()) {
    seconds_ = measure(path_);
    measure_lengths();
  }

  [[nodiscard]] const MatX& path() const { return path_; }

  /// Between two random places; whether it is quicker now.
  bool try_shortcut() {
    double a = rng_.uniform(0, lengths_.back()), b = rng_.uniform(0, lengths_.back());
    if (a > b) std::swap(a, b);
    const auto items = std::ssize(space_.items());
    // All joints, or one of them.
    const auto item = items > 1 && rng_.uniform() < 0.5 ? rng_.integer(0, items - 1) : -1;
    const int i = put_point(a, from_), j = put_point(b, to_);
    if (i == j) return false;
    if (item < 0)
      put_straight(i, j);
    else
      put_partial(space_.items()[at(static_cast<int>(item))], i, j, a, b);
    constexpr double kQuicker = 1e-4;
    const double seconds = measure(candidate_);
    if (!(seconds < (1 - kQuicker) * seconds_) || !is_proven(i)) return false;
    take(seconds);
    return true;
  }

  /// Leaves points out that a path has no need of.
  void skip_points() {
    for (int i = 1; i + 1 < path_.cols();) {
      candidate_.resize(path_.rows(), path_.cols() - 1);
      candidate_ << path_.leftCols(i), path_.rightCols(path_.cols() - i - 1);
      const double seconds = measure(candidate_);
      changed_ = 1;
      if (seconds <= seconds_ && is_proven(i - 1))
        take(seconds);
      else
        ++i;
    }
  }

 private:
  double measure(const MatX& path) {
    return rounds_ ? time_.measure_rounded(path) : time_.measure(path).seconds;
  }

  void measure_lengths() {
    lengths_.assign(1, 0);
    for (Eigen::Index k = 1; k < path_.cols(); ++k)
      lengths_.push_back(lengths_.back() + space_.distance(path_.col(k - 1), path_.col(k)));
  }

  void take(double seconds) {
    path_.swap(candidate_);
    seconds_ = seconds;
    measure_lengths();
  }

  /// The point at a length; the point of the path before it.
  int put_point(double s, VecRef x) const {
    const auto after = std::upper_bound(lengths_.begin() + 1, lengths_.end() - 1, s);
    const int k = static_cast<int>(after - lengths_.begin()) - 1;
    const double whole = *after - lengths_[at(k)];
    const double share = whole > 0 ? std::clamp((s - lengths_[at(k)]) / whole, 0.0, 1.0) : 0;
    space_.interpolate(path_.col(k), path_.col(k + 1), Course::straight, share, x);
    return k;
  }

  void put_straight(int i, int j) {
    const Eigen::Index behind = path_.cols() - j - 1;
    candidate_.resize(path_.rows(), i + 3 + behind);
    candidate_ << path_.leftCols(i + 1), from_, to_, path_.rightCols(behind);
    changed_ = 3;
  }

  /// One joint goes evenly from a to b, the others as they did.
  void put_partial(const PlanningSpace::Item& item, int i, int j, double a, double b) {
    const Eigen::Index behind = path_.cols() - j - 1;
    candidate_.resize(path_.rows(), j + 3 + behind);
    candidate_ << path_.leftCols(i + 1), from_, path_.middleCols(i + 1, j - i), to_,
        path_.rightCols(behind);
    VecX point(space_.size());
    for (int k = i + 1; k <= j; ++k) {
      space_.interpolate(from_, to_, Course::straight, (lengths_[at(k)] - a) / (b - a), point);
      candidate_.col(k + 1).segment(item.x, item.joint.nq) = point.segment(item.x, item.joint.nq);
    }
    changed_ = j - i + 3;
  }

  /// Segments of the candidate from point i on, as many as were changed.
  bool is_proven(int i) {
    for (int k = i; k < i + changed_; ++k)
      if (candidate_.col(k) != candidate_.col(k + 1) &&
          !local_.is_leg_free(candidate_.col(k), candidate_.col(k + 1)))
        return false;
    return true;
  }

  LocalPlanner& local_;
  const PlanningSpace& space_;
  internal::PathTime time_;
  bool rounds_;
  Rng& rng_;
  MatX path_, candidate_;
  double seconds_ = 0;
  std::vector<double> lengths_;
  VecX from_, to_;  ///< where a shortcut begins and ends
  int changed_ = 0;
};

}  // namespace

FinishedMotion finish(const MatX& path, const FinishOptions& options, LocalPlanner& local,
                      const Budget& budget, Rng& rng) {
  FinishedMotion plain = go_along(path, options, local);
  const PlanningWorld& world = local.world();
  if (path.cols() < 3 || options.tries <= 0 || !world.steering.takes_any_leg() ||
      world.space.has_loops())
    return plain;
  Quickener quickener(path, options, local, rng);
  BudgetMeter meter(budget);
  for (int k = 0; k < options.tries && quickener.path().cols() > 2 && meter.spend(); ++k)
    quickener.try_shortcut();
  quickener.skip_points();
  FinishedMotion quick = go_along(quickener.path(), options, local);
  return duration_of(quick) < duration_of(plain) ? quick : plain;
}

}  // namespace geste

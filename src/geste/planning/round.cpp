#include "geste/planning/round.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/planning/internal/leg_rates.hpp"

namespace geste {
namespace {

/// A path whose corners are rounded one after the other, from its beginning.
class CornerRounder {
 public:
  CornerRounder(const MatX& path, const TimingOptions& timing, LocalPlanner& local)
      : path_(path),
        local_(local),
        space_(local.world().space),
        limits_(make_rate_limits(space_, timing)),
        frame_(timing.frame),
        rounded_(space_),
        curve_(space_),
        ends_(space_.size(), 2),
        scratch_(space_.size(), 3) {
    for (int i = 1; i < path.cols(); ++i)
      lengths_.push_back(lengths_.back() + space_.distance(path.col(i - 1), path.col(i)));
    rounded_.add(path.col(0));
  }

  /// The corner at point i, with the curve taking no more than `reach` of the path on each side.
  bool round(int i, double reach) {
    const double at_corner = lengths_[at(i)];
    const int before = put_point(at_corner - reach, ends_.col(0));
    const int behind = put_point(at_corner + reach, ends_.col(1)) + 1;
    curve_.clear();
    curve_.add(rounded_.back());
    for (int k = next_; k <= before; ++k) curve_.add(path_.col(k));
    const int proven = curve_.count();
    curve_.add(ends_.col(0));
    const int parts = count_parts(path_.col(i));
    for (int k = 1; k < parts; ++k)
      put_curve(path_.col(i), static_cast<double>(k) / parts, curve_.add());
    curve_.add(ends_.col(1));
    for (int k = proven; k < curve_.count(); ++k)
      if (!local_.is_leg_free(curve_[k - 1], curve_[k])) return false;
    // The rest of the leg on which the curve ends.
    if (!local_.is_leg_free(ends_.col(1), path_.col(behind))) return false;
    for (int k = 1; k < curve_.count(); ++k) rounded_.add(curve_[k]);
    next_ = behind;
    return true;
  }

  [[nodiscard]] double length_at(int i) const { return lengths_[at(i)]; }

  MatX finish() {
    for (int k = next_; k < path_.cols(); ++k) rounded_.add(path_.col(k));
    return rounded_.points();
  }

 private:
  /// Puts the point at this length into x, closed; the point of the path before it.
  int put_point(double length, VecRef x) const {
    const auto after = std::upper_bound(lengths_.begin() + 1, lengths_.end() - 1, length);
    const int leg = static_cast<int>(after - lengths_.begin()) - 1;
    const double begin = lengths_[at(leg)], whole = lengths_[at(leg) + 1] - begin;
    const double share = whole > 0 ? std::clamp((length - begin) / whole, 0.0, 1.0) : 0;
    space_.interpolate(path_.col(leg), path_.col(leg + 1), Course::straight, share, x);
    space_.close(x);
    return leg;
  }

  /// A quadratic curve from end to end, drawn to the corner (de Casteljau).
  void put_curve(ConstVecRef corner, double t, VecRef x) {
    space_.interpolate(ends_.col(0), corner, Course::straight, t, scratch_.col(0));
    space_.interpolate(corner, ends_.col(1), Course::straight, t, scratch_.col(1));
    space_.interpolate(scratch_.col(0), scratch_.col(1), Course::straight, t, scratch_.col(2));
    space_.close(scratch_.col(2));
    x = scratch_.col(2);
  }

  /// As many legs as half frames that going round the corner takes at least.
  [[nodiscard]] int count_parts(ConstVecRef corner) const {
    const Mat3X to = internal::compute_travel(space_, ends_.col(0), corner);
    const Mat3X from = internal::compute_travel(space_, corner, ends_.col(1));
    double duration = 0;
    for (Eigen::Index j = 0; j < to.cols(); ++j) {
      // x'' = 2 (from - to) and |x'| <= 2 max(|to|, |from|), per duration.
      const double bend = 2 * (from.col(j) - to.col(j)).norm();
      const double most = 2 * std::max(to.col(j).norm(), from.col(j).norm());
      duration = std::max(
          {duration, std::sqrt(bend / limits_.acceleration[j]), most / limits_.velocity[j]});
    }
    return std::clamp(static_cast<int>(std::ceil(2 * duration / frame_)), 4, 200);
  }

  const MatX& path_;
  LocalPlanner& local_;
  const PlanningSpace& space_;
  RateLimits limits_;
  double frame_;
  std::vector<double> lengths_{0};  ///< of the path, up to each of its points
  Way rounded_, curve_;
  int next_ = 1;  ///< point of the path that comes after what is rounded
  MatX ends_;     ///< of the curve
  MatX scratch_;
};

}  // namespace

int round_corners(MatX& path, const RoundOptions& options, const TimingOptions& timing,
                  LocalPlanner& local) {
  const PlanningWorld& world = local.world();
  if (!options.is_on || !world.steering.takes_any_leg()) return 0;
  const std::vector<int> stops = find_stops(world.space, Course::straight, path, timing);
  if (stops.empty()) return 0;
  CornerRounder rounder(path, timing, local);
  int rounded = 0;
  for (std::size_t k = 0; k < stops.size(); ++k) {
    const double here = rounder.length_at(stops[k]);
    const double before = k == 0 ? 0 : rounder.length_at(stops[k - 1]);
    const double behind =
        rounder.length_at(k + 1 < stops.size() ? stops[k + 1] : static_cast<int>(path.cols()) - 1);
    double reach = std::min(here - before, behind - here) / 2;
    for (int i = 0; i < options.tries; ++i, reach /= 2) {
      if (!rounder.round(stops[k], reach)) continue;
      ++rounded;
      break;
    }
  }
  path = rounder.finish();
  return rounded;
}

}  // namespace geste

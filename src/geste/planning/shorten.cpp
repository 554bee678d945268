#include "geste/planning/shorten.hpp"

#include <algorithm>
#include <optional>

#include "geste/core/index.hpp"
#include "geste/planning/internal/path_time.hpp"

namespace geste {
namespace {

/// A path with the length up to each of its points, and what it costs: the seconds that a motion
/// along it takes. Arcs and closed chains, whose motions bend without stopping, cost their length.
class Shortener {
 public:
  Shortener(MatX& path, const TimingOptions& timing, LocalPlanner& local)
      : path_(path),
        local_(local),
        space_(local.world().space),
        way_(space_),
        ends_(space_.size(), 2) {
    if (local.world().steering.course() == Course::straight && !space_.has_loops())
      time_.emplace(space_, timing);
    cost_ = measure(path_);
    measure_lengths();
  }

  [[nodiscard]] double length() const { return lengths_.back(); }
  [[nodiscard]] double cost() const { return cost_; }
  /// Whether a motion along the path takes exactly what it costs.
  [[nodiscard]] bool is_exact() { return time_ && time_->measure(path_).is_exact; }

  /// Leaves out what lies between two points that can be joined, for long paths: from each point
  /// twice as far as long as that goes.
  void skip_many_points(BudgetMeter& meter) {
    for (int i = 0; i + 2 < count(); ++i) {
      for (int ahead = 2; i + ahead < count(); ahead *= 2) {
        if (!meter.spend()) return;
        if (!skip(i, i + ahead)) break;
        ahead = 1;
      }
    }
  }

  /// The same, the farthest first.
  void skip_points(BudgetMeter& meter) {
    for (int i = 0; i + 2 < count(); ++i) {
      for (int j = count() - 1; j > i + 1; --j) {
        if (!meter.spend()) return;
        if (skip(i, j)) break;
      }
    }
  }

  /// Joins two places on the path. What it gained.
  double cut_between(double from, double to) {
    if (from > to) std::swap(from, to);
    const int i = find_leg(from), j = find_leg(to);
    if (i == j) return 0;
    put_point(i, from, ends_.col(0));
    put_point(j, to, ends_.col(1));
    // The points themselves stay: they are where the path turns now.
    const double before = cost_;
    if (!joins(ends_.col(0), ends_.col(1), to - from, {i + 1, count() - j - 1}, cost_)) return 0;
    take();
    return before - cost_;
  }

 private:
  /// How many points stay before and behind what is replaced.
  struct Kept {
    int before = 0;
    int behind = 0;
  };

  [[nodiscard]] int count() const { return static_cast<int>(path_.cols()); }

  double measure(const MatX& path) {
    return time_ ? time_->measure(path).seconds : measure_length(space_, path);
  }

  void measure_lengths() {
    lengths_.assign(1, 0);
    for (int i = 1; i < count(); ++i)
      lengths_.push_back(lengths_.back() + space_.distance(path_.col(i - 1), path_.col(i)));
  }

  /// Joins point i to point j. As long will do: points on a straight way are of no use.
  bool skip(int i, int j) {
    constexpr double kAsMuch = 1 + 3e-9;
    const double length = (lengths_[at(j)] - lengths_[at(i)]) * kAsMuch;
    if (!joins(path_.col(i), path_.col(j), length, {i, count() - j - 1}, cost_ * kAsMuch) ||
        way_.count() > j - i)
      return false;
    take();
    return true;
  }

  /// Whether a proven way that is shorter than `length` joins them, so that the whole path costs
  /// less than `most`; that path is in candidate_ then.
  bool joins(ConstVecRef a, ConstVecRef b, double length, const Kept& kept, double most) {
    const SteeringMethod& steering = local_.world().steering;
    if (steering.lower_bound(a, b) >= length * (1 - 1e-9)) return false;
    // What costs is proof; where steering is cheap it is looked at first whether it is worth it.
    if (time_ && !(steering.steer(a, b, way_) && is_better(kept, most))) return false;
    return local_.connects(a, b, way_) && is_better(kept, most);
  }

  bool is_better(const Kept& kept, double most) {
    candidate_.resize(space_.size(), kept.before + way_.count() + kept.behind);
    candidate_ << path_.leftCols(kept.before), way_.points(), path_.rightCols(kept.behind);
    candidate_cost_ = measure(candidate_);
    return candidate_cost_ < most;
  }

  void take() {
    path_.swap(candidate_);
    cost_ = candidate_cost_;
    measure_lengths();
  }

  [[nodiscard]] int find_leg(double s) const {
    const auto after = std::upper_bound(lengths_.begin(), lengths_.end(), s);
    return std::clamp(static_cast<int>(after - lengths_.begin()) - 1, 0, count() - 2);
  }

  void put_point(int leg, double s, VecRef x) const {
    const double begin = lengths_[at(leg)], whole = lengths_[at(leg) + 1] - begin;
    const double share = whole > 0 ? std::clamp((s - begin) / whole, 0.0, 1.0) : 0;
    space_.interpolate(path_.col(leg), path_.col(leg + 1), local_.world().steering.course(), share,
                       x);
  }

  MatX& path_;
  LocalPlanner& local_;
  const PlanningSpace& space_;
  std::optional<internal::PathTime> time_;  ///< nothing: length counts
  Way way_;
  MatX ends_;
  MatX candidate_;
  double cost_ = 0, candidate_cost_ = 0;
  std::vector<double> lengths_;
};

void try_shortcuts(Shortener& shortener, const MatX& path, const ShortenOptions& options,
                   BudgetMeter& meter, Rng& rng) {
  int failures = 0;
  for (int i = 0; i < options.most && failures < options.patience && path.cols() > 2; ++i) {
    if (!meter.spend()) return;
    const double length = shortener.length(), cost = shortener.cost();
    const double gained = shortener.cut_between(rng.uniform(0, length), rng.uniform(0, length));
    failures = gained < options.gain * cost ? failures + 1 : 0;
  }
}

}  // namespace

double measure_length(const PlanningSpace& space, const Eigen::Ref<const MatX>& path) {
  double length = 0;
  for (Eigen::Index i = 1; i < path.cols(); ++i)
    length += space.distance(path.col(i - 1), path.col(i));
  return length;
}

void shorten(MatX& path, const ShortenOptions& options, LocalPlanner& local, const Budget& budget,
             Rng& rng) {
  if (path.cols() < 3 || !options.is_on) return;
  const PlanningWorld& world = local.world();
  const MatX before = path;
  Shortener shortener(path, options.timing, local);
  BudgetMeter meter(budget);
  // Points on closed configurations lie too near to each other to be left out one by one.
  constexpr int kMany = 40;
  if (!world.space.has_loops()) {
    if (path.cols() > kMany) shortener.skip_many_points(meter);
    if (path.cols() <= kMany) shortener.skip_points(meter);
  }
  try_shortcuts(shortener, path, options, meter, rng);
  if (shortener.is_exact()) return;
  const auto measure = [&](const MatX& some) {
    return make_timed(world.space, world.steering.course(), some, options.timing).times.back();
  };
  if (measure(path) > measure(before)) path = before;
}

}  // namespace geste

#include "geste/planning/shorten.hpp"

#include <algorithm>

#include "geste/core/index.hpp"

namespace geste {
namespace {

/// A path with the length up to each of its points.
class Shortener {
 public:
  Shortener(MatX& path, LocalPlanner& local)
      : path_(path),
        local_(local),
        space_(local.world().space),
        way_(space_),
        ends_(space_.size(), 2) {
    measure();
  }

  [[nodiscard]] double length() const { return lengths_.back(); }

  /// The same for long paths: from each point twice as far as long as that goes.
  void skip_many_points(BudgetMeter& meter) {
    for (int i = 0; i + 2 < count(); ++i) {
      for (int ahead = 2; i + ahead < count(); ahead *= 2) {
        if (!meter.spend()) return;
        const int j = i + ahead;
        const double length = (lengths_[at(j)] - lengths_[at(i)]) * (1 + 3e-9);
        if (!joins(path_.col(i), path_.col(j), length) || way_.count() > ahead) break;
        replace(i, j);
        ahead = 1;
      }
    }
  }

  /// Leaves out what lies between two points that can be joined, the farthest first.
  void skip_points(BudgetMeter& meter) {
    for (int i = 0; i + 2 < count(); ++i) {
      for (int j = count() - 1; j > i + 1; --j) {
        if (!meter.spend()) return;
        // As long will do: points on a straight way are of no use.
        const double length = (lengths_[at(j)] - lengths_[at(i)]) * (1 + 3e-9);
        if (!joins(path_.col(i), path_.col(j), length) || way_.count() > j - i) continue;
        replace(i, j);
        break;
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
    const double before = length();
    // Of an arc the metric sees the chord: parts of it are longer than their share.
    const double more = space_.distance(path_.col(i), ends_.col(0)) - (from - lengths_[at(i)]) +
                        space_.distance(ends_.col(1), path_.col(j + 1)) -
                        (lengths_[at(j + 1)] - to);
    if (!joins(ends_.col(0), ends_.col(1), to - from - more)) return 0;
    // The points themselves stay: they are where the path turns now.
    MatX whole(space_.size(), i + 1 + way_.count() + count() - j - 1);
    whole << path_.leftCols(i + 1), way_.points(), path_.rightCols(count() - j - 1);
    path_ = std::move(whole);
    measure();
    return before - length();
  }

 private:
  [[nodiscard]] int count() const { return static_cast<int>(path_.cols()); }

  void measure() {
    lengths_.assign(1, 0);
    for (int i = 1; i < count(); ++i)
      lengths_.push_back(lengths_.back() + space_.distance(path_.col(i - 1), path_.col(i)));
  }

  /// Whether a proven way shorter than `length` joins them; it is in way_ then.
  bool joins(ConstVecRef a, ConstVecRef b, double length) {
    if (local_.world().steering.lower_bound(a, b) >= length * (1 - 1e-9)) return false;
    if (!local_.connects(a, b, way_)) return false;
    return measure_length(space_, way_) < length;
  }

  void replace(int i, int j) {
    MatX whole(space_.size(), i + way_.count() + count() - j - 1);
    whole << path_.leftCols(i), way_.points(), path_.rightCols(count() - j - 1);
    path_ = std::move(whole);
    measure();
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
  Way way_;
  MatX ends_;
  std::vector<double> lengths_;
};

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
  Shortener shortener(path, local);
  BudgetMeter meter(budget);
  // Points on closed configurations lie too near to each other to be left out one by one.
  constexpr int kMany = 40;
  if (!local.world().space.has_loops()) {
    if (path.cols() > kMany) shortener.skip_many_points(meter);
    if (path.cols() <= kMany) shortener.skip_points(meter);
  }
  int failures = 0;
  for (int i = 0; i < options.most && failures < options.patience && path.cols() > 2; ++i) {
    if (!meter.spend()) return;
    const double length = shortener.length();
    const double gained = shortener.cut_between(rng.uniform(0, length), rng.uniform(0, length));
    failures = gained < options.gain * length ? failures + 1 : 0;
  }
}

}  // namespace geste

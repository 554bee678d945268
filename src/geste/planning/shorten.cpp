#include "geste/planning/shorten.hpp"

#include <cmath>
#include <vector>

#include "geste/core/index.hpp"

namespace geste {
namespace {

/// A way as points that are joined by steering, each with the way that leads to it.
class Shortener {
 public:
  Shortener(const LocalPlanner& local, LocalPlanner::Memory& memory)
      : local_(local), memory_(memory), trial_(local.space().scene().nq()) {}

  Way run(const Way& way, const ShortenOptions& options) {
    points_.clear();
    for (int k = 0; k < way.points(); ++k) points_.emplace_back(way.q().col(k));
    measure();
    course_ = way.course();
    for (int round = 0; round < options.rounds && points_.size() > 2; ++round) {
      const double before = total();
      leave_out();
      cut_corners();
      if (total() > (1 - options.gain) * before) break;
    }
    Way out(local_.space().scene().nq(), course_);
    for (const VecX& q : points_) out.add(q);
    return out;
  }

 private:
  double distance(const VecX& a, const VecX& b) const { return local_.space().distance(a, b); }
  double total() const {
    double sum = 0;
    for (const double length : lengths_) sum += length;
    return sum;
  }
  void measure() {
    lengths_.clear();
    for (std::size_t k = 1; k < points_.size(); ++k)
      lengths_.push_back(distance(points_[k - 1], points_[k]));
  }

  /// Puts a free way from a to b, where it is shorter, in the place of points first..last.
  bool replace(std::size_t first, std::size_t last, double length) {
    const double shorter = compute_length(local_.space(), trial_);
    constexpr double kLeast = 1e-9;
    if (!(shorter < length - kLeast)) return false;
    std::vector<VecX> inner;
    for (int k = 0; k < trial_.points(); ++k) inner.emplace_back(std::as_const(trial_).q().col(k));
    const auto begin = points_.begin() + static_cast<std::ptrdiff_t>(first);
    points_.erase(begin, points_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    points_.insert(points_.begin() + static_cast<std::ptrdiff_t>(first), inner.begin(),
                   inner.end());
    measure();
    return true;
  }

  /// From every point straight to the farthest that can be reached.
  void leave_out() {
    for (std::size_t a = 0; a + 2 < points_.size(); ++a) {
      for (std::size_t b = points_.size() - 1; b > a + 1; --b) {
        double length = 0;
        for (std::size_t k = a; k < b; ++k) length += lengths_[k];
        if (local_.connect(points_[a], points_[b], trial_, memory_) && replace(a, b, length)) break;
      }
    }
  }

  /// From half of the shorter leg before a corner to as far behind it; less where that is not free.
  void cut_corners() {
    constexpr double kShares[] = {0.5, 0.25, 0.125};
    for (std::size_t k = 1; k + 1 < points_.size(); ++k) {
      const double before = lengths_[k - 1], after = lengths_[k];
      for (const double share : kShares) {
        const double reach = 2 * share * std::min(before, after) * 0.5;
        const VecX a = go(k - 1, k, 1 - reach / before), b = go(k, k + 1, reach / after);
        if (!local_.connect(a, b, trial_, memory_)) continue;
        if (!replace_corner(k, 2 * reach)) continue;
        ++k;
        break;
      }
    }
  }

  bool replace_corner(std::size_t k, double length) { return replace(k, k, length); }

  VecX go(std::size_t a, std::size_t b, double share) const {
    VecX q(points_[a].size());
    interpolate(local_.space().scene(), points_[a], points_[b], course_, share, q);
    return q;
  }

  const LocalPlanner& local_;
  LocalPlanner::Memory& memory_;
  Way trial_;
  std::vector<VecX> points_;
  std::vector<double> lengths_;
  Course course_ = Course::straight;
};

}  // namespace

Way shorten(const LocalPlanner& local, const Way& way, const ShortenOptions& options,
            LocalPlanner::Memory& memory) {
  return Shortener(local, memory).run(way, options);
}

}  // namespace geste

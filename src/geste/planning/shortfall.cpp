#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "geste/math/so3.hpp"
#include "geste/planning/explain.hpp"
#include "geste/planning/internal/crossings.hpp"

namespace geste {
namespace {

using internal::add_once;
using internal::Crossings;
using internal::measure_depth;

/// The first way for something thin may be looked for longer: all others begin with it.
constexpr std::uint64_t kThinSearch = 5;

/// Depths on the way, of which there are many: to a tenth is enough to tell which is less.
constexpr DepthOptions kRough{.relative = 0.1, .absolute = 10e-6, .max_points = 50};

/// A small motion of a free body that takes it out of what it is in, or, held from several sides,
/// to where it lies least deep: least squares over the contacts, n . (v + w x r) = depth. `share`
/// of that; without turning where w is to be 0.
void ease(const PlanningSpace& space, const Crossings& crossings,
          const std::vector<PairClearance>& pairs, double share, bool turns, VecRef x) {
  constexpr double kDamping = 1e-3;
  const PlanningSpace::Item& item = space.items().front();
  const Pose& X_WJ = item.joint.X_PJ;
  const Vec3 origin = X_WJ * Vec3(x.segment<3>(item.x));
  Mat6 A = kDamping * Mat6::Identity();
  Vec6 b = Vec6::Zero();
  for (const PairClearance& pair : pairs) {
    const auto other = crossings.other(pair);
    if (!other) continue;
    const Separation& s = pair.separation;
    const bool is_first = *other == pair.b;
    const Vec3 n = is_first ? Vec3(-s.normal) : s.normal;
    const Vec3 r = (is_first ? s.on_a : s.on_b) - origin;
    Vec6 row;
    // Angles count by the size of what turns, as in the space's metric.
    row << n, (turns ? item.per_metre : 0) * r.cross(n);
    A += row * row.transpose();
    b += std::max(0.0, -s.distance) * row;
  }
  const Vec6 step = share * A.ldlt().solve(b);
  const Vec3 v = X_WJ.R.transpose() * step.head<3>();
  const Vec3 w = X_WJ.R.transpose() * (item.per_metre * step.tail<3>());
  const Quat turned = so3::exp_quaternion(w) * Quat(x.data() + item.x + 3);
  x.segment<3>(item.x) += v;
  x.segment<4>(item.x + 3) = turned.normalized().coeffs();
}

/// Points with no more than `step` between neighbours.
MatX divide(const PlanningSpace& space, Course course, const MatX& path, double step) {
  std::vector<VecX> points{path.col(0)};
  for (Eigen::Index k = 1; k < path.cols(); ++k) {
    const double leg = space.distance(path.col(k - 1), path.col(k));
    const int pieces = std::max(1, static_cast<int>(std::ceil(leg / step)));
    for (int i = 1; i <= pieces; ++i) {
      points.push_back(path.col(k));
      if (i < pieces)
        space.interpolate(path.col(k - 1), path.col(k), course, static_cast<double>(i) / pieces,
                          points.back());
    }
  }
  MatX divided(space.size(), static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    divided.col(static_cast<Eigen::Index>(i)) = points[i];
  return divided;
}

/// Proves single legs in a changed world, without the preparation that searches need.
class LegProof {
 public:
  LegProof(const PlanningWorld& world, const ChangedWorld& changed)
      : space_(world.space),
        course_(world.steering.course()),
        prover_(changed.scene(), changed.model()),
        memory_(prover_),
        workspace_(space_.scene()),
        q0_(space_.scene().nq()),
        q1_(space_.scene().nq()) {
    options_.accuracy = 1;
  }

  bool is_free(ConstVecRef a, ConstVecRef b) {
    if (space_.measure_excess(b) > 1e-9 || !space_.complete(a, q0_, workspace_) ||
        !space_.complete(b, q1_, workspace_))
      return false;
    return prover_.free_until(q0_, q1_, course_, memory_, options_).is_free();
  }

 private:
  const PlanningSpace& space_;
  Course course_;
  MotionProver prover_;
  MotionProver::Memory memory_;
  ProofOptions options_;
  Workspace workspace_;
  VecX q0_, q1_;
};

/// A way on which something thin is free, moved so that the whole lies less deep in things.
class Loosening {
 public:
  Loosening(const PlanningWorld& world, const CollisionModel& model, const ChangedWorld& thin,
            const Rng& rng, std::uint64_t& looks)
      : space_(world.space),
        course_(world.steering.course()),
        looks_(looks),
        crossings_(world.space, model),
        proof_(world, thin),
        rng_(rng),
        x_(world.space.size()) {}

  void start(const MatX& path) {
    points_.clear();
    for (Eigen::Index k = 0; k < path.cols(); ++k)
      points_.push_back({path.col(k), find(path.col(k))});
  }

  [[nodiscard]] int count() const { return static_cast<int>(points_.size()); }

  [[nodiscard]] MatX path() const {
    MatX path(space_.size(), static_cast<Eigen::Index>(points_.size()));
    for (std::size_t k = 0; k < points_.size(); ++k)
      path.col(static_cast<Eigen::Index>(k)) = points_[k].x;
    return path;
  }

  /// Each point by its contacts; and turned at random, then brought to the middle again.
  void ease_points() {
    constexpr int kTries = 8;
    constexpr double kShares[] = {1, 0.3, 0.1, 0.03};
    constexpr double kDeviations[] = {0.1, 0.03, 0.01, 0.003};
    for (std::size_t k = 1; k + 1 < points_.size(); ++k) {
      for (int i = 0; !points_[k].pairs.empty() && i < kTries && looks_ > 0; ++i) {
        x_ = points_[k].x;
        if (i % 2 == 0) {
          ease(space_, crossings_, points_[k].pairs, kShares[i / 2], true, x_);
        } else {
          space_.sample_near(points_[k].x, kDeviations[i / 2], rng_, x_);
          ease(space_, crossings_, find(x_), 1, false, x_);
        }
        std::vector<PairClearance> pairs = find(x_);
        const bool is_better = measure_depth(pairs) < measure_depth(points_[k].pairs) &&
                               proof_.is_free(points_[k - 1].x, x_) &&
                               proof_.is_free(x_, points_[k + 1].x);
        if (is_better) points_[k] = {x_, std::move(pairs)};
      }
    }
  }

  /// New points in the middle of legs that are deeper there than at their ends; false: there are
  /// none.
  bool halve_legs() {
    std::vector<Point> finer{points_.front()};
    for (std::size_t k = 1; k < points_.size(); ++k) {
      space_.interpolate(points_[k - 1].x, points_[k].x, course_, 0.5, x_);
      std::vector<PairClearance> pairs = find(x_);
      const double ends =
          std::max(measure_depth(points_[k - 1].pairs), measure_depth(points_[k].pairs));
      if (measure_depth(pairs) > 1.02 * ends + 1e-6) finer.push_back({x_, std::move(pairs)});
      finer.push_back(points_[k]);
    }
    const bool has_more = finer.size() > points_.size();
    points_ = std::move(finer);
    return has_more;
  }

 private:
  std::vector<PairClearance> find(ConstVecRef x) {
    if (looks_ > 0) --looks_;
    return crossings_.find(x, kRough);
  }

  struct Point {
    VecX x;
    std::vector<PairClearance> pairs;  ///< that the whole collides with there
  };

  const PlanningSpace& space_;
  Course course_;
  std::uint64_t& looks_;  ///< that are left
  Crossings crossings_;
  LegProof proof_;
  Rng rng_;
  VecX x_;
  std::vector<Point> points_;
};

/// Calls take(x, share of the way) at some hundred points of a path.
template <class Take>
void walk(const PlanningWorld& world, const MatX& path, const Take& take) {
  constexpr int kSteps = 200;
  const PlanningSpace& space = world.space;
  const double length = std::max(measure_length(space, path), 1e-12);
  VecX x(space.size());
  double gone = 0;
  for (Eigen::Index k = 1; k < path.cols(); ++k) {
    const double leg = space.distance(path.col(k - 1), path.col(k));
    const int steps = 1 + static_cast<int>(kSteps * leg / length);
    for (int i = 1; i <= steps; ++i) {
      const double s = static_cast<double>(i) / steps;
      space.interpolate(path.col(k - 1), path.col(k), world.steering.course(), s, x);
      take(x, (gone + s * leg) / length);
    }
    gone += leg;
  }
}

}  // namespace

bool Explainer::holds(const MatX& path, double thinner) {
  const ChangedWorld changed(world_, {{}, thinner});
  LegProof proof(world_, changed);
  for (Eigen::Index k = 1; k < path.cols(); ++k)
    if (!proof.is_free(path.col(k - 1), path.col(k))) return false;
  return true;
}

void Explainer::loosen(MatX& path, double thinner) {
  constexpr int kRounds = 8, kPoints = 32, kMostPoints = 400;
  const PlanningSpace& space = world_.space;
  const double step = std::max(measure_length(space, path) / kPoints, 1e-9);
  const ChangedWorld changed(world_, {{}, thinner});
  Loosening work(world_, model_, changed, rng_.split(++searches_), looks_);
  work.start(divide(space, world_.steering.course(), path, step));
  for (int round = 0; round < kRounds && work.count() < kMostPoints; ++round) {
    work.ease_points();
    if (!work.halve_legs()) break;
  }
  work.ease_points();
  path = work.path();
}

double Explainer::tighten(MatX& path, double thinner) {
  constexpr int kPatience = 3;
  constexpr double kPlay = 1.01;
  for (int failed = 0; failed < kPatience && looks_ > 0 && !is_over(); ++failed) {
    MatX looser = path;
    loosen(looser, thinner);
    const double depth = measure_deepest(looser);
    bool is_better = false;
    for (const double share : {1.0, 0.5, 0.25}) {
      const double next = kPlay * (share * depth + (1 - share) * thinner);
      is_better = next < (1 - options_.accuracy / 2) * thinner && holds(looser, next);
      if (!is_better) continue;
      thinner = next;
      failed = -1;
      break;
    }
    // Better or not, the next time goes on from here: it is as free as before.
    path = std::move(looser);
  }
  return thinner;
}

std::optional<Shortfall> Explainer::find_shortfall(double most) {
  constexpr int kAttempts = 4;
  looks_ = options_.looks;
  // The thinnest has the easiest way, or several; from there on it is made thicker.
  std::optional<MatX> path;
  double low = 0, high = most;
  for (int i = 0; i < kAttempts && high > 0 && looks_ > 0; ++i) {
    auto other = search({{}, most}, kThinSearch * options_.samples);
    if (!other) break;
    const double thinner = tighten(*other, most);
    if (path && thinner >= high) continue;
    path = std::move(other);
    high = thinner;
  }
  if (!path) return std::nullopt;
  while (high - low > options_.accuracy * high && !is_over()) {
    const double middle = (low + high) / 2;
    if (holds(*path, middle)) {
      high = middle;
    } else if (auto better = search({{}, middle}, options_.samples)) {
      path = std::move(better);
      high = tighten(*path, middle);
    } else {
      low = middle;
    }
  }
  Shortfall found;
  found.thinner = high;
  found.path = std::move(*path);
  find_pinch(found);
  return found;
}

double Explainer::measure_deepest(const MatX& path) {
  Crossings crossings(world_.space, model_);
  double deepest = 0;
  walk(world_, path, [&](const VecX& x, double) {
    deepest = std::max(deepest, measure_depth(crossings.find(x, kRough)));
  });
  return deepest;
}

/// Where it only leans against something it is eased away; what is held from several sides stays as
/// deep, and there it is too thick.
void Explainer::find_pinch(Shortfall& found) {
  constexpr int kEases = 3;
  Crossings crossings(world_.space, model_);
  VecX pinch;
  double deepest = 0;
  walk(world_, found.path, [&](const VecX& x, double share) {
    VecX eased = x;
    std::vector<PairClearance> pairs = crossings.find(eased, kRough);
    // Where nothing holds it anywhere, the deepest place is as good as any.
    double depth = 1e-3 * measure_depth(pairs);
    for (int i = 0; i < kEases && !pairs.empty(); ++i) {
      ease(world_.space, crossings, pairs, 1, false, eased);
      pairs = crossings.find(eased, kRough);
    }
    depth += measure_depth(pairs);
    if (depth <= deepest) return;
    deepest = depth;
    found.share = share;
    pinch = pairs.empty() ? x : eased;
  });
  if (deepest == 0) return;
  const std::vector<PairClearance> pairs = crossings.find(pinch, {});
  if (pairs.empty()) return;
  found.deepest = pairs.front();
  for (const PairClearance& pair : pairs) {
    const auto body = crossings.other(pair);
    const bool is_deep = pair.separation.distance < pairs.front().separation.distance / 2;
    if (body && is_deep) add_once(*body, found.between);
  }
}

}  // namespace geste

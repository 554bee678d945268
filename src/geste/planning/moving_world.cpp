#include "geste/planning/moving_world.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/index.hpp"
#include "geste/planning/internal/leg_rates.hpp"

namespace geste {
namespace {

/// Moments nearer to each other than this are one, s.
constexpr double kSameMoment = 1e-9;

}  // namespace

double bound_duration(const PlanningSpace& space, const RateLimits& limits, ConstVecRef a,
                      ConstVecRef b) {
  const VecX travel = internal::compute_travel(space, a, b).colwise().norm().transpose();
  double least = 0;
  for (Eigen::Index k = 0; k < travel.size(); ++k) {
    const double v = limits.velocity[k], up = limits.acceleration[k];
    // From rest to rest: up to full speed and down again, or as far as there is way for it.
    least = std::max(
        least, travel[k] >= v * v / up ? travel[k] / v + v / up : 2 * std::sqrt(travel[k] / up));
  }
  return least;
}

std::vector<Tempo> list_tempos(double duration, double t0, double t1, Rng& rng) {
  const double left = t1 - t0 - duration;
  if (left <= kSameMoment || duration <= 0) return {Tempo{}};
  return {{0, 1}, {left, 1}, {0, (t1 - t0) / duration}, {rng.uniform() * left, 1}};
}

MovingLocalPlanner::MovingLocalPlanner(const MovingWorld& world)
    : world_(world),
      memory_(world.still.validator),
      workspace_(world.still.space.scene()),
      way_(world.still.space),
      x_(world.still.space.size()),
      q_(world.still.space.scene().nq()),
      rest_(world.still.space.scene().nq()) {}

bool MovingLocalPlanner::is_inside() const {
  constexpr double kInside = 1e-9;
  for (int i = 0; i < way_.count(); ++i)
    if (world_.still.space.measure_excess(way_[i]) > kInside) return false;
  return true;
}

TimedWay MovingLocalPlanner::put_on_clock(MatX points) const {
  const PlanningWorld& still = world_.still;
  JointMotion motion = make_timed(still.space, still.steering.course(), points, world_.timing);
  return {std::move(points), std::move(motion)};
}

std::optional<TimedWay> MovingLocalPlanner::steer(ConstVecRef a, ConstVecRef b) {
  stop_ = {};
  if (!world_.still.steering.steer(a, b, way_) || !is_inside()) return std::nullopt;
  return put_on_clock(way_.points());
}

std::optional<TimedWay> MovingLocalPlanner::set_out(ConstVecRef a, ConstVecRef b, double range,
                                                    bool from_goal) {
  const SteeringMethod& steering = world_.still.steering;
  stop_ = {};
  const bool is_backward = from_goal && !steering.is_reversible();
  if (!(is_backward ? steering.steer(b, a, way_) : steering.set_out(a, b, range, way_)))
    return std::nullopt;
  if (is_backward) way_.reverse();
  cut(range);
  if (!is_inside()) return std::nullopt;
  if (from_goal) way_.reverse();
  return put_on_clock(way_.points());
}

void MovingLocalPlanner::cut(double range) {
  const PlanningSpace& space = world_.still.space;
  for (int i = 1; i < way_.count(); ++i) {
    const double length = space.distance(way_[i - 1], way_[i]);
    if (length > range) {
      space.interpolate(way_[i - 1], way_[i], world_.still.steering.course(), range / length, x_);
      way_.cut(i);
      way_.add(x_);
      return;
    }
    range -= length;
  }
}

void MovingLocalPlanner::list_moments(const TimedWay& way, double t0, double t1,
                                      const Tempo& tempo) {
  const std::vector<double>& knots = world_.others.times;
  times_.assign({t0});
  for (const double t : way.motion.times) times_.push_back(t0 + tempo.wait + tempo.slow * t);
  const auto first = std::upper_bound(knots.begin(), knots.end(), t0);
  times_.insert(times_.end(), first, std::lower_bound(first, knots.end(), t1));
  std::sort(times_.begin(), times_.end());
  const auto last = std::unique(times_.begin(), times_.end(),
                                [](double a, double b) { return b - a < kSameMoment; });
  times_.erase(last, times_.end());
  while (times_.size() > 1 && t1 - times_.back() < kSameMoment) times_.pop_back();
  if (t1 - t0 >= kSameMoment) times_.push_back(t1);
}

bool MovingLocalPlanner::play(const TimedWay& way, double t0, double t1, const Tempo& tempo,
                              JointMotion* motion) {
  const PlanningSpace& space = world_.still.space;
  stop_ = {};
  const double begin = t0 + tempo.wait, duration = way.duration();
  if (begin + tempo.slow * duration > t1 + kSameMoment) return false;
  list_moments(way, t0, t1, tempo);
  columns_.resize(space.scene().nq(), std::ssize(times_));
  for (std::size_t k = 0; k < times_.size(); ++k) {
    const double on_way = std::clamp((times_[k] - begin) / tempo.slow, 0.0, duration);
    interpolate(space.scene(), way.motion, on_way, q_);
    space.gather(q_, x_);
    interpolate(space.scene(), world_.others, times_[k], rest_);
    if (!space.complete(x_, rest_, columns_.col(static_cast<Eigen::Index>(k)), workspace_))
      return false;
  }
  if (!is_proven()) return false;
  if (motion) {
    const bool goes_on = !motion->times.empty();
    const Eigen::Index before = motion->q.cols(), more = columns_.cols() - (goes_on ? 1 : 0);
    motion->times.insert(motion->times.end(), times_.begin() + (goes_on ? 1 : 0), times_.end());
    motion->q.conservativeResize(columns_.rows(), before + more);
    motion->q.rightCols(more) = columns_.rightCols(more);
  } else if (world_.still.watcher) {
    world_.still.watcher->take(columns_.col(0), columns_.rightCols(1));
  }
  return true;
}

bool MovingLocalPlanner::is_proven() {
  const Eigen::Index legs = std::max<Eigen::Index>(1, columns_.cols() - 1);
  answers_.assign(static_cast<std::size_t>(legs), {});
  counts_.legs += answers_.size();
  world_.still.validator.check_edges(columns_.leftCols(legs), columns_.rightCols(legs),
                                     world_.still.steering.course(), answers_, memory_);
  for (std::size_t k = 0; k < answers_.size(); ++k) {
    if (answers_[k].is_free) continue;
    stop_ = answers_[k];
    const double next = times_[std::min(k + 1, times_.size() - 1)];
    stop_time_ = times_[k] + stop_.touches_at * (next - times_[k]);
    return false;
  }
  return true;
}

std::optional<Tempo> MovingLocalPlanner::find_tempo(const TimedWay& way, double t0, double t1,
                                                    Rng& rng) {
  for (const Tempo& tempo : list_tempos(way.duration(), t0, t1, rng))
    if (play(way, t0, t1, tempo)) return tempo;
  return std::nullopt;
}

bool MovingLocalPlanner::may_stay(ConstVecRef x, double t0, double t1) {
  return play(put_on_clock(x), t0, t1, {});
}

}  // namespace geste

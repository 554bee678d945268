#include "geste/planning/schedule.hpp"

#include <algorithm>

namespace geste {
namespace {

/// Makes stops earlier, one after the other. At all times this holds: from the last stop that was
/// placed it may wait until the moment that the schedule had for it, and go on as before.
class Hastener {
 public:
  Hastener(const Schedule& schedule, MovingLocalPlanner& local, const Budget& budget)
      : schedule_(schedule), local_(local), meter_(budget) {}

  Schedule run() {
    placed_ = {schedule_.front()};
    for (std::size_t k = 1; k < schedule_.size(); ++k)
      if (schedule_[k].x != placed_.back().x) place(k);
    if (placed_.back().t < schedule_.back().t) placed_.push_back(wait_until(schedule_.back().t));
    return std::move(placed_);
  }

 private:
  [[nodiscard]] Stop wait_until(double t) const {
    return {placed_.back().x, t, placed_.back().x, {}};
  }

  void place(std::size_t k) {
    const Stop before = placed_.back();
    const Stop& stop = schedule_[k];
    const TimedWay way = local_.put_on_clock(stop.way);
    const double duration = way.duration();
    double soonest = before.t + duration, found = stop.t;
    constexpr double kGain = 0.02;  // s
    // First as soon as can be, then halfway to what is known.
    for (double t = soonest; found - t > kGain && meter_.spend(); t = (soonest + found) / 2) {
      const bool holds = local_.play(way, before.t, t, {t - duration - before.t, 1}) &&
                         local_.may_stay(stop.x, t, stop.t);
      (holds ? found : soonest) = t;
    }
    if (found < stop.t) {
      placed_.push_back({stop.x, found, stop.way, {std::max(0.0, found - duration - before.t), 1}});
      return;
    }
    const double leaves = schedule_[k - 1].t;
    if (before.t < leaves) placed_.push_back(wait_until(leaves));
    placed_.push_back(stop);
  }

  const Schedule& schedule_;
  MovingLocalPlanner& local_;
  BudgetMeter meter_;
  Schedule placed_;
};

double measure_length(const PlanningSpace& space, const Schedule& schedule, std::size_t i,
                      std::size_t j) {
  double length = 0;
  for (std::size_t k = i; k < j; ++k) length += space.distance(schedule[k].x, schedule[k + 1].x);
  return length;
}

}  // namespace

void shorten_schedule(Schedule& schedule, MovingLocalPlanner& local, const Budget& budget,
                      Rng& rng) {
  const PlanningSpace& space = local.world().still.space;
  BudgetMeter meter(budget);
  for (std::size_t i = 0; i + 2 < schedule.size(); ++i) {
    for (std::size_t j = schedule.size() - 1; j > i + 1 && meter.spend(); --j) {
      const Stop &from = schedule[i], &to = schedule[j];
      // A wait may be worth more than it saves; what goes somewhere and back is not.
      if (space.distance(from.x, to.x) >= measure_length(space, schedule, i, j)) continue;
      const std::optional<TimedWay> way = local.steer(from.x, to.x);
      if (!way) continue;
      const std::optional<Tempo> tempo = local.find_tempo(*way, from.t, to.t, rng);
      if (!tempo) continue;
      schedule[j].way = way->points;
      schedule[j].tempo = *tempo;
      schedule.erase(schedule.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                     schedule.begin() + static_cast<std::ptrdiff_t>(j));
      break;
    }
  }
}

void hasten_schedule(Schedule& schedule, MovingLocalPlanner& local, const Budget& budget) {
  schedule = Hastener(schedule, local, budget).run();
}

double find_arrival(const Schedule& schedule) {
  std::size_t k = schedule.size() - 1;
  while (k > 0 && schedule[k - 1].x == schedule[k].x) --k;
  return schedule[k].t;
}

std::optional<JointMotion> play_schedule(const Schedule& schedule, double end,
                                         MovingLocalPlanner& local) {
  JointMotion motion;
  motion.course = local.world().still.steering.course();
  for (std::size_t k = 1; k < schedule.size() && schedule[k - 1].t < end; ++k) {
    const Stop &from = schedule[k - 1], &to = schedule[k];
    const TimedWay way = local.put_on_clock(to.way);
    const double until = way.duration() > 0 ? to.t : std::min(to.t, end);
    if (!local.play(way, from.t, until, to.tempo, &motion)) return std::nullopt;
  }
  const Stop& last = schedule.back();
  if (last.t < end && !local.play(local.put_on_clock(last.x), last.t, end, {}, &motion))
    return std::nullopt;
  return motion;
}

RateUse measure_rates(const Schedule& schedule, MovingLocalPlanner& local) {
  const PlanningSpace& space = local.world().still.space;
  const RateLimits limits = make_rate_limits(space, local.world().timing);
  RateUse use;
  for (std::size_t k = 1; k < schedule.size(); ++k) {
    TimedWay way = local.put_on_clock(schedule[k].way);
    for (double& t : way.motion.times) t *= schedule[k].tempo.slow;
    const RateUse own = measure_rates(space, way.motion, limits);
    use = {std::max(use.velocity, own.velocity), std::max(use.acceleration, own.acceleration)};
  }
  return use;
}

}  // namespace geste

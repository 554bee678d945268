#pragma once

#include "geste/core/budget.hpp"
#include "geste/planning/moving_world.hpp"

namespace geste {

// Schedules made better. The first and the last stop stay where and when they are, and every way is
// proven again. A step of the budget is a way that is tried.

/// Leaves out stops where the steering method joins those before and after in the time between.
void shorten_schedule(Schedule& schedule, MovingLocalPlanner& local, const Budget& budget,
                      Rng& rng);

/// Lets every stop be reached as early as halving finds it, where it may be waited at from then on.
void hasten_schedule(Schedule& schedule, MovingLocalPlanner& local, const Budget& budget);

/// When the last point is reached, to be left no more.
double find_arrival(const Schedule& schedule);

/// The motion of everything, from the first stop to `end` (s), waiting at the last point if need
/// be. Nothing where it cannot be played, which proven ways can.
std::optional<JointMotion> play_schedule(const Schedule& schedule, double end,
                                         MovingLocalPlanner& local);

/// The largest shares of velocity and acceleration limits that its ways use.
RateUse measure_rates(const Schedule& schedule, MovingLocalPlanner& local);

}  // namespace geste

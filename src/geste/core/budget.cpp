#include "geste/core/budget.hpp"

#include <algorithm>
#include <cmath>

namespace geste {

Budget Budget::steps(std::uint64_t max_steps) {
  Budget budget;
  budget.max_steps = max_steps;
  return budget;
}

std::optional<std::chrono::steady_clock::time_point> make_deadline(double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr double kCentury = 3.2e9;
  if (std::isnan(seconds) || seconds > kCentury) return std::nullopt;
  const std::chrono::duration<double> wait(std::max(seconds, 0.0));
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(wait);
}

std::string_view to_text(StopReason reason) {
  switch (reason) {
    case StopReason::none:
      return "none";
    case StopReason::steps:
      return "steps";
    case StopReason::deadline:
      return "deadline";
    case StopReason::cancelled:
      return "cancelled";
  }
  return "none";
}

Budget BudgetMeter::remaining() const {
  Budget rest = budget_;
  if (rest.max_steps != Budget::kUnlimited) rest.max_steps -= spent_;
  return rest;
}

bool BudgetMeter::past_deadline() {
  // Aim at one look per millisecond. A look costs 30 ns, so every 64th call is rare enough; rarer
  // ones would notice late that the steps have become long.
  const Clock::time_point now = Clock::now();
  if (last_look_) {
    const auto gone = now - *last_look_;
    if (gone < std::chrono::microseconds(500)) clock_interval_ *= 2;
    if (gone > std::chrono::milliseconds(2)) clock_interval_ /= 4;
    clock_interval_ = std::clamp<std::uint32_t>(clock_interval_, 1, 64);
  }
  last_look_ = now;
  calls_to_clock_ = clock_interval_;
  return now >= *budget_.deadline;
}

}  // namespace geste

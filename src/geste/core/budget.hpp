#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

namespace geste {

/// Tells whether the work was called off. A default token never is. Cheap to copy and to ask.
class CancelToken {
 public:
  CancelToken() = default;
  [[nodiscard]] bool requested() const noexcept {
    return flag_ && flag_->load(std::memory_order_relaxed);
  }

 private:
  friend class CancelSource;
  explicit CancelToken(std::shared_ptr<const std::atomic<bool>> flag) : flag_(std::move(flag)) {}

  std::shared_ptr<const std::atomic<bool>> flag_;
};

/// Calls work off. Copies share one flag, which stays up once raised.
class CancelSource {
 public:
  CancelSource() : flag_(std::make_shared<std::atomic<bool>>(false)) {}

  /// Only stores to a lock-free atomic: any thread may call it, and a signal handler too.
  void request() const noexcept { flag_->store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool requested() const noexcept { return flag_->load(std::memory_order_relaxed); }
  [[nodiscard]] CancelToken token() const { return CancelToken(flag_); }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free);

  std::shared_ptr<std::atomic<bool>> flag_;
};

/// How much work a call may do. What a step is, the algorithm says (a sample, an iteration).
/// Steps alone give the same result on every machine; deadline and cancellation do not, and belong
/// to the edge of the program (command line, studio).
struct Budget {
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t max_steps = kUnlimited;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  CancelToken cancel;

  [[nodiscard]] static Budget steps(std::uint64_t max_steps);
};

/// The moment `seconds` from now; nothing (no deadline) when that is infinite, not a number or
/// beyond the clock's range. Negative means now.
std::optional<std::chrono::steady_clock::time_point> make_deadline(double seconds);

/// What ended the work. `none`: it may go on.
enum class StopReason { none, steps, deadline, cancelled };

/// "none", "steps", "deadline" or "cancelled".
std::string_view to_text(StopReason reason);

/// Counts the steps of one run against its budget. Owned by whoever runs it; not shared between
/// threads.
class BudgetMeter {
 public:
  explicit BudgetMeter(Budget budget) : budget_(std::move(budget)) {}

  /// Asks for `n` more steps: all of them or, when that is too much or the run must stop, none.
  /// After the first refusal every call is refused. spend(0) asks only whether to go on.
  /// The order of the questions is fixed (steps, cancellation, deadline); the clock is read about
  /// once a millisecond.
  bool spend(std::uint64_t n = 1) {
    if (reason_ != StopReason::none) return false;
    if (n > budget_.max_steps - spent_) return stop(StopReason::steps);
    if (budget_.cancel.requested()) return stop(StopReason::cancelled);
    if (budget_.deadline && --calls_to_clock_ == 0 && past_deadline()) {
      return stop(StopReason::deadline);
    }
    spent_ += n;
    return true;
  }

  [[nodiscard]] StopReason reason() const { return reason_; }
  [[nodiscard]] std::uint64_t spent() const { return spent_; }
  /// What is left, for a part of the work; the caller spends the part's steps here afterwards.
  [[nodiscard]] Budget remaining() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool stop(StopReason reason) {
    reason_ = reason;
    return false;
  }
  bool past_deadline();

  Budget budget_;
  std::uint64_t spent_ = 0;
  StopReason reason_ = StopReason::none;
  // How many calls lie between two looks at the clock, adapted to how long a step takes.
  std::uint32_t clock_interval_ = 1;
  std::uint32_t calls_to_clock_ = 1;
  std::optional<Clock::time_point> last_look_;
};

}  // namespace geste

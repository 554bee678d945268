#include "geste/core/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>

namespace geste {
namespace {

constexpr int kMostThreads = 1024;

/// One loop while it runs: which index failed first, and whether any was left out.
class Loop {
 public:
  Loop(std::size_t n, const CancelToken& cancel, detail::IndexedCall body)
      : cancel_(cancel), body_(body), failed_(n) {
    finished_.store(0, std::memory_order_release);
  }

  void run(std::size_t begin, std::size_t end, std::size_t worker) {
    // TBB orders these accesses already; the pair on finished_ says so to the thread sanitizer,
    // which does not see into TBB.
    static_cast<void>(finished_.load(std::memory_order_acquire));
    for (std::size_t i = begin; i < end; ++i) run_one(i, worker);
    finished_.fetch_add(1, std::memory_order_release);
  }

  /// Whether every body ran. Throws what the body of the lowest failed index threw.
  bool finish() {
    static_cast<void>(finished_.load(std::memory_order_acquire));
    if (fault_) std::rethrow_exception(fault_);
    return !left_out_.load(std::memory_order_relaxed);
  }

 private:
  void run_one(std::size_t i, std::size_t worker) {
    // Indices below a failed one go on: one of them may fail too, and then counts.
    if (i > failed_.load(std::memory_order_relaxed)) return;
    if (cancel_.requested()) {
      left_out_.store(true, std::memory_order_relaxed);
      return;
    }
    try {
      body_.call(body_.object, worker, i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (i < failed_.load(std::memory_order_relaxed)) {
        failed_.store(i, std::memory_order_relaxed);
        fault_ = std::current_exception();
      }
    }
  }

  const CancelToken& cancel_;
  const detail::IndexedCall body_;
  std::atomic<std::size_t> failed_;
  std::atomic<bool> left_out_ = false;
  std::atomic<std::size_t> finished_ = 0;
  std::mutex mutex_;
  std::exception_ptr fault_;
};

bool run_inline(std::size_t n, const CancelToken& cancel, detail::IndexedCall body) {
  for (std::size_t i = 0; i < n; ++i) {
    if (cancel.requested()) return false;
    body.call(body.object, 0, i);
  }
  return true;
}

}  // namespace

int resolve_threads(int threads) {
  if (threads < 0) throw std::invalid_argument("threads must not be negative (0 means all cores)");
  return std::min(threads == 0 ? tbb::info::default_concurrency() : threads, kMostThreads);
}

bool detail::run_indexed(std::size_t n, int threads, const CancelToken& cancel, IndexedCall body) {
  const auto wanted = static_cast<std::size_t>(resolve_threads(threads));
  const int used = static_cast<int>(std::min(wanted, n));
  if (used <= 1) return run_inline(n, cancel, body);

  // TBB starts no more threads than cores unless told.
  std::optional<tbb::global_control> more;
  if (used > tbb::info::default_concurrency()) {
    more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(used));
  }
  // An arena of our own bounds the threads, numbers them, and keeps a thread that waits here from
  // taking up work of an outer loop (which would meet its own scratch half-used).
  Loop loop(n, cancel, body);
  tbb::task_arena arena(used);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n), [&](const auto& range) {
      const int worker = tbb::this_task_arena::current_thread_index();
      loop.run(range.begin(), range.end(), static_cast<std::size_t>(worker));
    });
  });
  return loop.finish();
}

}  // namespace geste

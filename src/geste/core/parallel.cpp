#include "geste/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "geste/core/internal/workers.hpp"

namespace geste {
namespace {

constexpr int kMostThreads = 1024;

/// One loop while it runs: what is still to be taken, which index failed first, and whether any was
/// left out.
class Loop {
 public:
  Loop(std::size_t n, std::size_t workers, const CancelToken& cancel, detail::IndexedCall body)
      : n_(n), workers_(workers), cancel_(cancel), body_(body), failed_(n) {
    finished_.store(0, std::memory_order_release);
  }

  /// Takes piece after piece until nothing is left.
  void work(std::size_t worker) {
    // run_workers orders the accesses of caller and workers already; the operations on finished_
    // say so to the thread sanitizer, which does not see into TBB.
    static_cast<void>(finished_.load(std::memory_order_acquire));
    while (const auto piece = take_piece()) {
      for (std::size_t i = piece->begin; i < piece->end; ++i) run_one(worker, i);
    }
    finished_.fetch_add(1, std::memory_order_release);
  }

  /// Whether every body ran. Throws what the body of the lowest failed index threw.
  bool finish() {
    static_cast<void>(finished_.load(std::memory_order_acquire));
    if (fault_) std::rethrow_exception(fault_);
    return !left_out_.load(std::memory_order_relaxed);
  }

 private:
  struct Piece {
    std::size_t begin;
    std::size_t end;
  };

  /// Large pieces first, single indices at the end: few exchanges, and an even finish.
  std::optional<Piece> take_piece() {
    std::size_t begin = next_.load(std::memory_order_relaxed);
    while (begin < n_) {
      const std::size_t end = begin + std::max<std::size_t>(1, (n_ - begin) / (4 * workers_));
      if (next_.compare_exchange_weak(begin, end, std::memory_order_relaxed)) {
        return Piece{begin, end};
      }
    }
    return std::nullopt;
  }

  void run_one(std::size_t worker, std::size_t i) {
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

  const std::size_t n_;
  const std::size_t workers_;
  const CancelToken& cancel_;
  const detail::IndexedCall body_;
  std::atomic<std::size_t> next_ = 0;
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
  return std::min(threads == 0 ? count_cores() : threads, kMostThreads);
}

bool detail::run_indexed(std::size_t n, int threads, const CancelToken& cancel, IndexedCall body) {
  const std::size_t workers = std::min(n, static_cast<std::size_t>(resolve_threads(threads)));
  if (workers <= 1) return run_inline(n, cancel, body);

  Loop loop(n, workers, cancel, body);
  run_workers(workers, &loop,
              [](void* object, std::size_t worker) { static_cast<Loop*>(object)->work(worker); });
  return loop.finish();
}

}  // namespace geste

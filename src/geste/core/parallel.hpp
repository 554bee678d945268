#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "geste/core/budget.hpp"

/// Parallel loops whose results do not depend on the number of threads, as long as the body for
/// index i writes only what belongs to i (its own slot; neighbours in a std::vector<bool> share
/// bytes) and takes its random numbers from a stream split by i.
///
/// In all of them
/// - `threads` is the most that work at once; 0 means all cores, 1 runs inline in index order;
/// - an exception of a body reaches the caller; of several, the one of the lowest index, as in a
///   plain loop. Bodies of higher indices may or may not have run;
/// - a raised CancelToken keeps bodies that have not begun from beginning;
/// - calls may be nested: a thread that waits for the inner loop runs nothing of the outer one.
/// Starting a loop costs some microseconds: worth it for bodies that take longer together. (More
/// threads than cores is honoured, for tests, but slow to start.)
namespace geste {

/// The number of threads that an option stands for: itself up to 1024, and for 0 the cores this
/// process may use. Throws std::invalid_argument when negative.
int resolve_threads(int threads);

namespace detail {

/// A callable (worker, index), by reference: no allocation, no ownership.
struct IndexedCall {
  void* object;
  void (*call)(void* object, std::size_t worker, std::size_t index);
};

template <class Body>
IndexedCall refer_to(Body& body) {
  return {&body, [](void* object, std::size_t worker, std::size_t index) {
            (*static_cast<Body*>(object))(worker, index);
          }};
}

/// Calls body(worker, i) for each i < n, where worker < resolve_threads(threads) stands for one
/// thread. Returns whether none was left out because of `cancel`.
bool run_indexed(std::size_t n, int threads, const CancelToken& cancel, IndexedCall body);

}  // namespace detail

/// body(i) for each i < n. Returns false when cancellation left some out.
template <std::invocable<std::size_t> Body>
[[nodiscard]] bool parallel_for(std::size_t n, int threads, const CancelToken& cancel,
                                Body&& body) {
  auto call = [&body](std::size_t, std::size_t i) { body(i); };
  return detail::run_indexed(n, threads, cancel, detail::refer_to(call));
}

/// body(i) for each i < n.
template <std::invocable<std::size_t> Body>
void parallel_for(std::size_t n, int threads, Body&& body) {
  static_cast<void>(parallel_for(n, threads, CancelToken(), body));
}

/// body(i, scratch) for each i < n, where each worker has a scratch of its own, made when it first
/// needs one (so make_scratch must be safe to call from several threads). What a body finds in its
/// scratch is chance: it must not show in the result. Returns false when cancellation left some
/// out.
template <std::invocable MakeScratch, class Body>
[[nodiscard]] bool parallel_for_scratch(std::size_t n, int threads, const CancelToken& cancel,
                                        MakeScratch&& make_scratch, Body&& body) {
  using Scratch = std::remove_cvref_t<std::invoke_result_t<MakeScratch&>>;
  std::vector<std::optional<Scratch>> scratch(static_cast<std::size_t>(resolve_threads(threads)));
  auto call = [&](std::size_t worker, std::size_t i) {
    std::optional<Scratch>& mine = scratch[worker];
    if (!mine) mine.emplace(make_scratch());
    body(i, *mine);
  };
  return detail::run_indexed(n, threads, cancel, detail::refer_to(call));
}

/// The same without cancellation.
template <std::invocable MakeScratch, class Body>
void parallel_for_scratch(std::size_t n, int threads, MakeScratch&& make_scratch, Body&& body) {
  static_cast<void>(parallel_for_scratch(n, threads, CancelToken(), make_scratch, body));
}

/// fold(...fold(fold(start, map(0)), map(1))..., map(n-1)): maps in parallel and folds in index
/// order on the calling thread, so that rounding is the same on any number of threads. Holds the n
/// mapped values at once. Nothing when cancellation left some out.
template <class Value, std::invocable<std::size_t> Map, class Fold>
[[nodiscard]] std::optional<Value> parallel_reduce_ordered(std::size_t n, int threads,
                                                           const CancelToken& cancel, Value start,
                                                           Map&& map, Fold&& fold) {
  using Mapped = std::remove_cvref_t<std::invoke_result_t<Map&, std::size_t>>;
  std::vector<std::optional<Mapped>> mapped(n);
  auto store = [&](std::size_t i) { mapped[i].emplace(map(i)); };
  if (!parallel_for(n, threads, cancel, store)) return std::nullopt;
  for (std::optional<Mapped>& value : mapped) start = fold(std::move(start), std::move(*value));
  return start;
}

/// The same without cancellation.
template <class Value, std::invocable<std::size_t> Map, class Fold>
[[nodiscard]] Value parallel_reduce_ordered(std::size_t n, int threads, Value start, Map&& map,
                                            Fold&& fold) {
  return *parallel_reduce_ordered(n, threads, CancelToken(), std::move(start), map, fold);
}

}  // namespace geste

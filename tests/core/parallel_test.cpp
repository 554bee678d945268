#include "geste/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "geste/core/rng.hpp"

namespace geste {
namespace {

constexpr int kThreadCounts[] = {1, 2, 3, 8, 0};

TEST(Parallel, ResolvesThreads) {
  EXPECT_GE(resolve_threads(0), 1);
  EXPECT_EQ(resolve_threads(1), 1);
  EXPECT_EQ(resolve_threads(8), 8);
  EXPECT_EQ(resolve_threads(1'000'000'000), 1024);
  EXPECT_THROW(resolve_threads(-1), std::invalid_argument);
}

TEST(Parallel, RunsEachIndexOnce) {
  for (const int threads : kThreadCounts) {
    for (const std::size_t n : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> runs(n);
      parallel_for(n, threads, [&](std::size_t i) { ++runs[i]; });
      for (const auto& count : runs) ASSERT_EQ(count, 1);
    }
  }
}

/// Work of uneven length whose numbers come from the stream of its index.
double walk(const Rng& root, std::size_t i) {
  Rng rng = root.split(i);
  double x = 0;
  const std::int64_t steps = rng.integer(1, 200);
  for (std::int64_t k = 0; k < steps; ++k) x += rng.normal() * 1e-3 + rng.uniform(-1, 1);
  return x;
}

TEST(Parallel, SameBytesOnAnyNumberOfThreads) {
  const Rng root(77);
  const auto run = [&](int threads) {
    std::vector<double> out(3000);
    parallel_for(out.size(), threads, [&](std::size_t i) { out[i] = walk(root, i); });
    return out;
  };
  std::vector<double> plain(3000);
  for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = walk(root, i);
  for (const int threads : kThreadCounts) EXPECT_EQ(run(threads), plain) << threads;
}

TEST(Parallel, ReducesInIndexOrder) {
  // The rounding of a sum depends on the order of its terms.
  const auto term = [](std::size_t i) { return 1 / static_cast<double>(i + 1); };
  double plain = 0;
  for (std::size_t i = 0; i < 5000; ++i) plain += term(i);
  double backward = 0;
  for (std::size_t i = 5000; i > 0; --i) backward += term(i - 1);
  ASSERT_NE(plain, backward) << "the test needs terms whose order shows";
  for (const int threads : kThreadCounts) {
    const auto add = [](double a, double b) { return a + b; };
    EXPECT_EQ(parallel_reduce_ordered(5000, threads, 0.0, term, add), plain) << threads;
  }
}

TEST(Parallel, ReducesValuesThatOnlyMove) {
  const auto made = parallel_reduce_ordered(
      5, 2, std::string(), [](std::size_t i) { return std::make_unique<std::size_t>(i); },
      [](std::string text, std::unique_ptr<std::size_t> i) { return text + std::to_string(*i); });
  EXPECT_EQ(made, "01234");
  // bool: neighbours must not share a byte.
  const auto odd = parallel_reduce_ordered(
      1000, 8, 0, [](std::size_t i) { return i % 2 == 1; },
      [](int count, bool is_odd) { return count + (is_odd ? 1 : 0); });
  EXPECT_EQ(odd, 500);
}

TEST(Parallel, UsesAsManyThreadsAsAsked) {
  // All eight bodies wait for each other: fewer than eight threads would not get through.
  std::atomic<int> here = 0;
  std::vector<std::thread::id> ids(8);
  parallel_for(8, 8, [&](std::size_t i) {
    ids[i] = std::this_thread::get_id();
    ++here;
    for (int patience = 0; here < 8 && patience < 20'000; ++patience) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 8u);
}

TEST(Parallel, UsesNoMoreThreadsThanAsked) {
  std::atomic<int> now = 0, most = 0;
  parallel_for(200, 2, [&](std::size_t) {
    const int mine = ++now;
    int seen = most;
    while (mine > seen && !most.compare_exchange_weak(seen, mine)) {
    }
    std::this_thread::yield();
    --now;
  });
  EXPECT_LE(most, 2);
}

TEST(Parallel, OneThreadRunsInlineAndInOrder) {
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<std::size_t> order;
  parallel_for(100, 1, [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  });
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
  EXPECT_EQ(order.size(), 100u);
}

TEST(Parallel, TheLowestFailureReachesTheCaller) {
  for (const int threads : kThreadCounts) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      try {
        parallel_for(500, threads, [](std::size_t i) {
          if (i % 100 == 37) throw std::runtime_error("index " + std::to_string(i));
        });
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& fault) {
        ASSERT_STREQ(fault.what(), "index 37") << threads << " threads";
      }
    }
  }
}

TEST(Parallel, EverythingBelowTheFailureHasRun) {
  for (const int threads : kThreadCounts) {
    std::vector<std::atomic<int>> runs(500);
    const auto body = [&](std::size_t i) {
      ++runs[i];
      if (i >= 300) throw std::runtime_error("stop");
    };
    EXPECT_THROW(parallel_for(500, threads, body), std::runtime_error);
    for (std::size_t i = 0; i <= 300; ++i) ASSERT_EQ(runs[i], 1);
  }
}

TEST(Parallel, CancellationKeepsTheRestFromBeginning) {
  for (const int threads : kThreadCounts) {
    const CancelSource source;
    std::atomic<int> runs = 0;
    const bool complete = parallel_for(100000, threads, source.token(), [&](std::size_t) {
      if (++runs == 10) source.request();
    });
    EXPECT_FALSE(complete);
    EXPECT_GE(runs, 10);
    EXPECT_LT(runs, 1000);
    EXPECT_FALSE(parallel_for(4, threads, source.token(), [](std::size_t) { FAIL(); }));
    const auto keep = [](int a, std::size_t) { return a; };
    EXPECT_FALSE(parallel_reduce_ordered(
        4, threads, source.token(), 0, [](std::size_t i) { return i; }, keep));
  }
  EXPECT_TRUE(parallel_for(4, 2, CancelSource().token(), [](std::size_t) {}));
}

TEST(Parallel, EachWorkerHasItsOwnScratch) {
  struct Scratch {
    std::vector<double> room = std::vector<double>(16);
    std::atomic<bool> in_use = false;
    Scratch() = default;
    Scratch(Scratch&& other) noexcept : room(std::move(other.room)) {}
  };
  for (const int threads : kThreadCounts) {
    std::atomic<int> made = 0;
    std::vector<double> out(2000);
    parallel_for_scratch(
        out.size(), threads,
        [&] {
          ++made;
          return Scratch();
        },
        [&](std::size_t i, Scratch& scratch) {
          EXPECT_FALSE(scratch.in_use.exchange(true));
          // An inner loop must not let this thread begin another outer index meanwhile.
          parallel_for(scratch.room.size(), 2,
                       [&](std::size_t k) { scratch.room[k] = static_cast<double>(i * k); });
          for (const double x : scratch.room) out[i] += x;
          scratch.in_use = false;
        });
    EXPECT_GE(made, 1);
    EXPECT_LE(made, resolve_threads(threads));
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<double>(120 * i));
  }
}

TEST(Parallel, NestsWithoutDeadlock) {
  std::vector<int> sums(20);
  parallel_for(sums.size(), 0, [&](std::size_t i) {
    sums[i] = parallel_reduce_ordered(
        50, 0, 0, [i](std::size_t k) { return static_cast<int>(i + k); },
        [](int a, int b) { return a + b; });
  });
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], 50 * static_cast<int>(i) + 1225);
}

TEST(Parallel, TakesMutableAndConstBodies) {
  int calls = 0;
  auto counting = [&calls, own = 0](std::size_t) mutable { calls = ++own; };
  parallel_for(3, 1, counting);
  EXPECT_EQ(calls, 3);
  std::atomic<int> runs = 0;
  const auto fixed = [&runs](std::size_t) { ++runs; };
  parallel_for(3, 2, fixed);
  EXPECT_EQ(runs, 3);
}

}  // namespace
}  // namespace geste

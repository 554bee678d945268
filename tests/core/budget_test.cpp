#include "geste/core/budget.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <limits>

namespace geste {
namespace {

using Clock = std::chrono::steady_clock;

TEST(Budget, UnlimitedNeverEnds) {
  BudgetMeter meter{Budget()};
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(meter.spend());
  EXPECT_TRUE(meter.spend(std::uint64_t{1} << 62));
  EXPECT_EQ(meter.reason(), StopReason::none);
  EXPECT_EQ(meter.remaining().max_steps, Budget::kUnlimited);
}

TEST(Budget, GrantsExactlyItsSteps) {
  BudgetMeter meter(Budget::steps(10));
  int done = 0;
  while (meter.spend()) ++done;
  EXPECT_EQ(done, 10);
  EXPECT_EQ(meter.spent(), 10u);
  EXPECT_EQ(meter.reason(), StopReason::steps);
  EXPECT_FALSE(meter.spend(0)) << "a refusal lasts";
}

TEST(Budget, ZeroStepsGrantNone) {
  BudgetMeter meter(Budget::steps(0));
  EXPECT_TRUE(meter.spend(0));
  EXPECT_FALSE(meter.spend());
  EXPECT_EQ(meter.spent(), 0u);
}

TEST(Budget, ALargeRequestIsGrantedWholeOrNotAtAll) {
  BudgetMeter meter(Budget::steps(10));
  EXPECT_TRUE(meter.spend(6));
  EXPECT_EQ(meter.remaining().max_steps, 4u);
  EXPECT_FALSE(meter.spend(5));
  EXPECT_EQ(meter.spent(), 6u);
  EXPECT_EQ(meter.reason(), StopReason::steps);
  BudgetMeter greedy(Budget::steps(10));
  EXPECT_TRUE(greedy.spend(1));
  EXPECT_FALSE(greedy.spend(std::numeric_limits<std::uint64_t>::max())) << "no wrapping round";
}

TEST(Budget, StopsWhenCancelled) {
  const CancelSource source;
  Budget budget;
  budget.cancel = source.token();
  BudgetMeter meter(budget);
  EXPECT_TRUE(meter.spend());
  source.request();
  EXPECT_FALSE(meter.spend());
  EXPECT_EQ(meter.reason(), StopReason::cancelled);
  EXPECT_EQ(meter.spent(), 1u);
  EXPECT_TRUE(meter.remaining().cancel.requested()) << "parts of the work hear it too";
}

TEST(Budget, StepsAreAskedBeforeCancellation) {
  const CancelSource source;
  source.request();
  Budget budget = Budget::steps(0);
  budget.cancel = source.token();
  BudgetMeter meter(budget);
  EXPECT_FALSE(meter.spend());
  EXPECT_EQ(meter.reason(), StopReason::steps);
}

TEST(Budget, ADeadlineInThePastStopsAtOnce) {
  Budget budget;
  budget.deadline = Clock::now();
  BudgetMeter meter(budget);
  EXPECT_FALSE(meter.spend());
  EXPECT_EQ(meter.reason(), StopReason::deadline);
}

TEST(Budget, ADeadlineIsReachedHoweverManyStepsLieBetweenTwoLooksAtTheClock) {
  Budget budget;
  budget.deadline = make_deadline(0.02);
  BudgetMeter meter(budget);
  while (meter.spend()) {
  }
  EXPECT_EQ(meter.reason(), StopReason::deadline);
  EXPECT_GE(Clock::now(), *budget.deadline);
  EXPECT_GT(meter.spent(), 0u);
}

TEST(Budget, AFarDeadlineDoesNotDisturb) {
  Budget budget = Budget::steps(100000);
  budget.deadline = make_deadline(1e6);
  BudgetMeter meter(budget);
  while (meter.spend()) {
  }
  EXPECT_EQ(meter.reason(), StopReason::steps);
  EXPECT_EQ(meter.spent(), 100000u);
}

TEST(Budget, OddDeadlines) {
  EXPECT_FALSE(make_deadline(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(make_deadline(std::nan("")));
  EXPECT_FALSE(make_deadline(1e300));
  const auto past = make_deadline(-5);
  EXPECT_LE(past.value(), Clock::now());
  EXPECT_GT(make_deadline(1e9).value(), Clock::now());
}

TEST(Budget, ReasonsHaveNames) {
  EXPECT_EQ(to_text(StopReason::none), "none");
  EXPECT_EQ(to_text(StopReason::steps), "steps");
  EXPECT_EQ(to_text(StopReason::deadline), "deadline");
  EXPECT_EQ(to_text(StopReason::cancelled), "cancelled");
}

TEST(Cancel, ADefaultTokenIsNeverRaised) { EXPECT_FALSE(CancelToken().requested()); }

TEST(Cancel, TokensOutliveTheirSource) {
  CancelToken token;
  {
    const CancelSource source;
    token = source.token();
    EXPECT_FALSE(token.requested());
    source.request();
  }
  EXPECT_TRUE(token.requested());
}

TEST(Cancel, SourcesAreIndependentAndCopiesShare) {
  const CancelSource a, b;
  const CancelSource copy = a;  // NOLINT(performance-unnecessary-copy-initialization)
  copy.request();
  EXPECT_TRUE(a.requested());
  EXPECT_FALSE(b.requested());
}

const CancelSource* interrupted = nullptr;

TEST(Cancel, ASignalHandlerMayRequest) {
  const CancelSource source;
  interrupted = &source;
  auto* const before = std::signal(SIGINT, [](int) { interrupted->request(); });
  std::raise(SIGINT);
  std::signal(SIGINT, before);
  EXPECT_TRUE(source.token().requested());
}

}  // namespace
}  // namespace geste

// Pegs that arms take into holes and out again (MV-5, MV-9, GX-2). Witnesses: every problem has a
// path that is known by construction, and the second prover looks at what is found.
#include "geste/planning/guided_trees.hpp"

#include <gtest/gtest.h>

#include "geste/planning/plan.hpp"

#include "planning/insertion_testing.hpp"

namespace geste {
namespace {

using namespace testing;

class Insertions : public ::testing::TestWithParam<InsertionKind> {};

TEST_P(Insertions, AreFound) {
  GESTE_NEEDS_DATA(find_peg_arm(GetParam().arm).folder);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Insertion in(GetParam(), seed);
    ASSERT_GT(in.known.cols(), 1) << "seed " << seed;
    ASSERT_TRUE(in.is_proven(in.known)) << "seed " << seed;
    PlanOptions options;
    options.threads = 1;
    const PlanReport report =
        plan(in.world(), in.problem, options, Budget::steps(200'000), Rng(seed));
    ASSERT_EQ(report.status, PlanStatus::found) << "seed " << seed;
    EXPECT_EQ(report.path.col(0), in.problem.start);
    EXPECT_EQ(report.path.rightCols(1), in.problem.goals[0]);
    EXPECT_TRUE(in.is_proven(report.path)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Insertions,
    ::testing::Values(InsertionKind{},
                      InsertionKind{.shape = PegShape::square, .has_plain_walls = true},
                      InsertionKind{.shape = PegShape::keyed, .is_carried = true},
                      InsertionKind{.clearance = 5e-4, .is_extraction = true},
                      InsertionKind{.shape = PegShape::square, .clearance = 2e-3},
                      InsertionKind{.arm = "ur5"},
                      InsertionKind{.arm = "ur5", .shape = PegShape::keyed, .is_extraction = true},
                      InsertionKind{.arm = "panda", .shape = PegShape::square},
                      InsertionKind{.arm = "panda", .clearance = 5e-4, .is_extraction = true},
                      InsertionKind{.arm = "fetch", .is_carried = true}),
    [](const auto& test) { return fmt::format("{}", ::testing::PrintToString(test.param)); });

}  // namespace
}  // namespace geste

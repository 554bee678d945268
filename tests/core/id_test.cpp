#include "geste/core/id.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <type_traits>
#include <unordered_set>

namespace geste {
namespace {

using BodyId = Id<struct BodyTag>;
using JointId = Id<struct JointTag>;

static_assert(sizeof(BodyId) == 4);
static_assert(std::is_trivially_copyable_v<BodyId>);
static_assert(!std::is_convertible_v<int, BodyId>);
static_assert(!std::is_convertible_v<BodyId, int>);
static_assert(!std::is_constructible_v<BodyId, JointId>);
static_assert(!std::is_constructible_v<BodyId, bool>);

TEST(Id, DefaultRefersToNothing) {
  EXPECT_FALSE(BodyId().valid());
  EXPECT_EQ(BodyId().value(), -1);
  EXPECT_EQ(BodyId(), BodyId::none());
  EXPECT_EQ(BodyId(-1), BodyId::none());
}

TEST(Id, HoldsAnIndexOfAnyIntegerType) {
  EXPECT_TRUE(BodyId(0).valid());
  EXPECT_EQ(BodyId(std::size_t{7}).value(), 7);
  EXPECT_EQ(BodyId(7).index(), std::size_t{7});
  EXPECT_EQ(BodyId(std::numeric_limits<std::int32_t>::max()).value(), 2147483647);
}

TEST(Id, RefusesWhatIsNoIndex) {
  EXPECT_THROW(BodyId(-2), std::out_of_range);
  EXPECT_THROW(BodyId(std::size_t{1} << 31), std::out_of_range);
  EXPECT_THROW(BodyId{std::numeric_limits<std::size_t>::max()}, std::out_of_range);
  EXPECT_THROW(BodyId(std::int64_t{1} << 32), std::out_of_range);
}

TEST(Id, OrdersAndHashesLikeItsIndex) {
  EXPECT_LT(BodyId(), BodyId(0));
  EXPECT_LT(BodyId(2), BodyId(3));
  EXPECT_GE(BodyId(3), BodyId(3));
  EXPECT_NE(BodyId(3), BodyId(4));
  const std::set<BodyId> ordered{BodyId(3), BodyId(1), BodyId(3)};
  EXPECT_EQ(ordered.size(), 2u);
  EXPECT_EQ(*ordered.begin(), BodyId(1));
  const std::unordered_set<BodyId> hashed{BodyId(3), BodyId(1), BodyId(3)};
  EXPECT_EQ(hashed.size(), 2u);
  EXPECT_TRUE(hashed.contains(BodyId(1)));
}

}  // namespace
}  // namespace geste

#include <gtest/gtest.h>

#include "geste/planning/steering/registry.hpp"

#include "planning/steering_laws.hpp"

namespace geste {
namespace {

using namespace testing;

// MV-2: every name makes a method that keeps the laws, or says what it lacks.
TEST(SteeringRegistry, MakesMethodsByName) {
  const SpaceRig cart(make_cart_world());
  const LegPromise any = [](ConstVecRef, ConstVecRef) { return ""; };
  for (const char* name : {"linear", "reeds_shepp", "dubins", "manhattan"})
    expect_steering_laws(cart.space, *make_steering(name, cart.space).value(), any, 100);
  const auto trailer = make_steering("trailer", cart.space);
  ASSERT_FALSE(trailer);
  EXPECT_EQ(trailer.error().code, "plan.steering");
  const auto unknown = make_steering("dubin", cart.space);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().remedy.find("dubins"), std::string::npos);
}

// MV-2: the linear method, for every joint type.
TEST(SteeringRegistry, LinearKeepsTheLaws) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    const SpaceRig p(make_random_world(rng, 4, 1));
    const LegPromise any = [](ConstVecRef, ConstVecRef) { return ""; };
    expect_steering_laws(p.space, *make_steering("linear", p.space).value(), any, 50);
  }
}

}  // namespace
}  // namespace geste

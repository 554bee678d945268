#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "geste/model/joint_manifold.hpp"
#include "geste/planning/steering.hpp"

#include "planning/planning_testing.hpp"

namespace geste::testing {

/// What a method promises of one leg: nothing when it is kept, what is wrong otherwise.
using LegPromise = std::function<std::string(ConstVecRef a, ConstVecRef b)>;

inline std::string show(ConstVecRef x) {
  std::string text;
  for (double value : x) text += fmt::format("{:.17g} ", value);
  return text;
}

/// Far apart, near each other, and the same in all but one number.
inline void draw_pair(const PlanningSpace& space, int i, Rng& rng, VecX& a, VecX& b) {
  space.sample(rng, a);
  if (i % 2 == 0) {
    space.sample(rng, b);
  } else {
    space.sample_near(a, std::pow(10.0, rng.uniform(-3, 0)), rng, b);
  }
}

inline void expect_laws_of_pair(const PlanningSpace& space, const SteeringMethod& method,
                                ConstVecRef a, ConstVecRef b, const LegPromise& promise) {
  SCOPED_TRACE(fmt::format("from {} to {}", show(a), show(b)));
  Way way(space), again(space), back(space);
  ASSERT_TRUE(method.steer(a, b, way));
  ASSERT_GE(way.count(), 2);
  EXPECT_EQ(way[0], a);
  EXPECT_EQ(way.back(), b);
  ASSERT_TRUE(method.steer(a, b, again));
  EXPECT_EQ(way.points(), again.points());
  const double length = measure_length(space, way), bound = method.lower_bound(a, b);
  EXPECT_GE(bound, 0);
  EXPECT_GE(length, bound - 1e-9 * (1 + length));
  for (int i = 1; i < way.count(); ++i) {
    const std::string broken = promise(way[i - 1], way[i]);
    EXPECT_EQ(broken, "") << "leg " << i << " of " << way.count() - 1;
  }
  if (method.is_reversible()) {
    ASSERT_TRUE(method.steer(b, a, back));
    EXPECT_NEAR(measure_length(space, back), length, 1e-7 * (1 + length));
    EXPECT_NEAR(method.lower_bound(b, a), bound, 1e-7 * (1 + bound));
  }
}

/// The laws of steering.hpp, over random pairs of points. The share of pairs that are joined: all,
/// unless the method `may_fail`.
inline double expect_steering_laws(const PlanningSpace& space, const SteeringMethod& method,
                                   const LegPromise& promise, int pairs = 2000,
                                   bool may_fail = false) {
  Rng rng(5);
  VecX a(space.size()), b(space.size());
  Way way(space);
  int joined = 0;
  for (int i = 0; i < pairs && !::testing::Test::HasFailure(); ++i) {
    draw_pair(space, i, rng, a, b);
    EXPECT_TRUE(method.steer(a, a, way)) << show(a);
    EXPECT_NEAR(measure_length(space, way), 0, 1e-7) << show(a);
    EXPECT_NEAR(method.lower_bound(a, a), 0, 1e-7) << show(a);
    if (may_fail && !method.steer(a, b, way)) continue;
    expect_laws_of_pair(space, method, a, b, promise);
    ++joined;
  }
  return static_cast<double>(joined) / pairs;
}

/// At most one number differs, or one quaternion, of the entries from `first_entry` on.
inline LegPromise moves_one_thing(const PlanningSpace& space, double tolerance = 0,
                                  int first_entry = 0) {
  return [&space, tolerance, first_entry](ConstVecRef a, ConstVecRef b) -> std::string {
    int moved = 0;
    for (const PlanningSpace::Item& item : space.items()) {
      if (item.x < first_entry) continue;
      const int plain = item.joint.type == JointType::spherical ? 0
                        : item.joint.type == JointType::free    ? 3
                                                                : item.joint.nq;
      const auto differs = [&](int k, int n) {
        return (a.segment(item.x + k, n) - b.segment(item.x + k, n)).norm() > tolerance;
      };
      for (int k = 0; k < plain; ++k) moved += differs(k, 1);
      if (plain < item.joint.nq) moved += differs(plain, 4);
    }
    return moved > 1 ? fmt::format("moves {} things", moved) : "";
  };
}

/// A box on wheels on a floor of 10 m by 6 m; its axle's middle is its origin.
inline SceneSpec make_cart_world(double length = 0.8, double width = 0.4) {
  SceneSpec spec;
  BodySpec body{"cart"};
  body.geometry.emplace_back();
  body.geometry.back().shape = Box{Vec3(length, width, 0.3)};
  body.geometry.back().X_BG = Pose::translation(Vec3(0.3 * length, 0, 0.2));
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = "base";
  joint.type = JointType::planar;
  joint.child = "cart";
  joint.axis = Vec3::UnitZ();
  joint.limits = {{-5, 5}, {-3, 3}, {}};
  spec.joints.push_back(joint);
  return spec;
}

/// Rolls along its first axis, turns no tighter than the radius, stays between the coordinates of
/// its ends; `forwards`: never backwards. Up to `tolerance` in m. `entry`: of the cart.
inline LegPromise rolls_as_cart(double radius, bool forwards, int entry = 0,
                                double tolerance = 2e-8) {
  return [=](ConstVecRef a, ConstVecRef b) -> std::string {
    const double *from = a.data() + entry, *to = b.data() + entry;
    const Vec6 v = compute_screw(JointType::planar, from, to);
    if (std::abs(v[1]) > tolerance) return fmt::format("slips by {}", v[1]);
    if (radius * std::abs(v[5]) > std::abs(v[0]) + tolerance)
      return fmt::format("turns by {} on {} m", v[5], v[0]);
    if (std::abs(v[5]) > kPi / 2 + 1e-6) return fmt::format("turns by {}", v[5]);
    if (forwards && v[0] < -tolerance) return fmt::format("goes back by {}", v[0]);
    Joint joint;
    joint.type = JointType::planar;
    joint.nq = joint.nv = 3;
    for (double s = 0.1; s < 1; s += 0.2) {
      double x[3];
      interpolate(joint, from, to, Course::screw, s, x);
      for (int k = 0; k < 2; ++k)
        if (x[k] < std::min(from[k], to[k]) - 1e-9 || x[k] > std::max(from[k], to[k]) + 1e-9)
          return fmt::format("bulges to {}", x[k]);
    }
    return "";
  };
}

}  // namespace geste::testing

#include "geste/tasks/internal/goal_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geste/core/quantity.hpp"

namespace geste::internal {
namespace {

/// How many entries of q have limits of their own, in the order of the degrees of freedom.
int count_limited(const Joint& joint) {
  if (joint.type == JointType::spherical) return 0;
  return joint.type == JointType::free ? 3 : joint.nq;
}

bool is_length(const Joint& joint, int entry) {
  return joint.type == JointType::prismatic || joint.type == JointType::free ||
         (joint.type == JointType::planar && entry < 2);
}

}  // namespace

void clamp_rounding(const Scene& scene, VecX& q, Notes& notes) {
  constexpr double kAngle = 1e-4, kLength = 1e-5;
  for (const Joint& joint : scene.joints()) {
    if (joint.role != JointRole::independent) continue;
    for (int k = 0; k < count_limited(joint); ++k) {
      const DofLimits& limits = joint.limits[static_cast<std::size_t>(k)];
      const bool length = is_length(joint, k);
      double& value = q[joint.q + k];
      const double inside = std::clamp(value, limits.lower, limits.upper);
      const double excess = std::abs(value - inside);
      if (excess == 0 || excess > (length ? kLength : kAngle)) continue;
      notes.push_back({.code = "plan.goal_rounded",
                       .message = fmt::format("the goal is {} {} beyond its limit, by rounding: "
                                              "the limit is taken",
                                              format_number(excess, 2), length ? "m" : "rad"),
                       .element = fmt::format("joint '{}'", joint.name),
                       .remedy = fmt::format("write {}", inside)});
      value = inside;
    }
  }
}

}  // namespace geste::internal

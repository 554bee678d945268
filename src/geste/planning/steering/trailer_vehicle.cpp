#include <cmath>

#include "geste/planning/steering/fault.hpp"
#include "geste/planning/steering/trailer.hpp"

namespace geste {
namespace {

/// The plane's first direction in the frame of what a planar joint moves.
Vec3 find_forward(const Scene& scene, const Joint& cart) {
  for (const Mover& m : scene.movers())
    if (m.type == JointType::planar && m.q == cart.q) return m.u1;
  return Vec3::UnitX();
}

bool is_positive(double x) { return x > 0 && std::isfinite(x); }

}  // namespace

TrailerSteering::Vehicle TrailerSteering::inspect(const PlanningSpace& space,
                                                  const TrailerOptions& options,
                                                  std::vector<Diagnostic>& faults) {
  Vehicle vehicle;
  const PlanningSpace::Item *cart = nullptr, *hinge = nullptr;
  for (const PlanningSpace::Item& item : space.items()) {
    const bool turns =
        item.joint.type == JointType::revolute || item.joint.type == JointType::continuous;
    if (item.joint.type == JointType::planar && cart == nullptr)
      cart = &item;
    else if (turns && hinge == nullptr)
      hinge = &item;
    else
      faults.push_back(make_steering_fault(
          item.joint, "this method moves one planar joint and the hinge of its trailer",
          "give it a steering method of its own, in a group"));
  }
  if (cart == nullptr || hinge == nullptr) {
    faults.push_back({.code = "plan.steering",
                      .message = "a cart with a trailer is a planar joint and a hinge",
                      .remedy = "plan both joints together"});
    return vehicle;
  }
  const auto fault = [&](const PlanningSpace::Item* item, std::string message, std::string remedy) {
    faults.push_back(make_steering_fault(item->joint, std::move(message), std::move(remedy)));
  };
  if (cart->joint.limits[2].lower > -kPi || cart->joint.limits[2].upper < kPi)
    fault(cart, "its heading is limited, but a cart turns all round",
          "leave the limits of its angle out");
  if (!is_positive(options.length) || !is_positive(options.slip))
    fault(hinge,
          fmt::format("a trailer of {} m that may slip by {} m", options.length, options.slip),
          "give lengths of more than zero");
  const Vec3 normal = cart->joint.axis, axis = hinge->joint.X_PJ.R * hinge->joint.axis;
  const Vec3 forward = find_forward(space.scene(), cart->joint), place = hinge->joint.X_PJ.p;
  vehicle = {cart->x, hinge->x, axis.dot(normal) > 0 ? 1.0 : -1.0,
             std::max(0.0, -place.dot(forward))};
  if (hinge->joint.parent != cart->joint.child)
    fault(hinge, "is not on what the planar joint moves", "hinge the trailer to the cart itself");
  else if (std::abs(axis.dot(normal)) < 1 - 1e-9)
    fault(hinge, "its axis is not upright on the cart's plane", "turn its axis along the normal");
  else if (std::abs(place.dot(normal.cross(forward))) > 1e-9 || place.dot(forward) > 1e-9)
    fault(hinge, "lies beside or before the middle of the cart's axle",
          "put the hitch at the middle or straight behind");
  if (!faults.empty()) return vehicle;
  const double most = 0.97 * TrailerFlatness(vehicle.hitch, options.length).largest_hinge();
  const DofLimits& limits = hinge->joint.limits[0];
  if (limits.lower < -most || limits.upper > most)
    fault(hinge, "the trailer may fold so far that it no longer follows",
          fmt::format("limit the joint to {:.3f} rad either way", most));
  return vehicle;
}

}  // namespace geste

#include "geste/planning/steering/registry.hpp"

#include <fmt/format.h>

#include "geste/planning/steering/dubins.hpp"
#include "geste/planning/steering/reeds_shepp.hpp"

namespace geste {
namespace {

using MadeSteering = Result<std::unique_ptr<SteeringMethod>>;

struct SteeringEntry {
  std::string_view name;
  MadeSteering (*make)(const PlanningSpace& space, const SteeringOptions& options);
};

MadeSteering make_linear(const PlanningSpace& space, const SteeringOptions&) {
  return std::unique_ptr<SteeringMethod>(new LinearSteering(space));
}

constexpr SteeringEntry kSteeringMethods[] = {
    {"linear", make_linear},
    {"reeds_shepp",
     [](const auto& s, const auto& o) { return ReedsSheppSteering::make(s, o.cart); }},
    {"dubins", [](const auto& s, const auto& o) { return DubinsSteering::make(s, o.cart); }},
    {"manhattan", [](const auto& s, const auto& o) { return ManhattanSteering::make(s, o.order); }},
    {"trailer", [](const auto& s, const auto& o) { return TrailerSteering::make(s, o.trailer); }},
};

}  // namespace

MadeSteering make_steering(std::string_view name, const PlanningSpace& space,
                           const SteeringOptions& options) {
  std::string names;
  for (const SteeringEntry& entry : kSteeringMethods) {
    if (entry.name == name) return entry.make(space, options);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  return Diagnostic{.code = "plan.steering",
                    .message = fmt::format("there is no steering method '{}'", name),
                    .remedy = fmt::format("name one of {}", names)};
}

}  // namespace geste

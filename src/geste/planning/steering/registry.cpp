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

MadeSteering make_projected(const PlanningSpace& space, const SteeringOptions& options) {
  return ProjectedSteering::make(space, options.projected);
}

MadeSteering make_linear(const PlanningSpace& space, const SteeringOptions& options) {
  if (space.has_loops()) return make_projected(space, options);
  return std::unique_ptr<SteeringMethod>(new LinearSteering(space));
}

constexpr SteeringEntry kSteeringMethods[] = {
    {"linear", make_linear},
    {"projected", make_projected},
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
    const bool keeps_loops = entry.make == make_linear || entry.make == make_projected;
    if (entry.name == name && space.has_loops() && !keeps_loops)
      return Diagnostic{
          .code = "plan.loop",
          .message = fmt::format("'{}' would open chains that are closed by projection", name),
          .remedy = "steer by 'projected', or plan joints outside these chains"};
    if (entry.name == name) return entry.make(space, options);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  return Diagnostic{.code = "plan.steering",
                    .message = fmt::format("there is no steering method '{}'", name),
                    .remedy = fmt::format("name one of {}", names)};
}

}  // namespace geste

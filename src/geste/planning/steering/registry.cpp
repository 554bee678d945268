#include "geste/planning/steering/registry.hpp"

#include <fmt/format.h>

#include "geste/core/text.hpp"
#include "geste/planning/steering/dubins.hpp"
#include "geste/planning/steering/reeds_shepp.hpp"

namespace geste {
namespace {

using MadeSteering = Result<std::unique_ptr<SteeringMethod>>;

struct SteeringEntry {
  std::string_view name;
  std::vector<std::string_view> parameters;
  MadeSteering (*make)(const PlanningSpace& space, const SteeringOptions& options);
};

MadeSteering make_projected(const PlanningSpace& space, const SteeringOptions& options) {
  return ProjectedSteering::make(space, options.projected);
}

MadeSteering make_linear(const PlanningSpace& space, const SteeringOptions& options) {
  if (space.has_loops()) return make_projected(space, options);
  return std::unique_ptr<SteeringMethod>(new LinearSteering(space));
}

const std::vector<SteeringEntry>& list_entries() {
  static const std::vector<SteeringEntry> entries{
      {"linear", {}, make_linear},
      {"projected", {}, make_projected},
      {"reeds_shepp",
       {"radius"},
       [](const auto& s, const auto& o) { return ReedsSheppSteering::make(s, o.cart); }},
      {"dubins",
       {"radius"},
       [](const auto& s, const auto& o) { return DubinsSteering::make(s, o.cart); }},
      {"manhattan",
       {"order"},
       [](const auto& s, const auto& o) { return ManhattanSteering::make(s, o.order); }},
      {"trailer",
       {"length", "slip"},
       [](const auto& s, const auto& o) { return TrailerSteering::make(s, o.trailer); }},
  };
  return entries;
}

}  // namespace

MadeSteering make_steering(std::string_view name, const PlanningSpace& space,
                           const SteeringOptions& options) {
  std::vector<std::string> names;
  for (const SteeringEntry& entry : list_entries()) {
    const bool keeps_loops = entry.make == make_linear || entry.make == make_projected;
    if (entry.name == name && space.has_loops() && !keeps_loops)
      return Diagnostic{
          .code = "plan.loop",
          .message = fmt::format("'{}' would open chains that are closed by projection", name),
          .remedy = "steer by 'projected', or plan joints outside these chains"};
    if (entry.name == name) return entry.make(space, options);
    names.emplace_back(entry.name);
  }
  return Diagnostic{.code = "plan.steering",
                    .message = fmt::format("there is no steering method '{}'", name),
                    .remedy = suggest_name(name, names)};
}

const std::vector<SteeringName>& list_steering_methods() {
  static const std::vector<SteeringName> methods = [] {
    std::vector<SteeringName> all;
    for (const SteeringEntry& entry : list_entries()) all.push_back({entry.name, entry.parameters});
    return all;
  }();
  return methods;
}

}  // namespace geste

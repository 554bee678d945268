#pragma once

#include <string_view>

#include "geste/planning/projected.hpp"
#include "geste/planning/steering/cart_steering.hpp"
#include "geste/planning/steering/manhattan.hpp"
#include "geste/planning/steering/trailer.hpp"

namespace geste {

/// What methods are made with; each reads its own.
struct SteeringOptions {
  CartOptions cart{};
  TrailerOptions trailer{};
  std::vector<ManhattanMove> order{};
  ProjectedOptions projected{};
};

/// The method of a name. The error of an unknown one lists those that are known. Chains that are
/// closed by projection are kept closed by "projected", which "linear" is there too; the others are
/// refused.
Result<std::unique_ptr<SteeringMethod>> make_steering(std::string_view name,
                                                      const PlanningSpace& space,
                                                      const SteeringOptions& options = {});

/// The names that are known, and which parameters each method reads.
struct SteeringName {
  std::string_view name;
  std::vector<std::string_view> parameters;  ///< "radius", "length", "slip", "order"
};
const std::vector<SteeringName>& list_steering_methods();

}  // namespace geste

#pragma once

#include "geste/formats/fields.hpp"
#include "geste/planning/steering/registry.hpp"

namespace geste {

/// A steering method as a task file asks for it (MV-2).
struct MethodChoice {
  std::string method = "linear";
  double radius = 0;               ///< m; reeds_shepp and dubins: of the tightest turn
  double length = 0;               ///< m; trailer: from the hitch to its axle
  double slip = 1e-3;              ///< m; trailer: sideways, on one leg
  std::vector<std::string> order;  ///< manhattan: what moves, one after the other; empty: as it is
};

/// One method for all joints that move, or others for some groups of them.
struct SteeringChoice : MethodChoice {
  struct Group : MethodChoice {
    std::vector<std::string> joints;  ///< names of joints, of groups of joints or of actors
  };
  bool is_given = false;           ///< the task file says something of it
  bool is_order_searched = false;  ///< manhattan: any order that serves
  std::vector<Group> groups;
};

/// Its fields, inside a mapping.
void describe_steering(FieldVisitor& visitor, SteeringChoice& choice);

/// The methods with their parameters, in one line: the same for the same choice.
std::string to_text(const SteeringChoice& choice);

/// The error names joints that are not planned, or that a method cannot move, and names that mean
/// nothing. The space must outlive it.
Result<std::unique_ptr<SteeringMethod>> make_chosen_steering(const PlanningSpace& space,
                                                             const SteeringChoice& choice);

}  // namespace geste

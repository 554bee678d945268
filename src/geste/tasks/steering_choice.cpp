#include "geste/tasks/steering_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/text.hpp"
#include "geste/planning/steering/composed.hpp"
#include "geste/planning/steering/manhattan_names.hpp"

namespace geste {
namespace {

const std::vector<std::string>& list_method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const SteeringName& method : list_steering_methods()) all.emplace_back(method.name);
    return all;
  }();
  return names;
}

bool reads_parameter(std::string_view method, std::string_view parameter) {
  const auto& all = list_steering_methods();
  return std::any_of(all.begin(), all.end(), [&](const SteeringName& m) {
    return m.name == method &&
           std::find(m.parameters.begin(), m.parameters.end(), parameter) != m.parameters.end();
  });
}

/// Parameters that the method does not read, and those it cannot do without. Forms send defaults
/// too, so a parameter that has its default counts as left out.
void check_parameters(FieldVisitor& v, const MethodChoice& choice) {
  const MethodChoice plain;
  const std::pair<const char*, bool> given[] = {{"radius", choice.radius != plain.radius},
                                                {"length", choice.length != plain.length},
                                                {"slip", choice.slip != plain.slip},
                                                {"order", !choice.order.empty()}};
  for (const auto& [key, is_given] : given)
    if (is_given && !reads_parameter(choice.method, key))
      v.fault(key, "task.steering",
              fmt::format("'{}' says nothing to the method '{}'", key, choice.method),
              "leave it out, or name the method that is meant");
  for (const auto& [key, is_given] : {given[0], given[1]})
    if (!is_given && reads_parameter(choice.method, key))
      v.fault("method", "task.steering",
              fmt::format("the method '{}' needs `{}`", choice.method, key),
              fmt::format("add `{}`, in metres", key));
}

void describe_method(FieldVisitor& v, MethodChoice& choice) {
  v.choice({"method", "how points are joined where nothing is in the way"}, choice.method,
           list_method_names());
  v.number({"radius", "reeds_shepp, dubins: of the tightest turn"}, choice.radius,
           Dimension::length);
  v.number({"length", "trailer: from the hitch to its axle"}, choice.length, Dimension::length);
  v.number({"slip", "trailer: how far an axle may slip sideways on one leg"}, choice.slip,
           Dimension::length);
  v.texts({"order",
           "manhattan: joints one after the other, as actor/joint, with .x .y .z .angle "
           ".rotation where one moves in several ways; left out: as they come"},
          choice.order);
}

Result<std::unique_ptr<SteeringMethod>> make_method(const MethodChoice& choice,
                                                    const PlanningSpace& space) {
  SteeringOptions options;
  options.cart.radius = choice.radius;
  options.trailer.length = choice.length;
  options.trailer.slip = choice.slip;
  if (!choice.order.empty()) {
    Result<std::vector<ManhattanMove>> order = find_manhattan_order(space, choice.order);
    if (!order) return order.error();
    options.order = std::move(*order);
  }
  return make_steering(choice.method, space, options);
}

std::string describe_in_words(const MethodChoice& choice) {
  std::string text = choice.method;
  if (reads_parameter(choice.method, "radius")) text += fmt::format(", radius {} m", choice.radius);
  if (reads_parameter(choice.method, "length"))
    text += fmt::format(", length {} m, slip {} m", choice.length, choice.slip);
  if (!choice.order.empty()) text += fmt::format(", order {}", fmt::join(choice.order, " "));
  return text;
}

/// Whether a name means what is called `whole`: as it is, or without the actor before it.
bool is_meant(const std::string& whole, const std::string& name) {
  return whole == name || whole.ends_with("/" + name);
}

/// The planned joints that a name stands for: a joint, a group, or an actor.
std::vector<JointId> find_named_joints(const PlanningSpace& space, const std::string& name) {
  const Scene& scene = space.scene();
  std::vector<JointId> planned, found;
  for (const PlanningSpace::Item& item : space.items())
    planned.push_back(*scene.find_joint(item.joint.name));
  const auto keep = [&](const auto& holds) {
    for (const JointId id : planned)
      if (holds(id)) found.push_back(id);
    return !found.empty();
  };
  if (keep([&](JointId id) { return is_meant(scene.joint(id).name, name); })) return found;
  for (const Group& group : scene.groups()) {
    if (is_meant(group.name, name) && keep([&](JointId id) {
          return std::find(group.joints.begin(), group.joints.end(), id) != group.joints.end();
        }))
      return found;
  }
  if (const std::optional<ActorId> actor = scene.find_actor(name))
    keep([&](JointId id) { return scene.body(scene.joint(id).child).actor == *actor; });
  return found;
}

/// The groups with their joints; what is in none goes by the method of the whole.
Result<std::vector<SteeringGroup>> make_groups(const PlanningSpace& space,
                                               const SteeringChoice& choice) {
  std::vector<SteeringGroup> groups;
  std::vector<Diagnostic> faults;
  std::vector<std::string> known;
  std::vector<JointId> rest;
  for (const PlanningSpace::Item& item : space.items()) {
    known.push_back(item.joint.name);
    rest.push_back(*space.scene().find_joint(item.joint.name));
  }
  for (const SteeringChoice::Group& group : choice.groups) {
    SteeringGroup made;
    made.make = [&group](const PlanningSpace& own) { return make_method(group, own); };
    for (const std::string& name : group.joints) {
      const std::vector<JointId> joints = find_named_joints(space, name);
      if (joints.empty())
        faults.push_back({.code = "plan.steering",
                          .message = fmt::format("no joint that moves is called '{}'", name),
                          .element = "steering, groups",
                          .remedy = suggest_name(name, known)});
      made.joints.insert(made.joints.end(), joints.begin(), joints.end());
    }
    std::erase_if(rest, [&](JointId id) {
      return std::find(made.joints.begin(), made.joints.end(), id) != made.joints.end();
    });
    groups.push_back(std::move(made));
  }
  if (!faults.empty()) return make_error(std::move(faults));
  groups.push_back(
      {rest, [&choice](const PlanningSpace& own) { return make_method(choice, own); }});
  return groups;
}

}  // namespace

void describe_steering(FieldVisitor& v, SteeringChoice& choice) {
  describe_method(v, choice);
  check_parameters(v, choice);
  v.boolean({"searched", "manhattan: any order that serves, instead of a given one"},
            choice.is_order_searched);
  v.items<SteeringChoice::Group>(
      {"groups", "joints with a method of their own"}, choice.groups,
      [](FieldVisitor& item, SteeringChoice::Group& group) {
        item.texts({"joints", "joints as actor/joint, groups of joints, or actors", true},
                   group.joints);
        describe_method(item, group);
        check_parameters(item, group);
      });
  if (!choice.is_order_searched) return;
  if (choice.method != "manhattan" || !choice.order.empty() || !choice.groups.empty())
    v.fault("searched", "task.steering",
            "an order is searched only where the method 'manhattan' moves everything, in none "
            "that is given",
            "leave out `searched`, or else `order` and `groups`");
}

std::string to_text(const SteeringChoice& choice) {
  std::string text = describe_in_words(choice);
  if (choice.is_order_searched) text += ", any order";
  for (const SteeringChoice::Group& group : choice.groups)
    text += fmt::format("; {}: {}", fmt::join(group.joints, " "), describe_in_words(group));
  return text;
}

Result<std::unique_ptr<SteeringMethod>> make_chosen_steering(const PlanningSpace& space,
                                                             const SteeringChoice& choice) {
  if (choice.groups.empty()) return make_method(choice, space);
  const Result<std::vector<SteeringGroup>> groups = make_groups(space, choice);
  if (!groups) return groups.error();
  return ComposedSteering::make(space, *groups);
}

}  // namespace geste

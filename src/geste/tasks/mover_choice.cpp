#include "geste/tasks/mover_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/text.hpp"
#include "geste/tasks/internal/goals.hpp"

namespace geste {

namespace {

/// Every joint of the choice that may move.
Result<std::vector<JointId>> find_all_joints(const Scene& scene, const MoverChoice& choice) {
  if (choice.actors.empty()) return internal::find_moving_joints(scene, choice.actor, choice.group);
  std::vector<JointId> joints;
  for (const std::string& actor : choice.actors) {
    const auto own = internal::find_moving_joints(scene, actor, "");
    if (!own) return own.error();
    joints.insert(joints.end(), own->begin(), own->end());
  }
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

/// Takes the joints that a name stands for, a joint or a group of them, out of `joints`; whether
/// there is one of that name. Names may stand without the actor before them.
bool leave_out(const Scene& scene, const std::string& name, std::vector<JointId>& joints) {
  const auto is_called = [&](const std::string& whole) {
    return whole == name || whole.ends_with("/" + name);
  };
  if (std::erase_if(joints, [&](JointId id) { return is_called(scene.joint(id).name); }) > 0)
    return true;
  bool is_known = false;
  for (const Group& group : scene.groups()) {
    if (!is_called(group.name)) continue;
    is_known = true;
    std::erase_if(joints, [&](JointId id) {
      return std::find(group.joints.begin(), group.joints.end(), id) != group.joints.end();
    });
  }
  return is_known;
}

}  // namespace

void MoverChoice::add_faults(const char* element, std::vector<Diagnostic>& faults) const {
  const auto need = [&](bool holds, const char* what, const char* remedy) {
    if (!holds) faults.push_back({"move.options", what, "", 0, 0, element, remedy});
  };
  need(actor.empty() != actors.empty(), "it is not said who moves, or said twice",
       "give either `actor` or `actors`");
  need(actors.empty() || group.empty(), "`group` stands beside several actors",
       "name one actor, or leave it out");
  need(room_low.has_value() == room_high.has_value(), "the room has only one corner",
       "give `low` and `high`");
  if (room_low && room_high)
    need((room_low->array() < room_high->array()).all(), "the room is empty",
         "let every entry of `low` be below that of `high`");
}

std::optional<AxisBox> MoverChoice::find_room() const {
  if (!room_low || !room_high) return std::nullopt;
  return AxisBox{*room_low, *room_high};
}

void describe_movers(FieldVisitor& v, MoverChoice& choice) {
  v.text({"actor", "the actor, or the movable part, that moves"}, choice.actor);
  v.texts({"actors", "or several that are planned together"}, choice.actors);
  v.text({"group", "which of its joints, by the name of a group; left out: all"}, choice.group);
  v.texts({"still", "joints, or groups of them, that stay as they are"}, choice.still);
  if (choice.actor.empty() && choice.actors.empty())
    v.fault("", "task.missing_key", "it is not said who moves", "add `actor`, or several `actors`");
}

void describe_room(FieldVisitor& v, MoverChoice& choice) {
  internal::describe_corners(
      v, {"room", "where a loose part may be, in the world; left out: around everything"},
      choice.room_low, choice.room_high);
}

Result<std::vector<JointId>> find_moving_joints(const Scene& scene, const MoverChoice& choice) {
  Result<std::vector<JointId>> joints = find_all_joints(scene, choice);
  if (!joints) return joints;
  std::vector<std::string> known;
  for (const JointId id : *joints) known.push_back(scene.joint(id).name);
  for (const Group& group : scene.groups()) known.push_back(group.name);
  std::vector<Diagnostic> faults;
  for (const std::string& name : choice.still)
    if (!leave_out(scene, name, *joints))
      faults.push_back(
          {.code = "plan.unknown_joint",
           .message = fmt::format("no joint that could move, and no group, is called '{}'", name),
           .element = "still",
           .remedy = suggest_name(name, known)});
  if (!faults.empty()) return make_error(std::move(faults));
  return joints;
}

}  // namespace geste

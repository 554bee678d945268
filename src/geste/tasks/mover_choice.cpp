#include "geste/tasks/mover_choice.hpp"

#include <algorithm>

#include "geste/tasks/internal/goals.hpp"

namespace geste {

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
  if (choice.actor.empty() && choice.actors.empty())
    v.fault("", "task.missing_key", "it is not said who moves", "add `actor`, or several `actors`");
}

void describe_room(FieldVisitor& v, MoverChoice& choice) {
  internal::describe_corners(
      v, {"room", "where a loose part may be, in the world; left out: around everything"},
      choice.room_low, choice.room_high);
}

Result<std::vector<JointId>> find_moving_joints(const Scene& scene, const MoverChoice& choice) {
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

}  // namespace geste

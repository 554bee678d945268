#pragma once

#include <optional>

#include "geste/core/result.hpp"
#include "geste/formats/fields.hpp"
#include "geste/model/scene.hpp"

namespace geste {

/// Who moves, and where, as a task file says it.
struct MoverChoice {
  std::string actor;                ///< an actor, or a movable part
  std::vector<std::string> actors;  ///< or several, planned together
  std::string group;                ///< of the one actor's joints; empty: all of them
  std::vector<std::string> still;   ///< joints or groups of them that stay as they are

  std::optional<Vec3> room_low;  ///< m; where a loose part may be, in the world
  std::optional<Vec3> room_high;

  [[nodiscard]] std::optional<AxisBox> find_room() const;
  /// `element`: the task as messages call it.
  void add_faults(const char* element, std::vector<Diagnostic>& faults) const;
};

/// Its fields: those of who, and those of where.
void describe_movers(FieldVisitor& visitor, MoverChoice& choice);
void describe_room(FieldVisitor& visitor, MoverChoice& choice);

/// The joints that move. The error names what is not there.
Result<std::vector<JointId>> find_moving_joints(const Scene& scene, const MoverChoice& choice);

}  // namespace geste

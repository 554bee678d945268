#pragma once

#include "geste/core/rng.hpp"
#include "geste/tasks/internal/planning_rig.hpp"
#include "geste/tasks/move.hpp"

namespace geste::internal {

/// Points that a goal may be reached at, or why there are none.
struct Goals {
  std::vector<VecX> points;
  std::string reason;  ///< in words; empty where there are points
  /// Of kind "goal" (not free), "limits", "keep", "unreachable".
  Reasons reasons{.kind = "goal", .grade = Grade::proven};
};

/// A configuration by name or by value is one point, a box to be outside of many (GoalRegion). What
/// it asks for is reached as asked: where `keep` or a closed chain would have it elsewhere, by more
/// than rounding, that is the reason why there is none; less is noted. A
/// pose of a body, or each of several, is searched for from many
/// configurations (ik/drag.hpp), of which those that collide do not count. Errors are names that do
/// not fit the scene. Collisions of a goal go into `result`.
Result<Goals> find_goals(const TaskScene& world, const MoveOptions& options, const PlanningRig& rig,
                         const Rng& rng, TaskResult& result);

/// The body that a pose is meant of: as named, or the part itself.
Result<BodyId> find_goal_body(const Scene& scene, const MoveOptions& options);

/// Whether one free body is planned and nothing else.
bool is_loose_part(const PlanningSpace& space);

/// Where something loose is out: whole outside a box, or whole beyond it in one direction.
struct GoalRegion {
  AxisBox box;                      ///< in the world
  std::optional<Vec3> direction{};  ///< unit; in the world
  std::vector<Vec3> axes{};         ///< unit; tried first, either way
};

/// Places of a free body in a region: turned as it is at the start and pushed out in many
/// directions, its own and the world's axes first; then turned at random. Those that collide or lie
/// outside the room do not count.
Goals find_region_goals(const PlanningRig& rig, ConstVecRef start, const GoalRegion& region,
                        const Rng& rng);

/// The box of a move that ends outside of one.
std::optional<GoalRegion> make_region(const MoveOptions& options);

/// Two corners of a box in the file, or none.
void describe_corners(FieldVisitor& visitor, const Field& field, std::optional<Vec3>& low,
                      std::optional<Vec3>& high);

/// The box of all that collides and is not planned, or of all that is, with everything as in q.
AxisBox measure_box(const PlanningRig& rig, ConstVecRef q, bool planned);
/// The box of what a mover carries that can collide, or of all else.
AxisBox measure_bodies(const Scene& scene, ConstVecRef q, int mover, bool carried = true);

}  // namespace geste::internal

#pragma once

#include "geste/model/assemble.hpp"
#include "geste/tasks/task.hpp"

namespace geste::internal {

/// How far a goal may be off what is kept and is still taken as rounded, with a note.
inline constexpr double kKeepLength = 0.5e-3;           ///< m
inline constexpr double kKeepAngle = 0.05 * kPi / 180;  ///< rad

/// "cup.roll" and the like (`keep` of a task), by body. The error names every entry that is wrong.
Result<std::vector<TaskConstraint>> read_keep(const std::vector<std::string>& keep);

/// How far a body's pose is off what it keeps, entry by entry: along and about the world's axes
/// from where it is at the start, as the loops of `constrain` have it.
std::vector<Reasons::Conflict> measure_keep(const TaskConstraint& kept, const Pose& X_start,
                                            const Pose& X_WB);
/// The same of all kept bodies in a complete configuration.
std::vector<Reasons::Conflict> measure_keep(const Scene& scene,
                                            const std::vector<TaskConstraint>& kept,
                                            ConstVecRef start, ConstVecRef q);

/// The pose nearest to X_WB that keeps it all.
Pose snap_to_keep(const TaskConstraint& kept, const Pose& X_start, const Pose& X_WB);

/// Whether any entry is off by more than rounding.
bool is_conflict(const std::vector<Reasons::Conflict>& off);

/// "cup.roll is off by 10.9 degrees, cup.z by 187 mm", without what is no more than rounding where
/// something is more.
std::string say_off(const std::vector<Reasons::Conflict>& off);

}  // namespace geste::internal

#pragma once

#include "geste/tasks/extract.hpp"

namespace geste::internal {

/// The part of an extraction on a free joint, with all its contacts at the start taken as given.
Result<TaskScene> loosen_part(const TaskScene& world, const ExtractOptions& options,
                              const TaskRun& run);

/// Searches for a way out of a scene of loosen_part, straight along axes of the geometry first, and
/// says how it went; with `explains` also why there is none. False when cancelled.
Result<bool> extract_part(const TaskScene& loose, const ExtractOptions& options, const TaskRun& run,
                          TaskResult& result, bool explains = true);

/// Unit directions that the part and what it touches at the start are made along: edges of holes,
/// bolts and slides, and normals of flat faces; the weightiest first.
std::vector<Vec3> list_axes(const TaskScene& loose, const std::string& part);

/// A straight way out, and who is in it.
struct Exit {
  Vec3 direction;                     ///< unit, in the world
  std::vector<std::string> blockers;  ///< parts that it would go through, by name
};

/// Straight ways out of the box of everything else, along list_axes and the world's axes; those
/// with the fewest blockers first. Looked at in steps, so what is thin may be missed: whoever takes
/// one proves it.
std::vector<Exit> list_exits(const TaskScene& loose, const ExtractOptions& options,
                             const TaskRun& run);

/// Takes parts out one after the other until the part of `options` is out. `assembled`: as loaded.
Result<TaskOutcome> disassemble(const TaskScene& assembled, const ExtractOptions& options,
                                const TaskRun& run);

/// The scene in which every part is loose, for motions of any of them.
Result<TaskScene> loosen_all(const TaskScene& assembled, const ExtractOptions& options,
                             const TaskRun& run);

/// The motion of a disassembly part by part, each in the scene in which it was taken out: who has
/// moved before counts no more.
Result<std::vector<MotionPiece>> split_sequence(const TaskScene& assembled,
                                                const ExtractOptions& options, const TaskRun& run,
                                                const TaskScene& world, const JointMotion& motion);

/// What an extraction asks of its motion: to begin where the scene does and to end outside.
std::vector<Demand> check_extraction(const TaskScene& loose, const ExtractOptions& options,
                                     const JointMotion& motion);

}  // namespace geste::internal

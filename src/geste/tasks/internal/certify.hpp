#pragma once

#include "geste/proximity/collision_model.hpp"
#include "geste/tasks/task.hpp"

namespace geste::internal {

/// What a task file says of collisions, for a motion that may break limits: every pair counts,
/// whether joints can reach it or not.
Result<CollisionModel> make_motion_model(const TaskScene& world, const TaskFile& task, int threads,
                                         const CancelToken& cancel, double reserve = 0);

/// Proves the motion of a result (motion_proof.hpp), has it verified by the second prover
/// (verify_motion.hpp), and puts into it what was found: its certificate, and what collides at its
/// ends. Free is what both call free. False when cancelled.
Result<bool> certify(const TaskScene& world, const TaskRun& run, TaskResult& result);

/// "tightest 3.12 mm, arm/link5 - table at 0.7 s (proven: never below 3.1 mm)", "touches at 0.7 s:
/// ...".
std::string describe(const Certificate& certificate);

}  // namespace geste::internal

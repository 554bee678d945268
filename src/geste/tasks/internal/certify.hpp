#pragma once

#include "geste/proximity/collision_model.hpp"
#include "geste/proximity/verify_motion.hpp"
#include "geste/tasks/task.hpp"

namespace geste::internal {

/// A part of a motion, and which contacts of the start do not count in it: fits, as long as the
/// moved part follows their axis and is not yet apart.
struct MotionStage {
  JointMotion motion;
  std::vector<StartContact> exempt;
};

/// The stages of a motion, one behind the other; without fits a single one. Notes in `contacts`
/// when fits are apart.
std::vector<MotionStage> split_at_fits(const TaskScene& world, const JointMotion& motion,
                                       std::vector<StartContact>& contacts);

/// What counts in a motion.
struct MotionPairs {
  double reserve = 0;                  ///< m; CollisionOptions::reserve
  bool with_seats = true;              ///< shrunken copies of what is in contact at the start
  std::vector<StartContact> exempt{};  ///< fits that do not count
};

/// What a task file says of collisions, for a motion that may break limits: every pair counts,
/// whether joints can reach it or not.
Result<CollisionModel> make_motion_model(const TaskScene& world, const TaskFile& task,
                                         const MotionPairs& pairs, int threads,
                                         const CancelToken& cancel,
                                         const CollisionModel* lent = nullptr);

/// Proves the motion of a result (motion_proof.hpp), has it verified by the second prover
/// (verify_motion.hpp), and puts into it what was found: its certificate, and what collides at its
/// ends. Free is what both call free. Of seats it is proven that they come no deeper than their
/// bound; clearances are those of all other pairs, on the true shapes. False when cancelled.
Result<bool> certify(const TaskScene& world, const TaskRun& run, TaskResult& result);

/// The second prover's word on a motion of a task, stage by stage. A motion that touches is refused
/// for that, not for coming nearer than `options.clearance` before.
Result<VerifyReport> verify_stages(const TaskScene& world, const TaskFile& task,
                                   const JointMotion& motion, const VerifyOptions& options,
                                   ProgressSink& progress);

/// "tightest 3.12 mm, arm/link5 - table at 0.7 s (proven: never below 3.1 mm)", "touches at 0.7 s:
/// ...".
std::string describe(const Certificate& certificate);

}  // namespace geste::internal

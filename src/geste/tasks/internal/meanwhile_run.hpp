#pragma once

#include "geste/tasks/internal/planning_rig.hpp"
#include "geste/tasks/meanwhile.hpp"

namespace geste::internal {

/// What others do meanwhile, in the scene of a task.
struct OthersMotion {
  JointMotion motion;  ///< whole configurations; held before its first and after its last moment
  double by = 0;       ///< s; when the goal must be reached
};

/// Reads it, lets the scene begin as it is at time 0, and adds the file to the scene's inputs. The
/// error names the file, and a joint of it that is planned, follows others or leaves its limits.
Result<OthersMotion> load_others(const MeanwhileChoice& choice, const TaskRun& run,
                                 std::span<const JointId> planned, TaskScene& world);

/// Lets what is not planned stay as it is at time t.
void rest_at(const OthersMotion& others, double t, PlanningRig& rig);

/// How the search goes, beside the choice of the task.
struct MeanwhileRun {
  Budget budget;
  Rng rng;
  double speed = 1;  ///< share of the joints' velocity limits
  bool shorten = true;
};

/// Searches a motion among the others and puts it into `result` with its proof, or says why there
/// is none: too late whatever happens, a goal that is in the way, others that collide among
/// themselves, or what stopped the search and whether more time would do. False when cancelled.
Result<bool> move_meanwhile(const TaskScene& world, const TaskRun& run, const PlanningRig& rig,
                            OthersMotion others, const PlanningProblem& problem,
                            const MeanwhileRun& how, TaskResult& result);

}  // namespace geste::internal

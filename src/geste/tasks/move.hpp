#pragma once

#include "geste/tasks/meanwhile.hpp"
#include "geste/tasks/mover_choice.hpp"
#include "geste/tasks/planner_choice.hpp"
#include "geste/tasks/steering_choice.hpp"
#include "geste/tasks/task.hpp"

namespace geste {

struct MoveOptions : MoverChoice {
  // The goal: exactly one of these.
  std::string configuration;                                        ///< by name
  std::vector<std::pair<std::string, std::vector<double>>> joints;  ///< by value; others stay
  std::optional<Pose> pose;         ///< in the world, of the part or of `body`
  std::vector<Pose> poses;          ///< or any of these
  std::optional<Vec3> outside_low;  ///< m; or, of a loose part, anywhere outside this box
  std::optional<Vec3> outside_high;
  std::string body;  ///< whose pose is meant, as actor/link

  long long samples = 1'000'000;  ///< to search with at most
  double speed = 1;               ///< share of the joints' velocity limits
  bool shorten = true;
  bool round = true;  ///< corners, where that can be proven
  /// What bodies keep all the way, as it is at the start: body.roll, body.z, ...
  std::vector<std::string> keep;
  /// A configuration that joints which are not planned close to at the end, until they touch.
  std::string close;
  bool swept = false;  ///< the space that is passed through, as a mesh
  MeanwhileChoice meanwhile;
  SteeringChoice steering;
  PlannerChoice planner;

  [[nodiscard]] std::vector<Diagnostic> faults() const;
};

/// Finds a motion of actors or loose parts from where it is to a goal (MV-1, MV-5, MV-6): proven
/// free all the way, short, and within the joints' rates. Where there is none it says why: what
/// collides at an end, which limit, what cannot be reached, or what was in the way.
class Move final : public Task {
 public:
  void describe(FieldVisitor& visitor) override;
  /// With what is kept as closed chains.
  Result<TaskScene> load_scene(const TaskRun& run) override;
  Result<std::vector<MotionPiece>> split_motion(const TaskRun& run, const TaskScene& world,
                                                const JointMotion& motion) override;
  Result<TaskOutcome> run(const TaskRun& run) override;

 private:
  MoveOptions options_;
};

}  // namespace geste

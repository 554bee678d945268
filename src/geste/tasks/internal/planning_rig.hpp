#pragma once

#include <memory>

#include "geste/planning/plan.hpp"
#include "geste/tasks/internal/growth_tracer.hpp"
#include "geste/tasks/steering_choice.hpp"
#include "geste/tasks/task.hpp"

namespace geste::internal {

/// Where things that no joint limits keep in place may be, in the world.
struct Surroundings {
  std::optional<AxisBox> room;  ///< nothing: around everything, with space to go round it
  std::vector<Vec3> places;     ///< that must be in it
};

/// What a task file says of collisions, for joints that keep their limits.
CollisionOptions make_planning_options(const TaskScene& world, const TaskFile& file, int threads,
                                       const CancelToken& cancel);

/// All that planning in a task's scene takes, put together. Stays where it was made: its parts
/// refer to each other and to the scene.
class PlanningRig {
 public:
  /// `joints`: what moves; the rest stays as at the start.
  static Result<std::unique_ptr<PlanningRig>> make(const TaskScene& world, const TaskFile& file,
                                                   std::span<const JointId> joints,
                                                   const Surroundings& around, int threads,
                                                   const CancelToken& cancel,
                                                   const SteeringChoice& steering = {});

  [[nodiscard]] const CollisionModel& model() const { return model_; }
  [[nodiscard]] const PlanningSpace& space() const { return space_; }
  [[nodiscard]] const SteeringMethod& steering() const { return *steering_; }
  /// Method and parameters, in words.
  [[nodiscard]] const std::string& steering_text() const { return steering_text_; }
  /// Whether any order of moves serves, not only that of the steering method.
  [[nodiscard]] bool is_order_searched() const { return is_order_searched_; }
  /// Whether the task says where free bodies may be; else it is a bound for samples alone.
  [[nodiscard]] bool has_room() const { return has_room_; }
  [[nodiscard]] PlanningWorld world() const {
    return {space_, *steering_, validator_, tracer_.get()};
  }
  /// What is not planned stays like this from here on.
  void set_rest(ConstVecRef q) { space_.set_rest(q); }
  /// Worlds that are taken from here on show what is proven in them. Null: they do not.
  void show_growth(GrowthSink* sink) {
    tracer_ = sink ? std::make_unique<GrowthTracer>(space_, *sink) : nullptr;
  }

 private:
  PlanningRig(const Scene& scene, CollisionModel model, PlanningSpace space, int threads)
      : model_(std::move(model)),
        space_(std::move(space)),
        validator_(scene, model_, {.threads = threads}) {}

  CollisionModel model_;
  PlanningSpace space_;
  std::unique_ptr<SteeringMethod> steering_;
  std::string steering_text_;
  bool is_order_searched_ = false;
  bool has_room_ = false;
  Validator validator_;
  std::unique_ptr<GrowthTracer> tracer_;
};

/// The joints that move an actor or a movable part, or those of a group among them. The error says
/// what there is to choose from.
Result<std::vector<JointId>> find_moving_joints(const Scene& scene, const std::string& actor,
                                                const std::string& group);

/// Which joints are beyond their limits at a point, or what moves freely outside its room, and by
/// how much.
std::vector<Reasons::Conflict> find_limit_conflicts(const PlanningSpace& space, ConstVecRef x);
/// "joint 'arm/joint3' is beyond its limits by 11.5 degrees".
std::string say_limits(const std::vector<Reasons::Conflict>& conflicts);

/// Why a configuration cannot be an end of a motion, in words ("arm/link3 and table collide, 3.1 mm
/// deep"), with its collisions put into `result`; nothing where it can.
std::optional<std::string> explain_end(const PlanningRig& rig, ConstVecRef x, const char* where,
                                       TaskResult& result);

/// A result with where it came from: seed, files, and what their readers had to say; and with where
/// it begins, if there is no motion.
TaskOutcome make_outcome(const TaskRun& run, TaskScene world, TaskResult result);

/// What a task answers that was called off.
Diagnostic explain_cancel(const TaskRun& run);

/// The bodies that are not planned and stopped the search, each with its fraction of all stops; the
/// largest first.
std::vector<std::pair<std::string, double>> count_stops(const PlanningRig& rig,
                                                        const PlanReport& report);
/// The first of them: "wall (61 %), table (20 %)".
std::string list_blockers(const PlanningRig& rig, const PlanReport& report);

}  // namespace geste::internal

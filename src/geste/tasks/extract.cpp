#include "geste/tasks/extract.hpp"

#include "geste/tasks/internal/extraction.hpp"
#include "geste/tasks/internal/goals.hpp"
#include "geste/tasks/internal/planning_rig.hpp"

namespace geste {
namespace {

constexpr const char* kElement = "task, extract";

}  // namespace

std::vector<Diagnostic> ExtractOptions::faults() const {
  std::vector<Diagnostic> found;
  const auto need = [&](bool holds, const char* what, const char* remedy) {
    if (!holds) found.push_back({"extract.options", what, "", 0, 0, kElement, remedy});
  };
  const auto need_box = [&](const std::optional<Vec3>& low, const std::optional<Vec3>& high,
                            const char* what) {
    need(low.has_value() == high.has_value() && (!low || (low->array() < high->array()).all()),
         what, "give `low` and `high`, every entry of `low` below that of `high`");
  };
  need(tolerance >= 0 && tolerance <= 0.1, "the tolerance is not between 0 and 100 mm",
       "correct the value");
  need_box(outside_low, outside_high, "the box of `outside` is empty or lacks a corner");
  need_box(room_low, room_high, "the room is empty or lacks a corner");
  need(!direction || direction->norm() > 0, "the direction has no length", "give [0, 0, 1], say");
  need(!sequence || !swept, "a sequence has no swept space", "leave out `swept`, or `sequence`");
  need(speed >= 0.001 && speed <= 1, "the speed is not a share between 0.001 and 1",
       "correct the value");
  return found;
}

void Extract::describe(FieldVisitor& v) {
  ExtractOptions& o = options_;
  v.text({"part", "what to take out: a part, or one of an assembly as part/instance", true},
         o.part);
  v.texts({"carries", "parts that come along; * stands for any letters"}, o.carries);
  v.texts({"ignore", "parts that it may go through, as screws in threads; * as above"}, o.ignore);
  v.number({"tolerance", "how much deeper than at the start parts may come that it touches there"},
           o.tolerance, Dimension::length);
  internal::describe_corners(
      v, {"outside", "the box it must leave whole; left out: that of all other parts"},
      o.outside_low, o.outside_high);
  Vec3 direction = o.direction.value_or(Vec3::Zero());
  v.vector({"direction", "the side on which it must come out; left out: any"}, direction,
           Dimension::none);
  if (v.has("direction")) o.direction = direction;
  internal::describe_corners(v, {"room", "where its middle may be; left out: around everything"},
                             o.room_low, o.room_high);
  v.integer({"samples", "to search with at most"}, o.samples, 1);
  v.number({"speed", "share of the speed limits"}, o.speed, Dimension::none);
  v.boolean({"shorten", "make the motion shorter than it was found"}, o.shorten);
  v.boolean({"sequence", "take out before it what is in the way, part by part, and say the order"},
            o.sequence);
  v.boolean({"swept", "write the space that is passed through to swept.stl"}, o.swept);
}

Result<TaskScene> Extract::load_scene(const TaskRun& run) {
  if (auto found = options_.faults(); !found.empty()) {
    Error error = make_error(std::move(found));
    error.file = run.file.file;
    return error;
  }
  const Result<TaskScene> loaded = Task::load_scene(run);
  if (!loaded) return loaded.error();
  return options_.sequence ? internal::loosen_all(*loaded, options_, run)
                           : internal::loosen_part(*loaded, options_, run);
}

Result<std::vector<MotionPiece>> Extract::split_motion(const TaskRun& run, const TaskScene& world,
                                                       const JointMotion& motion) {
  if (!options_.sequence)
    return std::vector{
        MotionPiece{world, motion, internal::check_extraction(world, options_, motion)}};
  const Result<TaskScene> assembled = Task::load_scene(run);
  if (!assembled) return assembled.error();
  return internal::split_sequence(*assembled, options_, run, world, motion);
}

Result<TaskOutcome> Extract::run(const TaskRun& run) {
  if (options_.sequence) {
    // Names that fit nothing are found out before anything is searched for.
    if (const Result<TaskScene> all = load_scene(run); !all) return all.error();
    const Result<TaskScene> assembled = Task::load_scene(run);
    if (!assembled) return assembled.error();
    return internal::disassemble(*assembled, options_, run);
  }
  Result<TaskScene> world = load_scene(run);
  if (!world) return world.error();
  TaskResult result;
  const Result<bool> done = internal::extract_part(*world, options_, run, result);
  if (!done) return done.error();
  if (!*done) return internal::explain_cancel(run);
  return internal::make_outcome(run, std::move(*world), std::move(result));
}

}  // namespace geste

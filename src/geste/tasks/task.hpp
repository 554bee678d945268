#pragma once

#include <memory>
#include <span>

#include "geste/core/budget.hpp"
#include "geste/formats/result_files.hpp"
#include "geste/tasks/growth.hpp"

namespace geste {

/// What a task may use while it runs.
struct TaskRun {
  const TaskFile& file;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores; the result is the same on any number
  Budget budget;
  ProgressSink& progress;
  GrowthSink* growth = nullptr;  ///< who watches searches grow; may be nobody
};

/// A task with its scene: what `write_result` needs.
struct TaskOutcome {
  TaskScene world;
  TaskResult result;
};

/// One thing that a task asks of its motion beside being free of collisions, held against a motion.
struct Demand {
  std::string what;  ///< "start", "goal", "limits", "speed", "room", "keep"
  bool holds = true;
  std::string how;  ///< in words: how well it holds, or by how much it does not
};

/// A part of a motion with the scene that it is proven in, and what the task asks of it beside
/// being free.
struct MotionPiece {
  TaskScene world;
  JointMotion motion;
  std::vector<Demand> demands;
};

/// One task as read from a file. A new kind is one class and one line in registry.cpp.
class Task {
 public:
  virtual ~Task() = default;
  /// Its options, for reading and for documentation.
  virtual void describe(FieldVisitor& visitor) = 0;
  /// The scene that its motions are of: what the file describes, and what the task adds to it.
  virtual Result<TaskScene> load_scene(const TaskRun& run) {
    return load_task_scene(run.file, run.progress, run.budget.cancel);
  }
  /// What of a motion is verified in which scene, and everything but collisions that the task asks
  /// of it. A recording is played as it is: in one piece, and nothing is asked.
  virtual Result<std::vector<MotionPiece>> split_motion(const TaskRun& run, const TaskScene& world,
                                                        const JointMotion& motion);
  /// "No motion" is an outcome; an error is bad input.
  virtual Result<TaskOutcome> run(const TaskRun& run) = 0;
};

struct TaskKind {
  const char* name;
  const char* help;
  std::unique_ptr<Task> (*make)();
};

std::span<const TaskKind> task_kinds();

/// A task file together with the task that it asks for; `task` is null when it only describes a
/// scene.
struct LoadedTask {
  TaskFile file;
  std::unique_ptr<Task> task;
};

Result<LoadedTask> parse_task_with_kinds(std::string_view text, const std::string& file);
Result<LoadedTask> load_task(const std::filesystem::path& path);

/// Every kind of task as a form (formats/field_form.hpp), in JSON: [{"kind", "help", "fields"}].
/// Values are the defaults.
std::string make_task_forms();

/// Every key of a task file and of every kind, in Markdown.
std::string make_task_documentation();

}  // namespace geste

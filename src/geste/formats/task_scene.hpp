#pragma once

#include "geste/core/budget.hpp"
#include "geste/core/progress.hpp"
#include "geste/formats/part.hpp"
#include "geste/formats/task_file.hpp"
#include "geste/model/scene.hpp"

namespace geste {

/// A file that went into a scene, by content.
struct InputFile {
  std::string file;
  std::string sha256;
};

/// The world of a task file: everything loaded, placed and compiled.
struct TaskScene {
  Scene scene;
  VecX start;  ///< the actors' start configurations over neutral; complete
  std::vector<InputFile> inputs;
  Notes notes;
  BodyAssemblies assemblies{};  ///< of the parts that are assemblies
};

/// Loads every file that the task names and compiles the scene. The error lists the faults of all
/// parts and actors, not of the first one only.
Result<TaskScene> load_task_scene(const TaskFile& task, ProgressSink& progress = no_progress(),
                                  const CancelToken& cancel = {});

}  // namespace geste

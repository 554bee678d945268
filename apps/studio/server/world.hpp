#pragma once

#include <filesystem>
#include <memory>

#include "geste/core/progress.hpp"
#include "geste/tasks/task.hpp"

#include "studio/server/json.hpp"

namespace geste::studio {

/// What a studio shows: loaded once, never changed.
struct World {
  LoadedTask task;
  TaskScene content;
  std::shared_ptr<const std::string> pack;
  std::string hash;  ///< of the pack
  Json options;      ///< of the task, as its file has them; null without a task
  Json forms;        ///< of every kind of task, with its defaults

  [[nodiscard]] const Scene& scene() const { return content.scene; }
};

Result<std::unique_ptr<World>> load_world(const std::filesystem::path& task_file, int threads,
                                          ProgressSink& progress, const CancelToken& cancel);

}  // namespace geste::studio

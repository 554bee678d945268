#pragma once

#include <filesystem>
#include <mutex>

#include "geste/tasks/task.hpp"

#include "studio/server/json.hpp"

namespace geste::studio {

/// A task that is ready to run. `text`: what task.yaml in the folder of its result must hold; empty
/// where the task file itself is run.
struct PreparedTask {
  LoadedTask loaded;
  std::string text;
};

/// The task file on disk. It is read anew each time, so that what somebody wrote with an editor
/// meanwhile is kept. May be called from several threads.
class TaskStore {
 public:
  explicit TaskStore(std::filesystem::path file) : file_(std::move(file)) {}

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  /// Adds or replaces the configuration in the file: {"file", "line"}. What is written can be read
  /// again, or nothing is written.
  Result<Json> save(const ConfigurationSpec& configuration);

  /// The file's scene with this task. Files that it names are meant as seen from the task file,
  /// wherever `folder`, which will hold the result, is.
  Result<PreparedTask> prepare(const std::string& kind, const Json& options,
                               const std::filesystem::path& folder);

 private:
  const std::filesystem::path file_;
  std::mutex mutex_;
};

}  // namespace geste::studio

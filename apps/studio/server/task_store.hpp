#pragma once

#include <filesystem>
#include <mutex>

#include "geste/tasks/task.hpp"

#include "studio/server/json.hpp"
#include "studio/server/world.hpp"

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
  /// `world`: what was made of the file; outlives the store.
  TaskStore(std::filesystem::path file, const World& world)
      : file_(std::move(file)), world_(world) {}

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  /// Adds or replaces the configuration in the file: {"file", "line"}. What is written can be read
  /// again, or nothing is written: not where the file, or a file that it names, describes another
  /// scene by now.
  Result<Json> save(const ConfigurationSpec& configuration);

  /// The file's scene with this task. Files that it names are meant as seen from the task file,
  /// wherever `folder`, which will hold the result, is. Those that the options name must lie in
  /// the task file's folder, or be the ones that it names itself: who guides a studio may be
  /// somebody else than whose files these are.
  Result<PreparedTask> prepare(const std::string& kind, const Json& options,
                               const std::filesystem::path& folder);

 private:
  const std::filesystem::path file_;
  const World& world_;
  std::mutex mutex_;
};

}  // namespace geste::studio

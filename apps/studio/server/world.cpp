#include "studio/server/world.hpp"

#include "geste/core/files.hpp"
#include "geste/core/sha256.hpp"
#include "geste/formats/scene_pack.hpp"
#include "geste/formats/task_edit.hpp"

namespace geste::studio {

Result<std::unique_ptr<World>> load_world(const std::filesystem::path& task_file, int threads,
                                          ProgressSink& progress, const CancelToken& cancel) {
  Result<LoadedTask> task = load_task(task_file);
  if (!task) return task.error();
  Budget budget;
  budget.cancel = cancel;
  const TaskRun run{task->file, 1, threads, budget, progress};
  Result<TaskScene> content =
      task->task ? task->task->load_scene(run) : load_task_scene(task->file, progress, cancel);
  if (!content) return content.error();
  ProgressScope stage(progress, "packing");
  auto pack = std::make_shared<const std::string>(
      make_scene_pack(content->scene, content->start, content->assemblies));
  Json forms = Json::parse(make_task_forms());
  auto world = std::make_unique<World>(World{std::move(*task), std::move(*content), pack,
                                             compute_sha256(*pack), nullptr, std::move(forms)});
  if (!world->task.task) return world;
  const Result<std::string> text = load_file(task_file);
  if (!text) return text.error();
  const Result<std::string> options = get_task_options(*text, task_file.string());
  if (!options) return options.error();
  world->options = Json::parse(*options);
  return world;
}

}  // namespace geste::studio

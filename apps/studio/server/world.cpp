#include "studio/server/world.hpp"

#include "geste/core/sha256.hpp"
#include "geste/formats/scene_pack.hpp"

#include "studio/server/task_values.hpp"

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
  Json forms = Json::parse(make_task_forms(*task));
  auto world = std::make_unique<World>(World{std::move(*task), std::move(*content), pack,
                                             compute_sha256(*pack), nullptr, std::move(forms)});
  if (world->task.task) world->values = make_task_values(*world->task.task);
  return world;
}

}  // namespace geste::studio

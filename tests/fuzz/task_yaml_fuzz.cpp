#include <algorithm>

#include "geste/tasks/task.hpp"

#include "checks.hpp"

using namespace geste;

namespace {

/// Whether the scene can be built from the text alone.
bool names_no_files(const TaskFile& task) {
  const auto is_primitive = [](const TaskPart& part) { return part.shape.has_value(); };
  const auto is_builtin = [](const TaskActor& a) { return !a.builtin.empty() && a.srdf.empty(); };
  return std::all_of(task.parts.begin(), task.parts.end(), is_primitive) &&
         std::all_of(task.actors.begin(), task.actors.end(), is_builtin);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<LoadedTask> task = parse_task_with_kinds(fuzz::as_text(data, size), "fuzz.yaml");
  if (!task) return fuzz::require_telling(task.error()), 0;
  fuzz::require(task->file.kind.empty() == (task->task == nullptr), "a kind that was read is made");
  if (!names_no_files(task->file)) return 0;
  const Result<TaskScene> world = load_task_scene(task->file);
  if (!world) return fuzz::require_telling(world.error()), 0;
  fuzz::require_telling(world->notes);
  fuzz::require(world->start.size() == world->scene.nq(), "the start is a configuration");
  fuzz::require_sound(world->scene.spec());
  return 0;
}

#include <fmt/format.h>

#include "geste/core/files.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/field_form.hpp"
#include "geste/tasks/extract.hpp"
#include "geste/tasks/grow_roadmap.hpp"
#include "geste/tasks/move.hpp"
#include "geste/tasks/replay.hpp"
#include "geste/tasks/task.hpp"

namespace geste {
namespace {

template <class T>
std::unique_ptr<Task> make() {
  return std::make_unique<T>();
}

constexpr TaskKind kKinds[] = {
    {"extract", "takes a part out of an assembly, or says what stops it", make<Extract>},
    {"move", "finds a motion of an actor or a part to a goal", make<Move>},
    {"roadmap", "grows a roadmap and keeps it in a file", make<GrowRoadmap>},
    {"replay", "plays a recorded motion in the scene", make<Replay>},
};

/// A fresh task of every kind, and the fields through which a file fills them.
struct Candidates {
  std::vector<std::unique_ptr<Task>> tasks;
  std::vector<TaskKindFields> fields;

  Candidates() {
    for (const TaskKind& kind : kKinds) {
      Task* task = tasks.emplace_back(kind.make()).get();
      fields.push_back({kind.name, kind.help, [task](FieldVisitor& v) { task->describe(v); }});
    }
  }
};

}  // namespace

Result<std::vector<MotionPiece>> Task::split_motion(const TaskRun&, const TaskScene& world,
                                                    const JointMotion& motion) {
  return std::vector{MotionPiece{world, motion, {}}};
}

std::span<const TaskKind> task_kinds() { return kKinds; }

Result<LoadedTask> parse_task_with_kinds(std::string_view text, const std::string& file) {
  Candidates candidates;
  Result<TaskFile> parsed = parse_task(text, file, candidates.fields);
  if (!parsed) return parsed.error();
  LoadedTask loaded{std::move(*parsed), nullptr};
  for (std::size_t i = 0; i < candidates.fields.size(); ++i) {
    if (candidates.fields[i].name == loaded.file.kind) loaded.task = std::move(candidates.tasks[i]);
  }
  return loaded;
}

Result<LoadedTask> load_task(const std::filesystem::path& path) {
  const Result<std::string> text = load_file(path);
  if (!text) return text.error();
  return parse_task_with_kinds(*text, path.string());
}

std::string make_task_forms() {
  std::string forms = "[";
  for (const TaskKind& kind : kKinds) {
    const std::unique_ptr<Task> task = kind.make();
    if (forms.size() > 1) forms += ",";
    forms += fmt::format(R"({{"kind":{},"help":{},"fields":{}}})", quote_json(kind.name),
                         quote_json(kind.help),
                         make_field_form([&](FieldVisitor& v) { task->describe(v); }));
  }
  return forms + "]";
}

std::string make_task_documentation() {
  TaskFile task;
  return make_field_table(
      [&](FieldVisitor& v) { describe_task_file(v, task, Candidates().fields); });
}

}  // namespace geste

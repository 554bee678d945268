#include "studio/server/task_store.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/files.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/task_edit.hpp"

#include "studio/server/task_values.hpp"

namespace geste::studio {
namespace {

namespace fs = std::filesystem;

/// The way from a folder, which need not exist, to another.
std::string make_way(const fs::path& from, const fs::path& to) {
  const fs::path whole = fs::absolute(to).lexically_normal();
  const fs::path way = whole.lexically_relative(fs::absolute(from).lexically_normal());
  return (way.empty() ? whole : way).generic_string();
}

Diagnostic explain_unknown_kind(const std::string& kind) {
  std::vector<std::string> known;
  for (const TaskKind& k : task_kinds()) known.emplace_back(k.name);
  return {.code = "studio.unknown_task",
          .message = fmt::format("there is no kind of task called {}", quote_json(kind)),
          .remedy = suggest_name(kind, known)};
}

bool is_known(const std::string& kind) {
  const auto kinds = task_kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const TaskKind& k) { return kind == k.name; });
}

}  // namespace

Result<Json> TaskStore::save(const ConfigurationSpec& configuration) {
  const std::lock_guard lock(mutex_);
  const Result<std::string> text = load_file(file_);
  if (!text) return text.error();
  const Result<EditedTask> edited = set_configuration(*text, file_.string(), configuration);
  if (!edited) return edited.error();
  if (const Result<LoadedTask> read = parse_task_with_kinds(edited->text, file_.string()); !read)
    return read.error();
  if (const Result<void> written = write_file_atomically(file_, edited->text); !written)
    return written.error();
  return Json{{"file", file_.string()}, {"line", edited->line}};
}

Result<PreparedTask> TaskStore::prepare(const std::string& kind, const Json& options,
                                        const fs::path& folder) {
  if (!is_known(kind)) return explain_unknown_kind(kind);
  const std::lock_guard lock(mutex_);
  const Result<std::string> text = load_file(file_);
  if (!text) return text.error();
  const std::string base = make_way(folder, fs::absolute(file_).parent_path());
  Result<std::string> changed = set_task(*text, file_.string(), kind, dump(options), base);
  if (!changed) return changed.error();
  Result<LoadedTask> asked = parse_task_with_kinds(*changed, (folder / "task.yaml").string());
  if (!asked) return asked.error();
  Result<LoadedTask> own = parse_task_with_kinds(*text, file_.string());
  if (own && own->file.kind == kind &&
      make_task_values(*own->task) == make_task_values(*asked->task))
    return PreparedTask{std::move(*own), ""};
  return PreparedTask{std::move(*asked), std::move(*changed)};
}

}  // namespace geste::studio

#include "studio/server/task_store.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geste/core/files.hpp"
#include "geste/core/sha256.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/field_form.hpp"
#include "geste/formats/search_path.hpp"
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

/// The values of all fields that name files.
void list_files(const Json& form, std::vector<std::string>& files) {
  for (const Json& field : form) {
    if (field["kind"] == "file") files.push_back(field["value"].get<std::string>());
    if (field.contains("fields")) list_files(field["fields"], files);
  }
}

std::vector<std::string> list_files(Task& task) {
  std::vector<std::string> files;
  list_files(Json::parse(make_field_form([&](FieldVisitor& v) { task.describe(v); })), files);
  return files;
}

/// Whether a path from outside leads to something in the folder.
bool lies_in(const fs::path& folder, const std::string& path) {
  std::error_code failed;
  const fs::path home = fs::weakly_canonical(folder, failed);
  if (failed) return false;
  const fs::path whole = fs::weakly_canonical(home / path, failed);
  if (failed) return false;
  const fs::path way = whole.lexically_relative(home);
  return !way.empty() && *way.begin() != "..";
}

/// What in the world is no longer what it was made of.
std::optional<Diagnostic> find_change(const World& world, const TaskFile& now) {
  const auto make = [](const std::string& message, const std::string& file) {
    return Diagnostic{.code = "studio.changed",
                      .message = message,
                      .file = file,
                      .remedy = "start the studio again, then save"};
  };
  const auto is_same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.name == y.name; });
  };
  const TaskFile& then = world.task.file;
  if (!is_same(then.parts, now.parts) || !is_same(then.actors, now.actors))
    return make("has other parts or actors than the studio shows", now.file);
  SearchPath search_path;
  for (const std::string& f : then.search_path) search_path.folders.push_back(then.folder / f);
  for (const InputFile& input : world.content.inputs) {
    // What is found elsewhere (meshes, as seen from their robot) has no say in joints.
    const FileSearch search = find_file(input.file, then.folder, search_path);
    if (!search.found) continue;
    const Result<std::string> bytes = load_file(*search.found);
    if (!bytes || compute_sha256(*bytes) != input.sha256)
      return make("has changed since the studio read it", input.file);
  }
  return std::nullopt;
}

/// Whether a name means something else already: a state of a robot's own files.
bool is_others(const World& world, const TaskFile& now, const std::string& name) {
  const auto has = [&](const auto& items) {
    return std::any_of(items.begin(), items.end(), [&](const auto& c) { return c.name == name; });
  };
  return has(world.scene().configurations()) && !has(world.task.file.configurations) &&
         !has(now.configurations);
}

}  // namespace

Result<Json> TaskStore::save(const ConfigurationSpec& configuration) {
  const std::lock_guard lock(mutex_);
  const Result<std::string> text = load_file(file_);
  if (!text) return text.error();
  const Result<LoadedTask> now = parse_task_with_kinds(*text, file_.string());
  if (!now) return now.error();
  if (std::optional<Diagnostic> change = find_change(world_, now->file)) return *change;
  if (is_others(world_, now->file, configuration.name)) {
    return Diagnostic{.code = "studio.name_taken",
                      .message = fmt::format("{} is a state of the robot's own files",
                                             quote_json(configuration.name)),
                      .remedy = "choose another name"};
  }
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
  // The file may be named without a folder, as seen from where the program runs.
  const fs::path home = fs::absolute(file_).parent_path();
  const std::string base = make_way(folder, home);
  Result<std::string> changed = set_task(*text, file_.string(), kind, dump(options), base);
  if (!changed) return changed.error();
  Result<LoadedTask> asked = parse_task_with_kinds(*changed, (folder / "task.yaml").string());
  if (!asked) return asked.error();
  Result<LoadedTask> own = parse_task_with_kinds(*text, file_.string());
  const bool has_own = own && own->task && own->file.kind == kind;
  const std::vector<std::string> known =
      has_own ? list_files(*own->task) : std::vector<std::string>();
  for (const std::string& file : list_files(*asked->task)) {
    const bool is_own = std::find(known.begin(), known.end(), file) != known.end();
    if (file.empty() || is_own || lies_in(home, file)) continue;
    return Diagnostic{
        .code = "studio.outside",
        .message = fmt::format("{} lies outside the task file's folder", quote_json(file)),
        .remedy = "put it beside the task file, or name it there"};
  }
  if (has_own && make_task_values(*own->task) == make_task_values(*asked->task))
    return PreparedTask{std::move(*own), ""};
  return PreparedTask{std::move(*asked), std::move(*changed)};
}

}  // namespace geste::studio

#include "studio/server/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "geste/core/files.hpp"
#include "geste/core/log.hpp"
#include "geste/core/text.hpp"
#include "geste/formats/motion_csv.hpp"
#include "geste/formats/result_reader.hpp"

namespace geste::studio {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFiles[] = {"result.json", "motion.csv",  "motion.glb",
                                  "swept.stl",   "report.html", "task.yaml"};

bool is_result(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "result.json", ignored);
}

/// Keys are found at once, however many there are.
using Stored = nlohmann::json;

/// A number of an object inside the object, or null.
Json find_number(const Stored& json, const char* group, const char* key) {
  const auto found = json.find(group);
  if (found == json.end() || !found->is_object()) return nullptr;
  const auto value = found->find(key);
  return value != found->end() && value->is_number() ? Json(*value) : Json(nullptr);
}

Json find_text(const Stored& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? Json(*found) : Json("");
}

Json find_free(const Stored& json) {
  const auto found = json.find("certificate");
  if (found == json.end() || !found->is_object()) return nullptr;
  const auto free = found->find("free");
  return free != found->end() && free->is_boolean() ? Json(*free) : Json(nullptr);
}

/// As measured, where it is tightest.
Json find_tightest(const Stored& json) {
  const auto found = json.find("certificate");
  return found != json.end() && found->is_object() ? find_number(*found, "tightest", "distance_m")
                                                   : Json(nullptr);
}

Json list_files(const fs::path& folder) {
  Json files = Json::array();
  std::error_code ignored;
  for (const char* file : kFiles)
    if (fs::is_regular_file(folder / file, ignored)) files.push_back(file);
  return files;
}

/// A regular file's: a pipe would be waited for.
std::optional<std::string> load_regular(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  Result<std::string> bytes = geste::load_file(file);
  if (!bytes) return std::nullopt;
  return std::move(*bytes);
}

/// Figures are few, and numbers or texts or small objects of them.
Json pick_figures(const Stored& stored) {
  constexpr std::size_t kMostFigures = 200;
  Json out = Json::object();
  const auto figures = stored.find("figures");
  if (figures == stored.end() || !figures->is_object()) return out;
  for (const auto& [name, value] : figures->items()) {
    if (out.size() == kMostFigures) break;
    out[name] = Json(value);
  }
  return out;
}

/// Nothing where result.json is none. What lies deeper than we write is left out.
std::optional<Json> summarise(const std::string& name, const fs::path& folder) {
  constexpr int kDeepest = 8;
  const std::optional<std::string> text = load_regular(folder / "result.json");
  const auto is_shallow = [](int depth, Stored::parse_event_t, Stored&) {
    return depth <= kDeepest;
  };
  const Stored json = text ? Stored::parse(*text, is_shallow, false) : Stored(nullptr);
  if (!json.is_object()) return std::nullopt;
  const Json begin = find_number(json, "motion", "begin_s");
  const Json end = find_number(json, "motion", "end_s");
  const bool is_timed = begin.is_number() && end.is_number();
  return Json{{"name", name},
              {"task", find_text(json, "task")},
              {"outcome", find_text(json, "outcome")},
              {"verdict", find_text(json, "verdict")},
              {"free", find_free(json)},
              {"clearance_m", find_number(json, "certificate", "clearance_m")},
              {"tightest_m", find_tightest(json)},
              {"duration_s", is_timed ? Json(end.get<double>() - begin.get<double>()) : Json(0)},
              {"figures", pick_figures(json)},
              {"files", list_files(folder)}};
}

struct Stamp {
  fs::file_time_type time{};
  std::uintmax_t size = 0;
  friend bool operator==(const Stamp&, const Stamp&) = default;
};

Stamp find_stamp(const fs::path& file) {
  std::error_code ignored;
  return {fs::last_write_time(file, ignored), fs::file_size(file, ignored)};
}

}  // namespace

/// Summaries of results that have not changed since they were read.
class Results::Summaries {
 public:
  std::optional<Json> get(const std::string& name, const fs::path& folder) {
    const std::lock_guard lock(mutex_);
    const Stamp stamp = find_stamp(folder / "result.json");
    Entry& entry = entries_[folder];
    if (!entry.summary || entry.stamp != stamp) entry = {stamp, summarise(name, folder)};
    if (!entry.summary) return std::nullopt;
    Json summary = *entry.summary;
    summary["files"] = list_files(folder);
    return summary;
  }

 private:
  struct Entry {
    Stamp stamp;
    std::optional<Json> summary;
  };
  std::mutex mutex_;
  std::map<fs::path, Entry> entries_;
};

/// The bytes of files that somebody is being sent: all get the same.
class Results::Files {
 public:
  std::shared_ptr<const std::string> get(const fs::path& file) {
    const std::lock_guard lock(mutex_);
    const Stamp stamp = find_stamp(file);
    std::erase_if(entries_, [](const auto& entry) { return entry.second.bytes.expired(); });
    const auto found = entries_.find(file);
    if (found != entries_.end() && found->second.stamp == stamp)
      if (auto bytes = found->second.bytes.lock()) return bytes;
    std::optional<std::string> read = load_regular(file);
    if (!read) return nullptr;
    auto bytes = std::make_shared<const std::string>(std::move(*read));
    entries_[file] = {stamp, bytes};
    return bytes;
  }

 private:
  struct Entry {
    Stamp stamp;
    std::weak_ptr<const std::string> bytes;
  };
  std::mutex mutex_;
  std::map<fs::path, Entry> entries_;
};

Results::Results(fs::path own, fs::path other)
    : own_(std::move(own)),
      other_(std::move(other)),
      summaries_(std::make_shared<Summaries>()),
      files_(std::make_shared<Files>()) {}

std::vector<Results::Folder> Results::scan() const {
  std::vector<Folder> found;
  std::error_code failed;
  for (fs::directory_iterator it(own_, failed), end; !failed && it != end; it.increment(failed)) {
    const std::string name = it->path().filename().string();
    // What begins with a dot is being written or removed.
    if (!name.starts_with('.') && is_valid_utf8(name) && is_result(it->path()))
      found.push_back({name, it->path()});
  }
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(found.begin(), found.end(), [&](const Folder& f) { return f.name == name; });
  };
  if (!other_.empty() && is_result(other_) && !is_taken(other_.filename().string()))
    found.push_back({other_.filename().string(), other_});
  std::sort(found.begin(), found.end(),
            [](const Folder& a, const Folder& b) { return a.name < b.name; });
  return found;
}

Json Results::list() const {
  Json list = Json::array();
  for (const Folder& folder : scan()) {
    if (auto summary = summaries_->get(folder.name, folder.path)) {
      list.push_back(std::move(*summary));
    } else {
      log_warning("studio: {} has no readable result.json", folder.path.string());
    }
  }
  return list;
}

std::optional<fs::path> Results::find(std::string_view name) const {
  for (const Folder& folder : scan())
    if (folder.name == name) return folder.path;
  return std::nullopt;
}

std::shared_ptr<const std::string> Results::load_file(std::string_view name,
                                                      std::string_view file) const {
  const auto known = std::find(std::begin(kFiles), std::end(kFiles), file);
  const std::optional<fs::path> folder = find(name);
  if (known == std::end(kFiles) || !folder) return nullptr;
  return files_->get(*folder / *known);
}

Result<JointMotion> Results::load_motion(std::string_view name, const TaskScene& world) const {
  const std::optional<fs::path> folder = find(name);
  if (!folder) {
    return Diagnostic{.code = "studio.no_result",
                      .message = fmt::format("there is no result {}", quote_json(name)),
                      .remedy = "take a name of the list"};
  }
  std::error_code ignored;
  if (!is_result(*folder) || !fs::is_regular_file(*folder / "motion.csv", ignored)) {
    return Diagnostic{.code = "studio.no_motion",
                      .message = fmt::format("result {} has no motion", quote_json(name)),
                      .remedy = "run its task again"};
  }
  const Result<StoredResult> stored = load_result_json(*folder / "result.json");
  if (!stored) return stored.error();
  Result<JointMotion> motion = load_motion_csv(*folder / "motion.csv", world.scene, world.start);
  if (motion) motion->course = stored->course;
  return motion;
}

std::string Results::make_name(const std::string& kind) const {
  for (int i = 1;; ++i) {
    std::string name = fmt::format("{}-{}", kind, i);
    std::error_code ignored;
    if (!fs::exists(own_ / name, ignored) && !find(name)) return name;
  }
}

Result<void> Results::forget(std::string_view name) const {
  const std::optional<fs::path> folder = find(name);
  if (!folder || *folder == other_) {
    return Diagnostic{.code = "studio.no_result",
                      .message = folder ? "that result is not the studio's own"
                                        : fmt::format("there is no result {}", quote_json(name)),
                      .remedy = folder ? "remove its folder by hand" : "take a name of the list"};
  }
  // Out of sight first: nobody sees half a result.
  const fs::path hidden = own_ / fmt::format(".{}.forgotten.partial", name);
  std::error_code failed;
  fs::remove_all(hidden, failed);
  fs::rename(*folder, hidden, failed);
  if (!failed) fs::remove_all(hidden, failed);
  if (!failed) return {};
  return Diagnostic{.code = "studio.cannot_remove",
                    .message = failed.message(),
                    .file = folder->string(),
                    .remedy = "check that its folder may be written"};
}

}  // namespace geste::studio

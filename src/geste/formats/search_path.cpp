#include "geste/formats/search_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "geste/core/text.hpp"
#include "geste/formats/internal/percent.hpp"

namespace geste {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestName = 4096;
constexpr int kMostLevelsUp = 32;
constexpr int kMostEntriesCompared = 2000;
constexpr int kDeepestPackage = 4;
constexpr int kMostEntriesWalked = 10'000;

std::vector<fs::path> folders_of_variable(const char* variable) {
  std::vector<fs::path> folders;
  const char* value = std::getenv(variable);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return folders;
}

/// "/a/b/" and "/a/b" are both named b.
fs::path folder_name(const fs::path& folder) {
  return folder.has_filename() ? folder.filename() : folder.parent_path().filename();
}

/// The package somewhere below `folder`, where ROS finds it: a folder of its name with a
/// package.xml, in no other package. Level by level, so the same one in every file system.
std::optional<fs::path> find_nested_package(const fs::path& folder, const std::string& package) {
  std::vector<fs::path> level{folder};
  int walked = 0;
  for (int depth = 0; depth < kDeepestPackage; ++depth) {
    std::vector<fs::path> below;
    for (const fs::path& parent : level) {
      std::error_code fault, ignored;
      for (fs::directory_iterator entry(parent, fault), end; !fault && entry != end;
           entry.increment(fault)) {
        if (++walked > kMostEntriesWalked) return std::nullopt;
        const std::string name = entry->path().filename().string();
        if (name.starts_with('.') || !entry->is_directory(ignored)) continue;
        const bool is_package = fs::exists(entry->path() / "package.xml", ignored);
        if (is_package && name == package) return entry->path();
        if (!is_package) below.push_back(entry->path());
      }
    }
    std::sort(below.begin(), below.end());
    level = std::move(below);
  }
  return std::nullopt;
}

/// Collects candidates in order, each once, and stops at the first that is a file.
class Search {
 public:
  void ask(const fs::path& candidate) {
    if (result_.found) return;
    const fs::path path = candidate.lexically_normal();
    if (std::find(result_.tried.begin(), result_.tried.end(), path) != result_.tried.end()) return;
    std::error_code ignored;
    // ".." behind a symbolic link can make the shorter spelling another file.
    if (fs::is_regular_file(candidate, ignored) && !fs::equivalent(path, candidate, ignored)) {
      result_.found = candidate;
    } else if (fs::is_regular_file(path, ignored)) {
      result_.found = path;
    } else {
      result_.tried.push_back(path);
    }
  }

  void ask_package(const fs::path& folder, const std::string& package, const std::string& rest) {
    if (folder_name(folder) == package) ask(folder / rest);
    ask(folder / package / rest);
  }

  [[nodiscard]] bool found() const { return result_.found.has_value(); }

  FileSearch finish(std::string remedy) {
    if (!result_.found) result_.remedy = near_miss().value_or(std::move(remedy));
    return std::move(result_);
  }

 private:
  /// A file that differs from a tried one by letter case or a typo.
  [[nodiscard]] std::optional<std::string> near_miss() const {
    for (const fs::path& path : result_.tried) {
      std::error_code fault;
      std::vector<std::string> names;
      for (fs::directory_iterator entry(path.parent_path(), fault), end;
           !fault && entry != end && names.size() < kMostEntriesCompared; entry.increment(fault)) {
        names.push_back(entry->path().filename().string());
      }
      std::sort(names.begin(), names.end());
      if (const auto nearest = find_nearest_name(path.filename().string(), names)) {
        return fmt::format("did you mean '{}'?", (path.parent_path() / *nearest).string());
      }
    }
    return std::nullopt;
  }

  FileSearch result_;
};

FileSearch find_in_package(std::string_view name, const fs::path& base, const SearchPath& where) {
  const std::size_t slash = std::min(name.find('/'), name.size());
  const std::string package(name.substr(0, slash));
  const std::string rest(name.substr(std::min(slash + 1, name.size())));
  Search search;
  if (package.empty() || rest.empty() || rest.front() == '/') {
    return search.finish("write package://NAME/PATH, with the package's name and a path inside it");
  }
  for (const fs::path& folder : where.folders) search.ask_package(folder, package, rest);
  if (where.environment) {
    for (const char* variable : {"GESTE_PATH", "ROS_PACKAGE_PATH"}) {
      for (const fs::path& folder : folders_of_variable(variable)) {
        search.ask_package(folder, package, rest);
      }
    }
    for (const fs::path& folder : folders_of_variable("ROS_PACKAGE_PATH")) {
      if (search.found()) break;
      if (const auto nested = find_nested_package(folder, package)) search.ask(*nested / rest);
    }
    for (const fs::path& prefix : folders_of_variable("AMENT_PREFIX_PATH")) {
      search.ask(prefix / "share" / package / rest);
    }
  }
  std::error_code fault;
  fs::path folder = fs::absolute(base.empty() ? fs::path(".") : base, fault).lexically_normal();
  for (int level = 0; level < kMostLevelsUp; ++level) {
    search.ask_package(folder, package, rest);
    const fs::path above = folder.parent_path();
    if (above == folder || above.empty()) break;
    folder = above;
  }
  return search.finish(fmt::format(
      "put the folder that holds the package '{}' on the search path (GESTE_PATH)", package));
}

FileSearch find_plain(const std::string& name, const fs::path& base, const SearchPath& where) {
  Search search;
  const fs::path path(name);
  if (path.is_absolute()) {
    search.ask(path);
    return search.finish("check the path, or name the file relative to the file that uses it");
  }
  search.ask(base / path);
  for (const fs::path& folder : where.folders) search.ask(folder / path);
  if (where.environment) {
    for (const fs::path& folder : folders_of_variable("GESTE_PATH")) search.ask(folder / path);
  }
  return search.finish("check the path, or put its folder on the search path (GESTE_PATH)");
}

}  // namespace

FileSearch find_file(std::string_view name, const fs::path& base, const SearchPath& where) {
  name = trim(name);
  if (name.empty() || name.size() > kLongestName || name.find('\0') != std::string_view::npos) {
    return {std::nullopt, {}, "give the path of a file"};
  }
  const std::size_t colon = name.find("://");
  if (colon == std::string_view::npos) return find_plain(std::string(name), base, where);
  const std::string scheme = to_lower(name.substr(0, colon));
  const std::string_view rest = name.substr(colon + 3);
  if (scheme == "package" || scheme == "model") return find_in_package(rest, base, where);
  if (scheme == "file")
    return find_plain(decode_percent(rest).value_or(std::string(rest)), base, where);
  return {std::nullopt,
          {},
          "download the file and name it by its path; only package://, model:// "
          "and file:// are looked up"};
}

Diagnostic make_not_found(std::string code, std::string_view what, std::string_view name,
                          const FileSearch& search) {
  Diagnostic fault;
  fault.code = std::move(code);
  fault.message = fmt::format("{} '{}' was not found", what, name.substr(0, kLongestName));
  if (!search.tried.empty()) fault.message += "; tried";
  for (const fs::path& path : search.tried) fault.message += "\n    " + path.string();
  fault.remedy = search.remedy;
  return fault;
}

}  // namespace geste

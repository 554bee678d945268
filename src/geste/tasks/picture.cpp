#include "geste/tasks/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "geste/core/files.hpp"
#include "geste/core/text.hpp"
#include "geste/tasks/internal/browser.hpp"
#include "geste/tasks/task.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;

constexpr const char* kViews[] = {"iso", "front", "back", "left", "right", "top", "bottom"};

/// The page of a result as it lies there, or one made of a task's scene.
Result<std::string> load_report(const fs::path& input, ProgressSink& progress) {
  if (fs::is_directory(input)) {
    Result<std::string> page = load_file(input / "report.html");
    if (page) return page;
    return Diagnostic{.code = "picture.no_report",
                      .message = "has no report.html",
                      .file = input.string(),
                      .remedy = "name a folder that `geste run` wrote, or a task file"};
  }
  const Result<LoadedTask> loaded = load_task(input);
  if (!loaded) return loaded.error();
  Result<TaskScene> world = load_task_scene(loaded->file, progress);
  if (!world) return world.error();
  TaskResult result;
  result.verdict = "The scene as it is at the start.";
  result.task_file = {loaded->file.file, loaded->file.sha256};
  return make_report(*world, result, input.parent_path());
}

/// What may stand in the part of an address behind '#'.
std::string escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    const bool is_plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    escaped += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return escaped;
}

std::string make_fragment(const PictureOptions& o) {
  std::string fragment = fmt::format("#picture=1&view={}&theme={}&", o.view, o.theme);
  fragment += o.seconds ? fmt::format("s={:.9g}", *o.seconds) : fmt::format("t={:.9g}", o.share);
  if (!o.isolate.empty()) fragment += "&isolate=" + escape(o.isolate);
  return fragment;
}

}  // namespace

std::vector<Diagnostic> PictureOptions::faults() const {
  std::vector<Diagnostic> faults;
  const auto require = [&](bool holds, const char* message, const std::string& remedy) {
    if (!holds) faults.push_back({.code = "picture.option", .message = message, .remedy = remedy});
  };
  require(std::find(std::begin(kViews), std::end(kViews), view) != std::end(kViews),
          "there is no such view", "use iso, front, back, left, right, top or bottom");
  require(share >= 0 && share <= 1, "the time is a share of the motion, from 0 to 1",
          "for example 0.5, or give seconds");
  require(width >= 16 && width <= 8192 && height >= 16 && height <= 8192,
          "a picture has 16 to 8192 pixels each way", "for example 1280x720");
  require(theme == "light" || theme == "dark", "there is no such theme", "use light or dark");
  return faults;
}

Result<void> make_picture(const fs::path& result_or_task, const fs::path& out,
                          const PictureOptions& options, ProgressSink& progress) {
  if (std::vector<Diagnostic> faults = options.faults(); !faults.empty())
    return make_error(std::move(faults));
  const Result<std::string> page = load_report(result_or_task, progress);
  if (!page) return page.error();
  const Result<internal::Browser> browser = internal::Browser::find();
  if (!browser) return browser.error();
  const Result<std::string> png = browser->photograph(*page, make_fragment(options), options.width,
                                                      options.height, options.patience);
  if (!png) return png.error();
  return write_file_atomically(out, *png);
}

}  // namespace geste

#include "geste/tasks/internal/browser.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "geste/core/files.hpp"

extern char** environ;

namespace geste::internal {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A folder of one's own, gone with its end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "geste-picture-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

fs::path find_in_path(const std::string& name) {
  const char* list = std::getenv("PATH");
  std::string_view rest = list == nullptr ? "" : list;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path candidate = fs::path(rest.substr(0, end)) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

/// Starts a program with its output in a file. 0 when that fails.
pid_t start(const std::vector<std::string>& words, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : 0;
}

/// Whether the program ended within the time.
bool wait_for(pid_t child, double patience) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(patience);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

std::string get_last_line(const fs::path& log) {
  const Result<std::string> text = load_file(log);
  if (!text || text->empty()) return "it said nothing";
  const std::size_t end = text->find_last_not_of("\r\n");
  if (end == std::string::npos) return "it said nothing";
  const std::size_t begin = text->rfind('\n', end);
  return text->substr(begin == std::string::npos ? 0 : begin + 1, end - begin);
}

}  // namespace

Result<Browser> Browser::find() {
  if (const char* named = std::getenv("GESTE_CHROMIUM")) {
    if (access(named, X_OK) == 0) return Browser(named);
    return Diagnostic{.code = "picture.no_browser",
                      .message = "GESTE_CHROMIUM names no program",
                      .file = named,
                      .remedy = "name the Chromium to use, or unset it"};
  }
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (const fs::path program = find_in_path(name); !program.empty()) return Browser(program);
  }
  return Diagnostic{
      .code = "picture.no_browser",
      .message = "pictures are drawn by Chromium, which is not there",
      .remedy = "install it (apt-get install chromium), or name it in GESTE_CHROMIUM"};
}

Result<std::string> Browser::photograph(const std::string& page, const std::string& fragment,
                                        int width, int height, double patience) const {
  const ScratchFolder scratch;
  const auto fail = [](const std::string& message) {
    return Diagnostic{
        .code = "picture.failed",
        .message = message,
        .remedy = "try the browser by hand: chromium --headless=new --screenshot URL"};
  };
  if (scratch.path().empty()) return fail("no folder for temporary files can be made");
  const fs::path html = scratch.path() / "report.html", png = scratch.path() / "picture.png";
  if (const Result<void> written = write_file_atomically(html, page); !written)
    return written.error();

  std::vector<std::string> words = {
      program_.string(), "--headless=new", "--hide-scrollbars", "--mute-audio",
      // Drawn by the processor: the same picture on any machine, with or without a graphics card.
      "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      // Time of the page runs on until it has nothing left to do, at most this long.
      "--virtual-time-budget=30000", "--user-data-dir=" + (scratch.path() / "profile").string(),
      fmt::format("--window-size={},{}", width, height), "--screenshot=" + png.string(),
      "file://" + html.string() + fragment};
  if (geteuid() == 0) words.insert(words.begin() + 1, "--no-sandbox");  // Chromium's rule for root

  const fs::path log = scratch.path() / "log";
  const pid_t child = start(words, log);
  if (child == 0) return fail(program_.string() + " cannot be started");
  if (!wait_for(child, patience))
    return fail(fmt::format("the browser drew nothing within {:g} s", patience));
  Result<std::string> picture = load_file(png);
  if (picture && picture->starts_with("\x89PNG")) return picture;
  return fail("the browser made no picture: " + get_last_line(log));
}

}  // namespace geste::internal

#include "geste/core/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <utility>

#include "geste/core/internal/status_line.hpp"
#include "geste/core/internal/utf8.hpp"
#include "geste/core/text.hpp"

namespace geste {
namespace {

bool can_redraw_lines(std::FILE* out) {
  const char* term = std::getenv("TERM");
  const bool dumb = term == nullptr || std::string_view(term) == "dumb";
  return !dumb && ::isatty(::fileno(out)) == 1;
}

int ask_columns(std::FILE* out) {
  winsize size{};
  const bool known = ::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/// As much of `text` as fits into `columns` cells, harmless to a terminal.
std::string fit_to_columns(std::string_view text, int columns) {
  std::string fitted;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint code = decode_utf8(text, at);
    const bool control = code.value < 0x20 || (code.value >= 0x7F && code.value < 0xA0);
    const bool shown = code.valid && !control;
    columns -= shown ? terminal_columns(code.value) : 1;
    if (columns < 0) break;
    fitted += shown ? text.substr(at, code.length) : "?";
    at += code.length;
  }
  return fitted;
}

std::string format_bar(double fraction, int cells) {
  const int full = std::clamp(static_cast<int>(fraction * cells), 0, cells);
  std::string bar(static_cast<std::size_t>(full), '=');
  if (full < cells) bar += '>';
  bar.resize(static_cast<std::size_t>(cells), ' ');
  return bar;
}

}  // namespace

std::optional<double> ProgressEvent::fraction() const {
  if (total == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
}

ProgressSink& no_progress() {
  static NullProgress none;
  return none;
}

ProgressScope::ProgressScope(ProgressSink& sink, std::string stage, std::uint64_t total)
    : sink_(sink), stage_(std::move(stage)), total_(total) {
  sink_.report({.stage = stage_, .total = total_});
}

ProgressScope::~ProgressScope() {
  try {
    sink_.report({.stage = stage_, .done = done_, .total = total_, .last = true});
  } catch (...) {
    // A destructor must not throw, and lost progress harms no result.
  }
}

void ProgressScope::advance(std::uint64_t n, std::string_view message) {
  const std::lock_guard lock(mutex_);
  done_ += n;
  sink_.report({.stage = stage_, .done = done_, .total = total_, .message = message});
}

bool detail::ProgressThrottle::is_new_stage(std::string_view stage) {
  if (stages_.find(stage) != stages_.end()) return false;
  stages_.emplace(stage);
  return true;
}

bool detail::ProgressThrottle::is_due() {
  const auto now = std::chrono::steady_clock::now();
  if (last_ && now - *last_ < interval_) return false;
  last_ = now;
  return true;
}

TerminalProgress::TerminalProgress(std::FILE* out, TerminalProgressOptions options)
    : out_(out),
      is_terminal_(options.is_terminal.value_or(can_redraw_lines(out))),
      columns_(options.columns),
      throttle_(options.interval) {}

TerminalProgress::~TerminalProgress() { finish(); }

void TerminalProgress::report(const ProgressEvent& event) {
  const std::lock_guard lock(mutex_);
  const bool begins = throttle_.is_new_stage(event.stage);
  if (!is_terminal_) {
    if (!begins) return;
    const std::string line = fit_to_columns(event.stage, 200) + " ...\n";
    write_beside_status_line([&] {
      std::fputs(line.c_str(), out_);
      std::fflush(out_);
    });
    return;
  }
  if (!throttle_.is_due() && !begins) return;
  // The last cell stays free: writing there makes some terminals wrap.
  const int columns = columns_ > 0 ? columns_ : ask_columns(out_);
  draw_status_line(out_, format_progress_line(event, columns - 1));
}

void TerminalProgress::finish() {
  const std::lock_guard lock(mutex_);
  if (is_terminal_) erase_status_line(out_);
}

JsonProgress::JsonProgress(std::ostream& out, std::chrono::milliseconds interval)
    : out_(out), throttle_(interval) {}

void JsonProgress::report(const ProgressEvent& event) {
  const std::lock_guard lock(mutex_);
  const bool begins = throttle_.is_new_stage(event.stage);
  const bool must = begins || event.last;
  if (!throttle_.is_due() && !must) return;
  const auto fraction = event.fraction();
  std::string line = fmt::format(
      R"({{"event":"progress","stage":{},"done":{},"total":{},"fraction":{},"message":{}}})",
      quote_json(event.stage), event.done, fraction ? fmt::to_string(event.total) : "null",
      fraction ? fmt::format("{:.6g}", *fraction) : "null", quote_json(event.message));
  // The end of a stage often repeats its last step.
  if (line == last_line_) return;
  out_ << line << '\n' << std::flush;
  last_line_ = std::move(line);
}

std::string format_progress_line(const ProgressEvent& event, int columns) {
  constexpr int kLeastForBar = 40;
  constexpr int kWidestStage = 24;
  std::string line = fit_to_columns(event.stage, kWidestStage);
  if (const auto fraction = event.fraction()) {
    if (columns >= kLeastForBar) {
      const int cells = std::min(columns / 4, 30);
      line += fmt::format(" [{}]", format_bar(*fraction, cells));
    }
    // 100 % only when all is done.
    line += fmt::format(" {:3} %", static_cast<int>(*fraction * 100));
  } else if (event.done > 0) {
    line += fmt::format(" {}", event.done);
  }
  if (!event.message.empty()) line.append(" ").append(event.message);
  return fit_to_columns(line, columns);
}

}  // namespace geste

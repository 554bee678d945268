#include "geste/core/internal/status_line.hpp"

namespace geste {
namespace {

/// Where a line is shown now. There is one terminal per process, hence one variable.
std::FILE* shown_on = nullptr;

}  // namespace

std::mutex& detail::status_line_mutex() {
  static auto* const mutex = new std::mutex;  // outlives every static object that may log
  return *mutex;
}

void detail::erase_status_line_locked() {
  if (shown_on == nullptr) return;
  std::fputs("\r\x1b[K", shown_on);
  std::fflush(shown_on);
  shown_on = nullptr;
}

void draw_status_line(std::FILE* out, std::string_view text) {
  const std::lock_guard lock(detail::status_line_mutex());
  if (shown_on != out) detail::erase_status_line_locked();
  std::fputc('\r', out);
  std::fwrite(text.data(), 1, text.size(), out);
  std::fputs("\x1b[K", out);
  std::fflush(out);
  shown_on = out;
}

void erase_status_line(std::FILE* out) {
  const std::lock_guard lock(detail::status_line_mutex());
  if (shown_on == out) detail::erase_status_line_locked();
}

}  // namespace geste

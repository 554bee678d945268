#pragma once

#include <cstdio>
#include <mutex>
#include <string_view>

/// The progress bar and the log share a terminal: whoever writes takes the bar away first.
namespace geste {

/// Replaces the last line of the terminal `out` by `text`.
void draw_status_line(std::FILE* out, std::string_view text);

/// Takes the line away if it was drawn on `out`.
void erase_status_line(std::FILE* out);

namespace detail {
std::mutex& status_line_mutex();
void erase_status_line_locked();
}  // namespace detail

/// Runs write() while no status line is shown; the next progress report draws it again.
template <class Write>
void write_beside_status_line(Write&& write) {
  const std::lock_guard lock(detail::status_line_mutex());
  detail::erase_status_line_locked();
  write();
}

}  // namespace geste

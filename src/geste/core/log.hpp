#pragma once

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

/// Messages to the person who runs the program, on standard error: "warning: text". What a caller
/// must be able to act on is an Error, a Note or a report instead. The level is the only state, set
/// once from the program's options.
namespace geste {

enum class LogLevel { debug, info, warning, error, off };

/// Messages below `level` are not written (nor formatted). At the start: warning.
void set_log_level(LogLevel level);
LogLevel log_level();

/// "debug", "info", "warning", "error" or "off", in any case.
std::optional<LogLevel> parse_log_level(std::string_view text);

namespace detail {
void write_log(LogLevel level, std::string_view text);

template <class... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
  if (level < log_level()) return;
  write_log(level, fmt::format(format, std::forward<Args>(args)...));
}
}  // namespace detail

template <class... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
  detail::log(LogLevel::debug, format, std::forward<Args>(args)...);
}

template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  detail::log(LogLevel::info, format, std::forward<Args>(args)...);
}

template <class... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
  detail::log(LogLevel::warning, format, std::forward<Args>(args)...);
}

template <class... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
  detail::log(LogLevel::error, format, std::forward<Args>(args)...);
}

}  // namespace geste

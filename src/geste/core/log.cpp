#include "geste/core/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <atomic>
#include <memory>

#include "geste/core/internal/status_line.hpp"
#include "geste/core/text.hpp"

namespace geste {
namespace {

constexpr std::array<std::string_view, 5> kNames{"debug", "info", "warning", "error", "off"};

std::atomic<LogLevel> current_level = LogLevel::warning;

spdlog::level::level_enum to_spdlog(LogLevel level) {
  constexpr std::array kLevels{spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                               spdlog::level::err, spdlog::level::off};
  return kLevels[static_cast<std::size_t>(level)];
}

/// Never destroyed: destructors of static objects may still log.
spdlog::logger& logger() {
  static spdlog::logger* const logger = [] {
    auto* made = new spdlog::logger("geste", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%l: %v");
    made->set_level(spdlog::level::trace);
    made->flush_on(spdlog::level::trace);
    return made;
  }();
  return *logger;
}

}  // namespace

void set_log_level(LogLevel level) { current_level.store(level, std::memory_order_relaxed); }

LogLevel log_level() { return current_level.load(std::memory_order_relaxed); }

std::optional<LogLevel> parse_log_level(std::string_view text) {
  const std::string name = to_lower(trim(text));
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

void detail::write_log(LogLevel level, std::string_view text) {
  write_beside_status_line(
      [&] { logger().log(to_spdlog(level), spdlog::string_view_t(text.data(), text.size())); });
}

}  // namespace geste

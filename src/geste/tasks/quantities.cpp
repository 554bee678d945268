#include "geste/tasks/internal/quantities.hpp"

#include <fmt/format.h>

#include <cmath>

#include "geste/math/types.hpp"

namespace geste::internal {
namespace {

/// Three digits, or all before the point; what is smaller than a thousandth is said so.
std::string say(double value, const char* unit) {
  const double size = std::abs(value);
  if (size > 0 && size < 1e-3) return fmt::format("less than 0.001 {}", unit);
  const int before = size >= 1 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 0;
  std::string digits = fmt::format("{:.{}f}", value, before >= 3 ? 0 : 3 - before);
  if (digits.find('.') != std::string::npos) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return fmt::format("{} {}", digits == "-0" ? "0" : digits, unit);
}

}  // namespace

std::string say_length(double metres) {
  return std::abs(metres) < 10 ? say(1e3 * metres, "mm") : say(metres, "m");
}

std::string say_degrees(double radians) { return say(radians * 180 / kPi, "degrees"); }

std::string say_seconds(double seconds) { return say(seconds, "s"); }

}  // namespace geste::internal

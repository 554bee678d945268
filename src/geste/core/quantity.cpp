#include "geste/core/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace geste {
namespace {

/// What lies below is not meant: computations round, and nothing is made so exactly.
constexpr double kLeastNumber = 1e-12;
constexpr double kLeastLength = 1e-7;  // m
constexpr double kLeastAngle = 1e-7;   // rad
constexpr double kLeastTime = 1e-7;    // s

std::string with_unit(double value, double least, const char* unit, int digits) {
  return format_number(std::abs(value) < least ? 0 : value, digits) + unit;
}

}  // namespace

std::string format_number(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "unknown" : value > 0 ? "inf" : "-inf";
  if (std::abs(value) < kLeastNumber) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const int decimals = std::max(0, digits - 1 - magnitude);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals == 0) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string format_length(double metres, int digits) {
  // 999.97 mm would round to 1000 mm: it is 1 m then.
  const double rounding = 0.5 * std::pow(10.0, -digits);
  if (std::abs(metres) >= 1 - rounding) return with_unit(metres, kLeastLength, " m", digits);
  return with_unit(1e3 * metres, 1e3 * kLeastLength, " mm", digits);
}

std::string format_gap(double distance, double touch, int digits) {
  if (std::abs(distance) <= std::max(touch, kLeastLength)) return "touching";
  return format_length(std::abs(distance), digits) + (distance < 0 ? " deep" : " apart");
}

std::string format_angle(double radians, int digits) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  return with_unit(kDegrees * radians, kDegrees * kLeastAngle, " deg", digits);
}

std::string format_duration(double seconds, int digits) {
  const bool is_short = std::abs(seconds) < 0.1 && std::abs(seconds) >= kLeastTime;
  return is_short ? with_unit(1e3 * seconds, 0, " ms", digits)
                  : with_unit(seconds, kLeastTime, " s", digits);
}

std::string format_quantity(double value, std::string_view unit, int digits) {
  if (unit == "m") return format_length(value, digits);
  if (unit == "rad") return format_angle(value, digits);
  if (unit == "s") return format_duration(value, digits);
  std::string text = format_number(value, digits);
  if (!unit.empty() && unit != "1") (text += ' ') += unit;
  return text;
}

}  // namespace geste

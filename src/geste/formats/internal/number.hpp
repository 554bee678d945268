#pragma once

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace geste {

/// Reads a number at `p` and returns the place after it, or nullptr when there is none. Words for
/// NaN and infinity count as numbers, so that the caller can say what is wrong; a magnitude
/// beyond single precision (3.4e38) comes out as infinity, one that is too small as 0.
inline const char* parse_number(const char* p, const char* end, double& value) {
  if (p < end && *p == '+' && p + 1 < end && p[1] != '-') ++p;
  const auto [after, fault] = std::from_chars(p, end, value);
  if (fault == std::errc::invalid_argument) return nullptr;
  if (fault == std::errc::result_out_of_range) {
    bool tiny = false;
    for (const char* c = p; c + 1 < after; ++c) tiny |= (*c == 'e' || *c == 'E') && c[1] == '-';
    value = tiny ? 0 : std::numeric_limits<double>::infinity();
  }
  if (std::abs(value) > std::numeric_limits<float>::max()) {
    value = std::copysign(std::numeric_limits<double>::infinity(), value);
  }
  return after;
}

}  // namespace geste

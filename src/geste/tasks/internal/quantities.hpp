#pragma once

#include <string>

namespace geste::internal {

// Quantities in words of people: three digits, never an exponent.

/// "12.3 mm"; "1860 mm"; from 10 m on "12.5 m".
std::string say_length(double metres);
/// "10.9 degrees".
std::string say_degrees(double radians);
/// "0.25 s".
std::string say_seconds(double seconds);

}  // namespace geste::internal

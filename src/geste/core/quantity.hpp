#pragma once

#include <string>
#include <string_view>

namespace geste {

// Numbers as people read them, in verdicts, notes, tables and reports: never an exponent, never a
// negative zero, no digits beyond what is meant. Files for programs keep full precision.

/// `digits` significant ones, trailing zeros left out; whole numbers are never rounded. What is
/// below 1e-12 is 0.
std::string format_number(double value, int digits = 4);

/// "0.412 mm", "12.5 mm", "1.86 m"; below 0.1 micrometre "0 mm".
std::string format_length(double metres, int digits = 4);

/// "3 mm apart", "touching" (below 0.1 micrometre, or within `touch`), "0.41 mm deep".
std::string format_gap(double distance, double touch = 0, int digits = 4);

/// "45 deg", "0.25 deg".
std::string format_angle(double radians, int digits = 4);

/// "2.4 s", "35 ms".
std::string format_duration(double seconds, int digits = 4);

/// By the SI unit it is in: "m", "rad" and "s" as above, "1" alone, all others as they are.
std::string format_quantity(double value, std::string_view unit, int digits = 4);

}  // namespace geste

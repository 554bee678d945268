#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace geste {

/// A unit that files and people measure lengths in.
struct LengthUnit {
  const char* symbol;  ///< as task files write it
  const char* one;
  const char* many;
  double metres;
};

/// All that geste knows; a task file may use each of them.
std::span<const LengthUnit> length_units();
std::vector<std::string> length_unit_symbols();

/// By symbol, or by name in the singular or plural, British or American; nothing when unknown.
const LengthUnit* find_length_unit(std::string_view name);
/// The unit of that length up to a relative difference of `tolerance`.
const LengthUnit* find_length_unit(double metres, double tolerance);

}  // namespace geste

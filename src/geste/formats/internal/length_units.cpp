#include "geste/formats/internal/length_units.hpp"

#include <algorithm>
#include <cmath>

#include "geste/core/text.hpp"

namespace geste {
namespace {

constexpr LengthUnit kUnits[] = {
    {"m", "metre", "metres", 1},
    {"dm", "decimetre", "decimetres", 0.1},
    {"cm", "centimetre", "centimetres", 0.01},
    {"mm", "millimetre", "millimetres", 1e-3},
    {"um", "micrometre", "micrometres", 1e-6},
    {"km", "kilometre", "kilometres", 1000},
    {"in", "inch", "inches", 0.0254},
    {"ft", "foot", "feet", 0.3048},
};

}  // namespace

std::span<const LengthUnit> length_units() { return kUnits; }

std::vector<std::string> length_unit_symbols() {
  std::vector<std::string> symbols;
  for (const LengthUnit& unit : kUnits) symbols.emplace_back(unit.symbol);
  return symbols;
}

const LengthUnit* find_length_unit(std::string_view name) {
  std::string word = to_lower(trim(name));
  if (const std::size_t at = word.find("meter"); at != std::string::npos) {
    word.replace(at, 5, "metre");
  }
  const auto* found = std::find_if(std::begin(kUnits), std::end(kUnits), [&](const LengthUnit& u) {
    return word == u.symbol || word == u.one || word == u.many;
  });
  return found == std::end(kUnits) ? nullptr : found;
}

const LengthUnit* find_length_unit(double metres, double tolerance) {
  const auto* found = std::find_if(std::begin(kUnits), std::end(kUnits), [&](const LengthUnit& u) {
    return std::abs(u.metres - metres) <= tolerance * u.metres;
  });
  return found == std::end(kUnits) ? nullptr : found;
}

}  // namespace geste

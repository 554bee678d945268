#include "geste/formats/units.hpp"

#include <cmath>
#include <numbers>

#include "geste/core/text.hpp"
#include "geste/formats/internal/length_units.hpp"

namespace geste {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// Where the number ends: at a blank, or at the letters of its unit ("45deg", but "1e-3").
std::size_t find_number_end(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size()) {
    const char c = text[end];
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_exponent = (c == 'e' || c == 'E') && end > 0 && end + 1 < text.size() &&
                             text.substr(end + 1, 2).find_first_of("0123456789") != text.npos &&
                             text[end + 1] != '.';
    if (is_exponent) {
      end += 2;  // with its sign or first digit
    } else if (is_digit || c == '.' || c == '+' || c == '-') {
      ++end;
    } else {
      break;
    }
  }
  return end;
}

}  // namespace

std::vector<MeasureUnit> list_units(Dimension dimension) {
  switch (dimension) {
    case Dimension::none:
      break;
    case Dimension::length: {
      std::vector<MeasureUnit> units;
      for (const LengthUnit& unit : length_units())
        units.push_back({unit.symbol, dimension, unit.metres});
      return units;
    }
    case Dimension::angle:
      return {{"rad", dimension, 1}, {"deg", dimension, kDegree}};
    case Dimension::degrees:
      return {{"deg", dimension, 1}, {"rad", dimension, 1 / kDegree}};
    case Dimension::mass:
      return {{"kg", dimension, 1}, {"g", dimension, 1e-3}, {"t", dimension, 1000}};
    case Dimension::time:
      return {{"s", dimension, 1}, {"ms", dimension, 1e-3}, {"min", dimension, 60}};
  }
  return {};
}

std::optional<MeasureUnit> find_unit(std::string_view symbol) {
  for (const Dimension dimension :
       {Dimension::length, Dimension::angle, Dimension::mass, Dimension::time}) {
    for (MeasureUnit& unit : list_units(dimension))
      if (unit.symbol == symbol) return std::move(unit);
  }
  return std::nullopt;
}

std::pair<std::string_view, std::string_view> split_quantity(std::string_view text) {
  text = trim(text);
  const std::size_t end = find_number_end(text);
  return {text.substr(0, end), trim(text.substr(end))};
}

std::optional<Quantity> parse_quantity(std::string_view text) {
  const auto [digits, symbol] = split_quantity(text);
  const auto value = parse_double(digits);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  if (symbol.empty()) return Quantity{*value, Dimension::none};
  const std::optional<MeasureUnit> unit = find_unit(symbol);
  if (!unit) return std::nullopt;
  return Quantity{*value * unit->to_si, unit->dimension};
}

}  // namespace geste

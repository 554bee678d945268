#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geste/formats/fields.hpp"

namespace geste {

/// A unit as files write it behind a number.
struct MeasureUnit {
  std::string symbol;
  Dimension dimension = Dimension::none;
  double to_si = 1;
};

/// The units that a number of that dimension may have; none for plain numbers.
std::vector<MeasureUnit> list_units(Dimension dimension);
/// A unit of any dimension, by its symbol.
std::optional<MeasureUnit> find_unit(std::string_view symbol);

/// A number as people write it, with or without a unit: "45 deg", "12mm", "0.5".
struct Quantity {
  double value = 0;                       ///< in SI
  Dimension dimension = Dimension::none;  ///< of the unit; none: a number alone
};
/// The digits and the unit of it, each possibly empty.
std::pair<std::string_view, std::string_view> split_quantity(std::string_view text);
/// Nothing for what is no finite number or has an unknown unit.
std::optional<Quantity> parse_quantity(std::string_view text);

}  // namespace geste

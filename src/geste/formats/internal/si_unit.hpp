#pragma once

#include "geste/formats/fields.hpp"

namespace geste {

/// What numbers of a dimension are in where no unit stands behind them; null for plain numbers.
inline const char* find_si_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::none:
      return nullptr;
    case Dimension::length:
      return "m";
    case Dimension::angle:
      return "rad";
    case Dimension::degrees:
      return "deg";
    case Dimension::mass:
      return "kg";
    case Dimension::time:
      return "s";
  }
  return nullptr;
}

}  // namespace geste

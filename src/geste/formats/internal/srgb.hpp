#pragma once

#include <algorithm>
#include <cmath>

#include "geste/geometry/shape.hpp"

namespace geste {

/// IEC 61966-2-1: from what a screen is told to the light it gives.
inline double linear_from_srgb(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

/// The colour that a screen is told by r, g, b: what URDF, MTL and COLLADA files state. Opacity is
/// no light and stays. Values outside 0 to 1 are cut, NaN becomes 0.
inline Colour colour_from_srgb(double r, double g, double b, double a = 1) {
  const auto cut = [](double value) { return value > 0 ? std::min(value, 1.0) : 0.0; };
  return {linear_from_srgb(cut(r)), linear_from_srgb(cut(g)), linear_from_srgb(cut(b)), cut(a)};
}

}  // namespace geste

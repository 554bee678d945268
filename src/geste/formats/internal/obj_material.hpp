#pragma once

#include <map>
#include <string>
#include <string_view>

#include "geste/geometry/shape.hpp"

namespace geste {

/// Colours by name of material, from Wavefront MTL: Kd with d or Tr (1 - d). Materials without Kd
/// do not appear; what cannot be read is skipped, as colours never stop a part from loading. Names
/// already in `colours` stay as they are.
void read_mtl(std::string_view text, std::map<std::string, Colour, std::less<>>& colours);

}  // namespace geste

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace geste {

/// What a STEP text may say in several ways, said in the one way that OpenCASCADE 7.6 reads:
/// sub-entities of complex entities in alphabetical order, nothing but blanks between an entity's
/// number and its '=', keywords in capitals, sections that open without parameters (edition 2).
/// Nothing where the text is so already, as most are. `bytes` has passed check_step_text. O(n).
std::optional<std::string> normalise_step(std::string_view bytes);

}  // namespace geste

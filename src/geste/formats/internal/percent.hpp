#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace geste {

/// The path that a URI means: %20 and its like as bytes. Nothing when an escape is malformed, or
/// is %00, which would cut the path short.
std::optional<std::string> decode_percent(std::string_view uri);

}  // namespace geste

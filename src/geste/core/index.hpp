#pragma once

#include <cstddef>

namespace geste {

/// A count or place that is known not to be negative, as the subscript of a container.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace geste

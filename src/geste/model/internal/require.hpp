#pragma once

#include <cstddef>

namespace geste::internal {

[[noreturn]] void throw_bad_size(const char* what, std::ptrdiff_t has, std::ptrdiff_t needs);

/// A vector or workspace of another scene is the caller's bug; it throws std::invalid_argument.
inline void require_size(const char* what, std::ptrdiff_t has, std::ptrdiff_t needs) {
  if (has != needs) throw_bad_size(what, has, needs);
}

}  // namespace geste::internal

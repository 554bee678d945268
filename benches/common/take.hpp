#pragma once

#include <stdexcept>

#include "geste/core/result.hpp"

namespace geste::bench {

/// The value; an error becomes an exception with its text.
template <class T>
T take(Result<T> result) {
  if (!result) throw std::runtime_error(to_text(result.error()));
  return std::move(*result);
}

}  // namespace geste::bench

#pragma once

#include <string>
#include <utility>

#include "geste/core/error.hpp"

namespace geste {

/// A fault or note about `file`, without naming the fields that do not apply.
inline Diagnostic make_diagnostic(std::string file, std::string code, std::string message,
                                  std::string remedy = "", std::string element = "", int line = 0) {
  return {std::move(code),    std::move(message), std::move(file), line, 0,
          std::move(element), std::move(remedy)};
}

}  // namespace geste

#pragma once

#include <fmt/format.h>

#include "geste/model/scene.hpp"

namespace geste {

/// Why a steering method cannot move a joint (code "plan.steering").
inline Diagnostic make_steering_fault(const Joint& joint, std::string message, std::string remedy) {
  return {.code = "plan.steering",
          .message = std::move(message),
          .element = fmt::format("joint '{}'", joint.name),
          .remedy = std::move(remedy)};
}

}  // namespace geste

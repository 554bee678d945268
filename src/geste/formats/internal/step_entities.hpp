#pragma once

#include <StepData_StepModel.hxx>

#include <string>
#include <vector>

#include "geste/core/error.hpp"

namespace geste {

/// What is wrong with entities that OpenCASCADE could not fill as the schema wants them. It would
/// go on with null pointers in their place and crash where it needs them.
struct EntityCheck {
  std::vector<Diagnostic> faults;  ///< of entities that shapes are made of; the first 20
  bool broken_colours = false;
  std::size_t nameless = 0;  ///< entities that missed nothing but texts, and were given empty ones
  Notes notes;               ///< of what was left out and is not missed
};

EntityCheck check_step_entities(const Handle(StepData_StepModel) & model,
                                const std::string& file_name);

}  // namespace geste

#pragma once

#include <Interface_Check.hxx>
#include <StepData_StepModel.hxx>

#include <string>
#include <vector>

#include "geste/core/error.hpp"

namespace geste {

// What OpenCASCADE misses in entities of otherwise good files, and shapes do not need.

/// Gives the entity empty texts where texts are all that it misses. False for what cannot be mended
/// so.
bool fill_missing_texts(const Interface_Check& check, const Handle(Standard_Transient) & entity);

/// True of units in which no length and no plane angle is given (solid angles, masses, areas, ...),
/// and of accuracies: a shape is the same without them.
bool is_needless_unit(const Handle(Standard_Transient) & entity);

/// Takes units and accuracies that could not be read out of the contexts that name them.
struct UnitRepair {
  std::vector<Diagnostic> faults;  ///< of contexts that lost the unit of lengths or angles by it
  Notes notes;                     ///< of those that lost only others
};
UnitRepair drop_unread_units(const Handle(StepData_StepModel) & model,
                             const std::string& file_name);

/// True when a context misses nothing but units and accuracies, which drop_unread_units judges.
bool misses_only_units(const Interface_Check& check);

}  // namespace geste

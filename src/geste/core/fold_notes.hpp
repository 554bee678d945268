#pragma once

#include "geste/core/error.hpp"

namespace geste {

/// `notes` as people read them: one for each code, which names the first three elements that it
/// concerns and counts the others: "20 links ('a', 'b', 'c' and 17 more): ...". Where messages
/// differ the first is shown. Programs get all of them.
Notes fold_notes(const Notes& notes);

}  // namespace geste

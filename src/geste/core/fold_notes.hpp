#pragma once

#include "geste/core/error.hpp"

namespace geste {

/// `notes` as people read them: those of one code together, at most three of each and then "and 9
/// more like it", equal ones once. Programs get all of them.
Notes fold_notes(const Notes& notes);

}  // namespace geste

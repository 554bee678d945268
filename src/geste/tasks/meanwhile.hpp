#pragma once

#include <string>

#include "geste/formats/fields.hpp"

namespace geste {

/// What others do while something moves, as a task file says it.
struct MeanwhileChoice {
  bool is_given = false;
  std::string motion;  ///< CSV file
  double by = 0;       ///< s; when the goal must be reached; 0: a minute after the others' end
};

void describe_meanwhile(FieldVisitor& visitor, MeanwhileChoice& choice);

}  // namespace geste

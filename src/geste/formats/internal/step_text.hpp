#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "geste/core/result.hpp"

namespace geste {

// The text side of STEP (ISO 10303-21 "clear text encoding"), read before the geometry library
// sees the file: it accepts truncated files without a word, and names neither lines nor causes.

struct StepOutline {
  std::string schema_text;  ///< first name in FILE_SCHEMA
  std::string schema;       ///< "AP203", "AP214", "AP242", or schema_text
  std::size_t entities = 0;
  Notes notes;
};

/// Checks that `bytes`, without a byte order mark, is a whole STEP file: opening and closing lines,
/// sections, balanced strings, comments and parentheses, entity numbers that exist. O(n).
Result<StepOutline> check_step_text(std::string_view bytes, const std::string& file_name);

/// The UTF-8 text of a STEP string: \X\, \X2\, \X4\ and \S\ escapes decoded, doubled backslashes
/// made single. Malformed escapes stay as they are.
std::string decode_step_string(std::string_view text);

}  // namespace geste

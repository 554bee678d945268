#pragma once

#include <cstddef>
#include <string_view>

namespace geste {

struct CodePoint {
  char32_t value = 0xFFFD;  ///< the replacement character when not valid
  std::size_t length = 1;   ///< bytes taken
  bool valid = false;
};

/// The code point that begins at text[at], at < text.size(). Overlong forms, surrogates, values
/// above U+10FFFF and cut sequences are not valid and take one byte (RFC 3629).
CodePoint decode_utf8(std::string_view text, std::size_t at);

/// Cells that a terminal gives to a printable code point: 0 for combining marks, 2 for East Asian
/// wide characters and pictographs, else 1. A short table, not all of Unicode's.
int terminal_columns(char32_t code);

}  // namespace geste

#pragma once

#include <string_view>

namespace geste {

/// `text` without the mark that some editors put before UTF-8.
inline std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace geste

#include "geste/core/internal/utf8.hpp"

#include <algorithm>
#include <array>

namespace geste {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t N>
bool lies_in(char32_t code, const std::array<Range, N>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](Range r) { return r.first <= code && code <= r.last; });
}

constexpr std::array<Range, 6> kNoCell{{{0x300, 0x36F},
                                        {0x200B, 0x200F},
                                        {0x202A, 0x202E},
                                        {0x20D0, 0x20FF},
                                        {0xFE00, 0xFE0F},
                                        {0xFE20, 0xFE2F}}};
constexpr std::array<Range, 9> kTwoCells{{{0x1100, 0x115F},
                                          {0x2E80, 0xA4CF},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF00, 0xFF60},
                                          {0xFFE0, 0xFFE6},
                                          {0x1F300, 0x1FAFF},
                                          {0x20000, 0x3FFFD}}};

/// Bytes that follow the first one, -1 when no sequence begins with it.
int count_followers(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >> 5 == 0b110) return 1;
  if (first >> 4 == 0b1110) return 2;
  if (first >> 3 == 0b11110) return 3;
  return -1;
}

}  // namespace

CodePoint decode_utf8(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const int followers = count_followers(first);
  if (followers == 0) return {first, 1, true};
  if (followers < 0 || text.size() - at <= static_cast<std::size_t>(followers)) return {};
  char32_t code = first & (0x3Fu >> followers);
  for (int k = 1; k <= followers; ++k) {
    const auto next = static_cast<unsigned char>(text[at + static_cast<std::size_t>(k)]);
    if (next >> 6 != 0b10) return {};
    code = code << 6 | (next & 0x3Fu);
  }
  constexpr std::array<char32_t, 4> kSmallest{0, 0x80, 0x800, 0x10000};
  const bool overlong = code < kSmallest[static_cast<std::size_t>(followers)];
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, static_cast<std::size_t>(followers) + 1, true};
}

int terminal_columns(char32_t code) {
  if (code < 0x300) return 1;
  if (lies_in(code, kNoCell)) return 0;
  return lies_in(code, kTwoCells) ? 2 : 1;
}

}  // namespace geste

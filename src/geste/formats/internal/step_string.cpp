#include <charconv>
#include <cstdint>
#include <optional>

#include "geste/formats/internal/step_text.hpp"

namespace geste {
namespace {

void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

std::optional<std::uint32_t> read_hex(std::string_view text, std::size_t at, std::size_t digits) {
  if (at + digits > text.size()) return std::nullopt;
  std::uint32_t code = 0;
  const char* first = text.data() + at;
  const auto [end, fault] = std::from_chars(first, first + digits, code, 16);
  if (fault != std::errc() || end != first + digits) return std::nullopt;
  return code;
}

/// Decodes the hexadecimal run of \X2\ (4 digits) or \X4\ (8 digits) that starts at `at`.
/// Returns where the text goes on, or nothing when the run is malformed.
std::optional<std::size_t> decode_run(std::string_view text, std::size_t at, std::size_t digits,
                                      std::string& decoded) {
  std::string run;
  while (text.substr(at, 4) != "\\X0\\") {
    std::optional<std::uint32_t> code = read_hex(text, at, digits);
    if (!code) return std::nullopt;
    at += digits;
    if (*code >= 0xD800 && *code < 0xDC00) {  // first half of a surrogate pair
      const auto low = read_hex(text, at, digits);
      if (!low || *low < 0xDC00 || *low > 0xDFFF) return std::nullopt;
      code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
      at += digits;
    }
    if (*code > 0x10FFFF || (*code >= 0xDC00 && *code <= 0xDFFF)) return std::nullopt;
    append_utf8(run, *code);
  }
  decoded += run;
  return at + 4;
}

/// Decodes the escape at `at`; returns where the text goes on, or nothing when it is none.
std::optional<std::size_t> decode_escape(std::string_view text, std::size_t at,
                                         std::string& decoded) {
  const std::string_view rest = text.substr(at);
  if (rest.rfind("\\X2\\", 0) == 0) return decode_run(text, at + 4, 4, decoded);
  if (rest.rfind("\\X4\\", 0) == 0) return decode_run(text, at + 4, 8, decoded);
  if (rest.rfind("\\X\\", 0) == 0) {
    const auto code = read_hex(text, at + 3, 2);
    if (!code) return std::nullopt;
    append_utf8(decoded, *code);
    return at + 5;
  }
  if (rest.rfind("\\S\\", 0) == 0 && rest.size() > 3) {
    append_utf8(decoded, static_cast<unsigned char>(rest[3]) + 0x80U);
    return at + 4;
  }
  if (rest.rfind("\\\\", 0) == 0) {
    decoded += '\\';
    return at + 2;
  }
  return std::nullopt;
}

}  // namespace

std::string decode_step_string(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\\') {
      if (const auto next = decode_escape(text, at, decoded)) {
        at = *next;
        continue;
      }
    }
    decoded += text[at++];
  }
  return decoded;
}

}  // namespace geste

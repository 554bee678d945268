#include "geste/core/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "geste/core/internal/utf8.hpp"

namespace geste {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// from_chars takes no leading plus; "+-1" is still not a number.
std::string_view drop_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

/// Of a decimal number that no double holds: whether it lies too near to zero (or is too large).
bool is_too_small(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == mantissa.npos) return true;
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const auto leading = static_cast<long long>(point) - static_cast<long long>(first);
  const std::string_view exponent = text.substr(std::min(e + 1, text.size()));
  if (exponent.empty()) return leading < 0;
  const auto stated = parse_integer(exponent);
  // An exponent beyond 2^63 outweighs any mantissa.
  return stated ? *stated < -leading : exponent.front() == '-';
}

/// Levenshtein distance with transpositions counted once (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  while (begin < text.size()) {
    while (begin < text.size() && is_blank(text[begin])) ++begin;
    std::size_t end = begin;
    while (end < text.size() && !is_blank(text[end])) ++end;
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::optional<double> parse_double(std::string_view text) {
  text = drop_plus(trim(text));
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (fault == std::errc::result_out_of_range && is_too_small(text)) {
    return text.front() == '-' ? -0.0 : 0.0;
  }
  if (fault != std::errc() || std::isnan(value)) return std::nullopt;
  return value;
}

std::optional<long long> parse_integer(std::string_view text) {
  text = drop_plus(trim(text));
  long long value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || fault != std::errc()) return std::nullopt;
  return value;
}

std::optional<std::vector<double>> parse_doubles(std::string_view text) {
  std::vector<double> values;
  for (std::string_view word : split_words(text)) {
    const std::optional<double> value = parse_double(word);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint code = decode_utf8(text, at);
    if (!code.valid) return false;
    at += code.length;
  }
  return true;
}

std::string quote_json(std::string_view text) {
  std::string quoted = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint code = decode_utf8(text, at);
    if (!code.valid) {
      quoted += "\xEF\xBF\xBD";
    } else if (code.value == '"' || code.value == '\\') {
      quoted += {'\\', static_cast<char>(code.value)};
    } else if (code.value == '\n') {
      quoted += "\\n";
    } else if (code.value == '\t') {
      quoted += "\\t";
    } else if (code.value < 0x20 || code.value == 0x7F) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(code.value));
    } else {
      quoted += text.substr(at, code.length);
    }
    at += code.length;
  }
  return quoted + '"';
}

std::string to_utf8(std::string_view text) {
  if (is_valid_utf8(text)) return std::string(text);
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | byte >> 6);
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

std::optional<std::string> find_nearest_name(std::string_view name,
                                             std::span<const std::string> candidates) {
  constexpr std::size_t kLongest = 200;
  if (name.size() > kLongest) return std::nullopt;
  // A third of the letters wrong, and never more than four, still looks like a typo.
  std::size_t limit = std::min<std::size_t>(4, (name.size() + 2) / 3);
  std::optional<std::string> nearest;
  for (const std::string& candidate : candidates) {
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    if (longer > kLongest || longer - shorter > limit) continue;
    const std::size_t distance = edit_distance(name, candidate);
    // With no letter in common it is another name, however short.
    if (distance > limit || distance >= longer) continue;
    nearest = candidate;
    if (distance == 0) break;
    limit = distance - 1;
  }
  return nearest;
}

std::string suggest_name(std::string_view name, std::span<const std::string> candidates) {
  if (const auto nearest = find_nearest_name(name, candidates)) {
    return fmt::format("did you mean '{}'?", *nearest);
  }
  if (candidates.empty()) return "there are none here";
  constexpr std::size_t kShown = 12;
  const auto shown = candidates.first(std::min(kShown, candidates.size()));
  const char* rest = candidates.size() > kShown ? ", ..." : "";
  return fmt::format("valid: {}{}", fmt::join(shown, ", "), rest);
}

}  // namespace geste

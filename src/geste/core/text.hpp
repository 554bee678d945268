#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace geste {

/// A finite or infinite number that fills the whole of `text` (blanks around it allowed), read
/// the same in every locale. Nothing when it is not one; NaN is not one, nor is a decimal number
/// too large for a double. One too near to zero is zero.
std::optional<double> parse_double(std::string_view text);
std::optional<long long> parse_integer(std::string_view text);

/// Numbers separated by blanks. Nothing when any word is not a number.
std::optional<std::vector<double>> parse_doubles(std::string_view text);

std::string_view trim(std::string_view text);
std::vector<std::string_view> split_words(std::string_view text);
std::string to_lower(std::string_view text);
bool is_valid_utf8(std::string_view text);
/// `text` itself where it is UTF-8; otherwise its bytes read as Latin-1. For names in old files,
/// which reports and JSON must be able to hold.
std::string to_utf8(std::string_view text);

/// `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
std::string quote_json(std::string_view text);

/// The candidate nearest to `name` by edit distance (letter case costs nothing), when it is near
/// enough to be a likely typo.
std::optional<std::string> find_nearest_name(std::string_view name,
                                             std::span<const std::string> candidates);

/// "did you mean 'xyz'?" or "valid: a, b, c": the remedy for an unknown name.
std::string suggest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace geste
